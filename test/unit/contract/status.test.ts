import { describe, expect, test } from "vitest";
import type { ClauseRow, ClausesFile } from "../../../codegen/model/contract.js";
import { openList, statusTable } from "../../../codegen/status/print.js";
import type { Scan } from "../../../codegen/status/scan.js";
import { contractStatus } from "../../../codegen/status/status.js";

const row = (id: string, status: ClauseRow["status"], needs: ClauseRow["needs"] = "acp-only"): ClauseRow => ({
  id,
  area: id.slice(0, id.indexOf("-")),
  level: "MUST",
  text: `Text of ${id}.`,
  shows: "A frame.",
  needs,
  status,
});

const file = (...clauses: ClauseRow[]): ClausesFile => ({
  areas: [
    { area: "INIT", subject: "handshake" },
    { area: "AUTH", subject: "sign-in" },
  ],
  readings: [],
  rulings: [],
  clauses,
});

const scan = (namedIn: { [id: string]: string[] }, files = 1): Scan => ({
  files,
  namedIn: new Map(Object.entries(namedIn)),
});

const problems = (clause: ClauseRow, named: string[]): readonly string[] =>
  contractStatus(file(clause), scan(named.length === 0 ? {} : { [clause.id]: named })).problems;

describe("problems", () => {
  test("none where status and tests agree", () => {
    expect(problems(row("INIT-01", "open"), [])).toEqual([]);
    expect(problems(row("INIT-01", "host-duty"), [])).toEqual([]);
    expect(problems(row("INIT-01", "host-duty"), ["test/unit/a.test.ts"])).toEqual([]);
    expect(problems(row("INIT-01", "implemented"), ["test/unit/a.test.ts"])).toEqual([]);
    expect(problems(row("INIT-01", "implemented", "scripted-codex"), ["test/scripted/a.test.ts"])).toEqual([]);
    expect(problems(row("INIT-01", "implemented", "real-codex"), ["test/real/a.test.ts"])).toEqual([]);
  });

  test("an implemented clause that no test names", () => {
    expect(problems(row("INIT-01", "implemented"), [])).toEqual(["INIT-01 is implemented, but no test names it."]);
  });

  test("a clause that needs the real Codex and is shown without it", () => {
    expect(problems(row("INIT-01", "implemented", "real-codex"), ["test/scripted/a.test.ts"])).toEqual([
      "INIT-01 needs the real Codex, but no test under test/real/ names it (only test/scripted/a.test.ts).",
    ]);
  });

  test.each(["open", "withdrawn"] as const)("an %s clause that a test names", (status) => {
    expect(problems(row("INIT-01", status), ["test/unit/a.test.ts"])).toEqual([
      `INIT-01 is ${status}, but test/unit/a.test.ts names it.`,
    ]);
  });

  test("an id that the contract does not have", () => {
    const status = contractStatus(file(row("INIT-01", "open")), scan({ "INIT-99": ["test/unit/a.test.ts"] }));
    expect(status.problems).toEqual(["INIT-99 is no clause of the contract, but test/unit/a.test.ts names it."]);
  });

  test("a scan that found no test file", () => {
    expect(contractStatus(file(), scan({}, 0)).problems).toEqual(["No test file was found."]);
  });
});

describe("counts", () => {
  const status = contractStatus(
    file(
      row("INIT-01", "implemented"),
      row("INIT-02", "implemented", "real-codex"),
      row("INIT-03", "open"),
      row("AUTH-01", "host-duty"),
      row("AUTH-02", "withdrawn"),
    ),
    scan({ "INIT-01": ["test/unit/a.test.ts"], "INIT-02": ["test/unit/a.test.ts"] }),
  );

  test("per area and in total; a clause counts as shown only by a test that can show it", () => {
    const zero = { clauses: 0, implemented: 0, shown: 0, open: 0, hostDuty: 0, withdrawn: 0 };
    expect(status.areas).toEqual([
      { ...zero, area: "INIT", subject: "handshake", clauses: 3, implemented: 2, shown: 1, open: 1 },
      { ...zero, area: "AUTH", subject: "sign-in", clauses: 2, hostDuty: 1, withdrawn: 1 },
    ]);
    expect(status.total).toEqual({
      ...{ area: "Total", subject: "", clauses: 5, implemented: 2, shown: 1, open: 1, hostDuty: 1, withdrawn: 1 },
    });
  });

  test("print as a table whose columns line up", () => {
    expect(statusTable(status).split("\n")).toEqual([
      "Area   Clauses  Implemented  Shown by a test  Open  Host duty  Withdrawn  Subject",
      "-----  -------  -----------  ---------------  ----  ---------  ---------  ---------",
      "INIT         3            2                1     1          0          0  handshake",
      "AUTH         2            0                0     0          1          1  sign-in",
      "-----  -------  -----------  ---------------  ----  ---------  ---------  ---------",
      "Total        5            2                1     1          1          1",
    ]);
  });

  test("list the open clauses", () => {
    expect(openList(status)).toBe("INIT-03  MUST  acp-only  Text of INIT-03.");
  });
});
