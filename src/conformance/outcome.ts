import type { Party } from "../testing/frames.js";
import type { Mismatch } from "./pattern.js";

/** Who is to blame when a case does not pass: whoever is under test, what stands between it and the suite, the suite. */
export type Blame = "tested" | "driver" | "suite";

/** Why a case did not pass. Thrown by a step, or made when the case is judged. */
export class CaseFault extends Error {
  override readonly name = "CaseFault";
  readonly blame: Blame;
  readonly expected: string;
  /** What of the frame that comes nearest is not as it should be. */
  readonly mismatches: readonly Mismatch[];
  /** The log's entry that it is about. */
  readonly seq: number | null;

  constructor(options: {
    readonly blame?: Blame;
    readonly message: string;
    readonly expected?: string;
    readonly mismatches?: readonly Mismatch[];
    readonly seq?: number;
    readonly cause?: unknown;
  }) {
    super(options.message, { cause: options.cause });
    this.blame = options.blame ?? "tested";
    this.expected = options.expected ?? options.message;
    this.mismatches = options.mismatches ?? [];
    this.seq = options.seq ?? null;
  }
}

/** What is under test could not be started, or does not speak as it must. */
export class NotStarted extends Error {
  override readonly name = "NotStarted";

  /** `what`: for people, as `agent`. */
  constructor(what: string, why: string) {
    super(`the ${what} could not be started: ${why}`);
  }
}

/** For people: a bridge is an agent to all others. */
export const partyName = (party: Party): string => (party === "bridge" ? "agent" : party);

const cut = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text);

/** One line for a difference. */
export const describeMismatch = ({ path, expected, got }: Mismatch): string =>
  `at ${path === "" ? "its root" : path}: expected ${cut(expected)}, got ${got === undefined ? "nothing" : cut(JSON.stringify(got))}`;
