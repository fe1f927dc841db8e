import { encodeXML } from "entities";
import type { CaseResult, Report } from "./result.js";
import { entryLine } from "./terminal.js";

/** XML knows no control characters but these three, however they are written. */
const text = (value: string): string =>
  encodeXML([...value].filter((one) => one >= " " || one === "\n" || one === "\t" || one === "\r").join(""));

const attributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${text(String(value))}"`)
    .join("");

const element = (name: string, values: Readonly<Record<string, string | number>>, inside: string): string =>
  inside === "" ? `<${name}${attributes(values)}/>` : `<${name}${attributes(values)}>${inside}</${name}>`;

const inSeconds = (ms: number): string => (ms / 1000).toFixed(3);

function outcome({ status, expected, reason, fault, entries, level }: CaseResult): string {
  if (status === "skipped") return element("skipped", { message: reason ?? "" }, "");
  if (fault === null) return "";
  const message = fault.message;
  // The runner's own lists and levels decide what fails a run; this form knows only yes and no.
  if (status === "warned" || (expected !== null && status === "failed")) {
    return element("skipped", { message: `${expected?.reason ?? `breaks a ${level}`}: ${message}` }, "");
  }
  const details = [...fault.differences, "", ...entries.slice(-40).map(entryLine)].join("\n");
  return element(status === "broken" ? "error" : "failure", { message, type: fault.expected }, text(details));
}

/** JUnit XML: a suite for each area, as continuous integration reads it. */
export function junitText({ suite, results, subject, startedAt, ms, totals }: Report): string {
  const areas = [...new Set(results.map(({ area }) => area))];
  const failing = (one: CaseResult): boolean => one.status === "failed" && one.expected === null;
  const suites = areas.map((area) => {
    const own = results.filter((one) => one.area === area);
    const counts = {
      name: area,
      tests: own.length,
      failures: own.filter(failing).length,
      errors: own.filter(({ status }) => status === "broken").length,
      skipped: own.filter((one) => outcome(one).startsWith("<skipped")).length,
      time: inSeconds(own.reduce((sum, one) => sum + one.ms, 0)),
      timestamp: startedAt,
    };
    const cases = own.map((one) =>
      element(
        "testcase",
        {
          name: `${one.name} (${one.clauses.join(", ")})`,
          classname: `${suite.name}.${area}`,
          time: inSeconds(one.ms),
        },
        outcome(one),
      ),
    );
    return element("testsuite", counts, `\n${cases.join("\n")}\n`);
  });
  const head = {
    name: `${subject.name} ${subject.version}`,
    tests: results.length,
    failures: results.filter(failing).length,
    errors: totals.broken,
    time: inSeconds(ms),
  };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element("testsuites", head, `\n${suites.join("\n")}\n`)}\n`;
}
