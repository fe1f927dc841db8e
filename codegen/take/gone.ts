import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isObject, type JsonObject, printTidyJson } from "../json.js";
import { readJson } from "../model/load.js";

/** The lists of codex.json, the captured lists they decide about, and what marks a row whose loss nobody feels. */
const lists = [
  { list: "requests", mark: "use", unused: "unused" },
  { list: "serverRequests", mark: "disposition", unused: "refuse" },
  { list: "notifications", mark: "disposition", unused: "drop" },
] as const;

/**
 * Takes out of codex.json what it decides about methods that are gone and that the bridge made no use of: there is
 * nothing left to decide. A row in use stays, and stops the generation. Returns the methods.
 */
export function dropGone(root: string): string[] {
  const file = join(root, "schemas/contract/codex.json");
  const decided = readJson(file);
  const captured = readJson(join(root, "schemas/codex/methods.json"));
  const gone = lists.flatMap(({ list, mark, unused }) => {
    const methods = new Set(rowsOf(captured, list).map(({ method }) => method));
    const lost = rowsOf(decided, list).filter((row) => row[mark] === unused && !methods.has(row["method"]));
    decided[list] = rowsOf(decided, list).filter((row) => !lost.includes(row));
    return lost.map(({ method }) => String(method));
  });
  const text = printTidyJson(decided);
  if (gone.length > 0 && text !== readFileSync(file, "utf8")) writeFileSync(file, text);
  return gone;
}

const rowsOf = (file: JsonObject, list: string): JsonObject[] => {
  const rows = file[list];
  if (!Array.isArray(rows)) throw new Error(`there is no list "${list}"`);
  return rows.filter(isObject);
};
