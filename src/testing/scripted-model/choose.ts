import type { ModelScript, Part, Step } from "./steps.js";

/** The script and step that a request's `input` asks for. */
export interface Choice {
  /** Null when no script matched. */
  readonly key: string | null;
  /** Tool outputs after the user message that chose the script: the index into its steps. */
  readonly step: number;
  readonly parts: readonly Part[];
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function textOf(item: Record<string, unknown>): string {
  const { content } = item;
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((part: unknown) => (isRecord(part) && typeof part["text"] === "string" ? part["text"] : ""))
    .join("\n");
}

const isOutput = (item: unknown): boolean => isRecord(item) && String(item["type"]).endsWith("_output");

const partsOf = (step: Step): readonly Part[] => ("kind" in step ? [step] : step);

/**
 * Looks from the newest user message back for one that holds a script's key. The answer depends on the request alone,
 * so a retry, which repeats its input, gets the same step again.
 */
export function chooseStep(scripts: readonly ModelScript[], input: readonly unknown[]): Choice {
  const keyed = scripts.filter(({ key }) => key !== "");
  const users = input.flatMap((item, index) =>
    isRecord(item) && item["role"] === "user" ? [{ index, text: textOf(item) }] : [],
  );
  const found = users.reverse().flatMap(({ index, text }) => {
    const script = keyed.find(({ key }) => text.includes(key));
    return script === undefined ? [] : [{ index, script }];
  })[0];
  const fallback = scripts.find(({ key }) => key === "");
  const script = found?.script ?? fallback;
  const from = found?.index ?? users[0]?.index ?? -1;
  const step = input.slice(from + 1).filter(isOutput).length;
  const chosen = script?.steps[step];
  const key = script?.key ?? null;
  if (chosen !== undefined) return { key, step, parts: partsOf(chosen) };
  const text = script === undefined ? "No script fits this prompt." : `The script "${key}" has no step ${step}.`;
  return { key, step, parts: [{ kind: "message", text, deltas: null }] };
}
