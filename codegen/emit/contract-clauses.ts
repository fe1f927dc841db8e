import type { GeneratedFile, Model } from "../model/model.js";
import { header } from "./text.js";

const perLine = 8;

/** `src/generated/contract/clauses.ts`: the ids of all clauses, as a type alone, so that a test cannot name a wrong one. */
export const emitContractClauses = (model: Model): GeneratedFile[] => {
  const { areas, clauses } = model.contract.clauses;
  const lines = areas.flatMap(({ area }) => {
    const ids = clauses.filter((clause) => clause.area === area).map(({ id }) => JSON.stringify(id));
    const rows = Math.ceil(ids.length / perLine);
    return Array.from({ length: rows }, (_, row) => ids.slice(row * perLine, (row + 1) * perLine).join(" | "));
  });
  const union = lines.length === 0 ? " never" : lines.map((line) => `\n  | ${line}`).join("");
  return [
    {
      path: "src/generated/contract/clauses.ts",
      text: `${header("schemas/contract/clauses.json")}/** A clause of the contract. */\nexport type ClauseId =${union};\n`,
    },
  ];
};
