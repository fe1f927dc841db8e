import { writeSync } from "node:fs";

const sleeper = new Int32Array(new SharedArrayBuffer(4));

/** Writes to stdout and waits for the reader, as Codex's own writes do. */
export function write(text: string): void {
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length; ) {
    try {
      from += writeSync(1, bytes, from);
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : "";
      // The agent is gone, and with it whoever would want the rest.
      if (code === "EPIPE") process.exit(0);
      if (code !== "EAGAIN") throw error;
      Atomics.wait(sleeper, 0, 0, 1);
    }
  }
}

export const line = (frame: object): string => `${JSON.stringify(frame)}\n`;

/** Bytes gathered before they are written: what Codex's own pipe holds. */
const block = 32 * 1024;

/** `count` frames as fast as the reader takes them; other turns of this process go on in between. */
export async function emitMany(count: number, frame: (index: number) => string): Promise<void> {
  let gathered = "";
  for (let index = 0; index < count; index++) {
    gathered += frame(index);
    if (gathered.length < block) continue;
    write(gathered);
    gathered = "";
    await new Promise(setImmediate);
  }
  write(gathered);
}

/** `count` frames at `rate` per second. */
export async function emitAtRate(count: number, rate: number, frame: () => string): Promise<void> {
  const start = performance.now();
  for (let index = 0; index < count; index++) {
    const wait = start + (index * 1000) / rate - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    write(frame());
  }
}

/** Calls `take` with each message on stdin; ends the process with it. */
export function listen(take: (message: { id?: unknown; method?: string; params?: never }) => void): void {
  let rest = "";
  process.stdin.setEncoding("utf8");
  process.stdin.on("data", (text) => {
    const lines = (rest + String(text)).split("\n");
    rest = lines.pop() ?? "";
    for (const it of lines) if (it.trim() !== "") take(JSON.parse(it));
  });
  process.stdin.on("end", () => process.exit(0));
}
