import { describe, expect, test } from "vitest";
import { markdownReport } from "../../../src/drift/markdown.js";
import { type DriftReport, reportDrift } from "../../../src/drift/report.js";
import { terminalReport } from "../../../src/drift/terminal.js";
import { decisions, message, surface } from "./small.js";

const variant = (tag: string, properties: object) => ({
  type: "object",
  properties: { type: { type: "string", enum: [tag] }, ...properties },
  required: ["type"],
});

const items = (properties: object) => ({
  ThreadItem: { oneOf: ["a", "b", "c"].map((tag) => variant(tag, properties)) },
});

const answer = (text: string) => [{ probe: "resume", question: "Is *resume* refused?", answer: text }];

const report = (): DriftReport => {
  const received = { type: "object", properties: { item: { $ref: "#/definitions/ThreadItem" } } };
  const old = surface({ received, more: items({}), messages: [message("used/one"), message("used/gone")] });
  const now = surface({
    version: "2.0.0",
    received,
    more: items({ at: { type: "integer" } }),
    messages: [message("used/one"), message("new/one"), message("unused/more")],
  });
  return reportDrift(
    { surface: old, behaviour: { version: "1.0.0", answers: answer("no") } },
    { surface: now, behaviour: { version: "2.0.0", answers: answer("yes: `a|b`") } },
    decisions,
  );
};

describe("a report", () => {
  test("is plain JSON", () => {
    expect(JSON.parse(JSON.stringify(report()))).toEqual(report());
    expect(report()).toMatchObject({ protocol: "codex", old: "1.0.0", now: "2.0.0", breaking: true, unprobed: [] });
  });

  test("for the terminal", () => {
    expect(terminalReport(report(), (_, text) => text)).toBe(`Codex 1.0.0 → 2.0.0

behaves differently
  Is *resume* refused?
    was: no
    now: yes: \`a|b\`

breaks us (1)
  request removed: used/gone

new, undecided (1)
  request added: new/one

we use it (3)
  optional field added: ThreadItem(…).at  integer  received in used/one  (3 times)

not ours (1): listed with --all

1 breaks us; 1 new, undecided; 3 we use it; 1 not ours. Probes answered differently: 1.
`);
    expect(terminalReport(report(), (_, text) => text, true)).toContain("not ours (1)\n  request added: unused/more\n");
  });

  test("for a pull request", () => {
    expect(markdownReport(report())).toBe(`# Codex 1.0.0 → 2.0.0

1 breaks us; 1 new, undecided; 3 we use it; 1 not ours. Probes answered differently: 1.

## Behaves differently

- Is \\*resume\\* refused?
  - was: no
  - now: yes: \\\`a\\|b\\\`

## Breaks us (1)

- request removed: \`used/gone\`

## New, undecided (1)

- request added: \`new/one\`

## We use it (3)

- optional field added: \`ThreadItem(…).at\`, \`integer\`, received in used/one, 3 times

<details>
<summary>not ours (1)</summary>

- request added: \`unused/more\`

</details>
`);
  });

  test("says when a version was never probed", () => {
    const side = { surface: surface(), behaviour: null };
    const unprobed = reportDrift(side, { ...side, surface: surface({ version: "2.0.0" }) }, decisions);
    expect(unprobed).toMatchObject({ breaking: false, unprobed: ["1.0.0", "2.0.0"] });
    expect(markdownReport(unprobed)).toContain("Behaviour not compared: 1.0.0 and 2.0.0 was not probed.");
  });

  test("another answer to a probe breaks, though no schema changed", () => {
    const side = (text: string) => ({ surface: surface(), behaviour: { version: "1", answers: answer(text) } });
    expect(reportDrift(side("no"), side("no"), decisions).breaking).toBe(false);
    expect(reportDrift(side("no"), side("yes"), decisions).breaking).toBe(true);
    // A probe that the older version was never put to tells nothing.
    const unasked = { ...side("no"), behaviour: { version: "1", answers: [] } };
    expect(reportDrift(unasked, side("yes"), decisions).behaviour).toEqual([]);
  });
});
