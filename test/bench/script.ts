/** What a prompt makes the fake Codex do. */
export interface Script {
  /** `text`: pieces of a message; `output`: of a command's output; `stamps`: of a message, each the time it was sent. */
  readonly kind: "text" | "output" | "stamps";
  readonly count: number;
  /** Pieces per second; 0 is as fast as the pipe takes them. */
  readonly rate: number;
}

const sign = "BENCH ";

export const promptOf = (script: Script): string => sign + JSON.stringify(script);

/** The script in a prompt; one piece of text when there is none. */
export function scriptIn(prompt: string): Script {
  const at = prompt.indexOf(sign);
  if (at < 0) return { kind: "text", count: 1, rate: 0 };
  return JSON.parse(prompt.slice(at + sign.length)) as Script;
}

const counted = (index: number): string => String(index).padStart(7, "0");

/** 8 characters, as a token has; each piece is different, so that a lost or moved one shows. */
export const textPiece = (index: number): string => `${counted(index)} `;

/** A line of 80 characters. */
export const outputPiece = (index: number): string => `${counted(index)} ${"x".repeat(71)}\n`;

/** The monotonic clock of the machine in nanoseconds, which all its processes share. */
export const stampPiece = (): string => `${process.hrtime.bigint().toString().padStart(18, "0")} `;

export const stampsIn = (text: string): bigint[] =>
  [...text.matchAll(/(\d{18}) /g)].map(([, stamp = ""]) => BigInt(stamp));

/** A thread that holds `turns` turns of a question, a command and an answer. */
export const historyId = (turns: number): string => `0bec0000-0000-7000-8000-${String(turns).padStart(12, "0")}`;

/** How many turns the thread `id` holds. */
export const turnsOf = (id: string): number => Number(/^0bec0000-0000-7000-8000-(\d{12})$/.exec(id)?.[1] ?? 0);

/** A folder that tells the fake Codex to list so many threads from now on. */
export const folderOf = (threads: number): string => `/bench/${threads}`;

/** How many threads such a folder asks for; null for another. */
export function threadsIn(folder: unknown): number | null {
  const digits = typeof folder === "string" ? /^\/bench\/(\d+)$/.exec(folder)?.[1] : undefined;
  return digits === undefined ? null : Number(digits);
}
