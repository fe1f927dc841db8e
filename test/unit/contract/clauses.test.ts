import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { emitContractClauses } from "../../../codegen/emit/contract-clauses.js";
import { loadModel } from "../../../codegen/model/load.js";

const model = loadModel(join(import.meta.dirname, "../../.."));
const { areas, clauses, readings, rulings } = model.contract.clauses;
const ids = new Set(clauses.map(({ id }) => id));

/** Every clause id in the list `clauses` of any object below. */
const cited = (value: unknown): string[] => {
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(cited);
  return Object.entries(value).flatMap(([key, member]) =>
    key === "clauses" && Array.isArray(member) ? member.map(String) : cited(member),
  );
};

describe("clauses", () => {
  test("are numbered without holes in each area, since ids are never given anew", () => {
    for (const { area } of areas) {
      const found = clauses.filter((clause) => clause.area === area).map(({ id }) => id);
      expect(found).toEqual(found.map((_, index) => `${area}-${String(index + 1).padStart(2, "0")}`));
      expect(found.length, area).toBeGreaterThan(0);
    }
    expect(clauses.filter(({ area }) => !areas.some((it) => it.area === area))).toEqual([]);
    expect(clauses.length).toBeGreaterThanOrEqual(546);
  });

  test("that other files of the contract cite exist", () => {
    const { methods, errors, capabilities, tables, meta, codex } = model.contract;
    const named = cited([methods.methods, errors, capabilities, tables, meta, codex]);
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((id) => !ids.has(id))).toEqual([]);
  });

  test("cite readings and rulings that exist", () => {
    const known = new Set([...readings, ...rulings].map(({ id }) => id));
    expect(known.size).toBe(readings.length + rulings.length);
    const unknown = clauses.flatMap(({ id, rulings: bent }) =>
      (bent ?? []).filter((it) => !known.has(it.slice(0, 4))).map((it) => `${id}: ${it}`),
    );
    expect(unknown).toEqual([]);
  });

  test("say what a ruling changes", () => {
    const bare = clauses.flatMap(({ id, rulings: bent }) =>
      (bent ?? []).filter((it) => !/^(A-\d\d|[RD]-\d\d: \S.*)$/.test(it)).map((it) => `${id}: ${it}`),
    );
    expect(bare).toEqual([]);
  });
});

test("the generated type names every clause", () => {
  const [file] = emitContractClauses(model);
  const named = [...(file?.text ?? "").matchAll(/"([A-Z]+-\d\d)"/g)].map(([, id]) => id);
  expect(named.sort()).toEqual([...ids].sort());
});
