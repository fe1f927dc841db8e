// Prints `N passed, N failed` from the report that `npm test` wrote, as the last line of `.ci/run`.
import { readFile } from "node:fs/promises";

const report = JSON.parse(await readFile(new URL("../.tmp/test-report.json", import.meta.url), "utf8"));
// A file that fails to load, or whose hooks fail, has no failed test of its own: it counts as one.
const brokenFiles = report.testResults.filter(
  ({ status, assertionResults }) => status === "failed" && !assertionResults.some((test) => test.status === "failed"),
);
const failed = report.numFailedTests + brokenFiles.length;
process.stdout.write(`${report.numPassedTests} passed, ${failed} failed\n`);
process.exitCode = report.success && failed === 0 ? 0 : 1;
