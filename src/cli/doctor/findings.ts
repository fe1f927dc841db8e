import type { Paint } from "../paint.js";

/** What one check found. Only `fail` keeps the agent from working. */
export interface Finding {
  /** What was looked at, in a word or two: `Codex binary`. */
  readonly check: string;
  readonly level: "ok" | "warn" | "fail";
  readonly message: string;
  /** What to do about it. */
  readonly advice?: string;
}

export const ok = (check: string, message: string): Finding => ({ check, level: "ok", message });

export const warn = (check: string, message: string, advice?: string): Finding => ({
  check,
  level: "warn",
  message,
  ...(advice === undefined ? {} : { advice }),
});

export const fail = (check: string, message: string, advice: string): Finding => ({
  check,
  level: "fail",
  message,
  advice,
});

const colours = { ok: "green", warn: "yellow", fail: "red" } as const;

/** One line per finding, one more for what to do. */
export const printFinding = ({ check, level, message, advice }: Finding, paint: Paint): string =>
  [
    `${paint(["bold", colours[level]], level.padEnd(4))}  ${check.padEnd(14)}  ${message}`,
    ...(advice === undefined ? [] : [`${" ".repeat(22)}${paint("dim", `-> ${advice}`)}`]),
  ].join("\n");
