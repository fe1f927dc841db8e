import type { MethodRow } from "../model/contract.js";
import type { GeneratedFile, Model } from "../model/model.js";
import { docComment, header, literal } from "./text.js";

/** The Codex requests without which a method cannot do its work. */
const needsOf = ({ passThrough, codex = [], optional = [] }: MethodRow): string[] =>
  passThrough === undefined ? codex.filter((method) => !optional.includes(method)) : [passThrough.codex];

/**
 * `src/generated/contract/needs.ts`: what capabilities and methods need of Codex. What needs the capability `session`
 * alone is what a bridge is for: a Codex without it is refused at start.
 */
export const emitContractNeeds = (model: Model): GeneratedFile[] => {
  const rows = model.contract.methods.methods.filter(
    (row) => row.direction === "host-to-agent" && row.capability !== undefined && row.capability !== "session",
  );
  const { needs = {} } = model.contract.capabilities;
  const byCapability = new Map(Object.entries(needs).map(([path, methods]) => [path, new Set(methods)]));
  for (const row of rows) {
    const path = row.capability ?? "";
    byCapability.set(path, new Set([...(byCapability.get(path) ?? []), ...needsOf(row)]));
  }
  const capabilities = [...byCapability].map(([path, methods]) => ({ path: path.split("."), requests: [...methods] }));
  const methods = rows.map((row): [string, string[]] => [row.method, needsOf(row)]);
  const text = [
    header("schemas/contract/methods.json and capabilities.json"),
    docComment("What each capability, by its path in the advertised object, needs of Codex."),
    "export const capabilityNeeds: readonly {\n  readonly path: readonly string[];\n  readonly requests: readonly string[];\n}[] = ",
    `${literal(capabilities)};\n\n`,
    docComment("What each method of a capability, by its name on the wire, needs of Codex."),
    `export const methodNeeds: ReadonlyMap<string, readonly string[]> = new Map([\n`,
    ...methods.map(([method, requests]) => `  ${literal([method, requests], "  ")},\n`),
    "]);\n",
  ];
  return [{ path: "src/generated/contract/needs.ts", text: text.join("") }];
};
