/** What works otherwise, or not, on some versions of Codex, and why; shown by tests that fail there, and must. */
export interface Limit {
  /** First and last version, among those that are tested, that it holds for. */
  readonly from: string;
  readonly to: string;
  readonly what: string;
  readonly why: string;
  /** `file: title` of the tests that fail. */
  readonly tests: readonly string[];
}

export const limits: readonly Limit[] = [];
