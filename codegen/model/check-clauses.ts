import { repeated } from "./check.js";
import type { Model } from "./model.js";

export type ContractFiles = Omit<Model["contract"], "definitions">;

/** Faults of clauses.json, and clause ids that other files cite and it has not. */
export const clauseFaults = (files: ContractFiles): string[] => {
  const { areas, clauses, readings, rulings } = files.clauses;
  const ids = new Set(clauses.map((it) => it.id));
  const bending = new Set([...readings, ...rulings].map((it) => it.id));
  const all = [...clauses, ...readings, ...rulings].map((it) => it.id);
  return [
    ...repeated(all).map((id) => `clauses.json: ${id} stands there twice`),
    ...clauses
      .filter((it) => !areas.some(({ area }) => area === it.area))
      .map((it) => `clauses.json: ${it.id} is of an area that is not listed, ${it.area}`),
    ...clauses.flatMap((it) =>
      (it.rulings ?? [])
        .filter((text) => !bending.has(text.split(":")[0] ?? ""))
        .map((text) => `clauses.json: ${it.id} cites ${text}, which is neither a reading nor a ruling`),
    ),
    ...citations(files).flatMap(([where, cited]) =>
      cited.filter((id) => !ids.has(id)).map((id) => `${where} cites ${id}, which clauses.json does not have`),
    ),
  ];
};

/** Where clauses are cited, and which. */
const citations = (files: ContractFiles): [string, readonly string[]][] => {
  const { tables, codex } = files;
  return [
    ...files.methods.methods.map((it) => cite("methods.json", it.method, it.clauses)),
    ...files.errors.errors.map((it) => cite("errors.json", it.name, it.clauses)),
    ...files.capabilities.authMethods.map((it) => cite("capabilities.json", it.methodId, it.clauses)),
    ...files.meta.carriers.flatMap(({ carrier, namespaces }) =>
      Object.values(namespaces)
        .flatMap((keys) => Object.entries(keys))
        .map(([key, it]) => cite("meta.json", `${carrier}, ${key}`, it.clauses)),
    ),
    ...tables.configOptions.map((it) => cite("tables.json", it.configId, it.clauses)),
    ...tables.toolCalls.map((it) => cite("tables.json", it.name, it.clauses)),
    ...tables.permissions.map((it) => cite("tables.json", it.request, it.clauses)),
    ...tables.stopReasons.map((it) => cite("tables.json", it.stopReason, it.clauses)),
    ...tables.slashCommands.map((it) => cite("tables.json", it.name, it.clauses)),
    ...tables.envelopes.map((it) => cite("tables.json", it.name, it.clauses)),
    ...codex.serverRequests.map((it) => cite("codex.json", it.method, it.clauses)),
    ...codex.notifications.map((it) => cite("codex.json", it.method, it.clauses)),
    ...codex.items.map((it) => cite("codex.json", it.type, it.clauses)),
  ];
};

const cite = (file: string, row: string, clauses: readonly string[]): [string, readonly string[]] => [
  `${file}: ${row}`,
  clauses,
];
