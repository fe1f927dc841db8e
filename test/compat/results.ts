import { isObject } from "../../codegen/json.js";

/** A test that ran on a version. */
export interface TestResult {
  /** `turn`, of `test/real/turn.test.ts`. */
  readonly file: string;
  /** Without the version, which would tell the versions' rows apart. */
  readonly title: string;
  readonly passed: boolean;
  /** Why it failed, in a line. */
  readonly why: string;
}

/** What vitest's JSON reporter wrote. Throws when it is no report, or when a test file could not be run at all. */
export function readResults(report: unknown): TestResult[] {
  const files = isObject(report) ? report["testResults"] : undefined;
  if (!Array.isArray(files) || files.length === 0) throw new Error("there is no report of the tests");
  return files.filter(isObject).flatMap((file) => {
    const tests = Array.isArray(file["assertionResults"]) ? file["assertionResults"].filter(isObject) : [];
    const name = String(file["name"]).replace(/^.*\/(.*)\.test\.ts$/, "$1");
    if (tests.length === 0) throw new Error(`${name} could not be run: ${String(file["message"])}`);
    return tests.map((test): TestResult => {
      const messages = Array.isArray(test["failureMessages"]) ? test["failureMessages"] : [];
      const [first = ""] = String(messages[0] ?? "").split("\n");
      return {
        file: name,
        title: String(test["fullName"]).replaceAll(/Codex '?\d+\.\d+\.\d+'? /g, ""),
        passed: test["status"] === "passed",
        why: first,
      };
    });
  });
}
