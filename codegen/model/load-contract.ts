import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../json.js";
import type { ErrataFile } from "./contract.js";
import type { Model } from "./model.js";

export type ContractFiles = Omit<Model["contract"], "definitions">;

export interface LoadedContract {
  readonly files: ContractFiles;
  readonly errata: ErrataFile;
  /** File name → content of the contract's `*.schema.json`, without the one that describes the data files. */
  readonly schemaFiles: ReadonlyMap<string, JsonObject>;
}

/** Reads the hand-written data files of the contract. */
export const loadContract = (folder: string): LoadedContract => {
  const read = <T>(name: string, empty: T): T => {
    const file = join(folder, name);
    return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : empty;
  };
  return {
    files: {
      methods: read("methods.json", { methods: [] }),
      errors: read("errors.json", { errors: [] }),
      capabilities: read("capabilities.json", { capabilities: {}, authMethods: [] }),
      tables: read("tables.json", {
        configOptions: [],
        toolCalls: [],
        permissions: [],
        stopReasons: [],
        slashCommands: [],
      }),
      meta: read("meta.json", { carriers: [], $defs: {} }),
      clauses: read("clauses.json", { areas: [], readings: [], rulings: [], clauses: [] }),
      codex: read("codex.json", { requests: [], serverRequests: [], notifications: [], items: [] }),
    },
    errata: read("errata.json", { errata: [] }),
    schemaFiles: new Map(
      readdirSync(folder)
        .filter((name) => name.endsWith(".schema.json") && name !== "contract.schema.json")
        .sort()
        .map((name) => [name, JSON.parse(readFileSync(join(folder, name), "utf8"))]),
    ),
  };
};
