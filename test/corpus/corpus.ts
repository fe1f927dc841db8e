/**
 * The corpus: `<TypeName>/valid/*.json` hold values of a type; `<TypeName>/invalid/*.json` hold a value that is off its
 * schema, with the path of the fault and what is expected there. A folder's name is a definition of the contract that has
 * a parser.
 */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL(".", import.meta.url));

export interface ValidCase {
  readonly type: string;
  readonly name: string;
  readonly value: unknown;
}

export interface InvalidCase extends ValidCase {
  readonly path: string;
  readonly expected: string;
}

const folders = (path: string): string[] =>
  readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();

/** Names of the types that have a folder. */
export const typeNames: readonly string[] = folders(root);

const files = (kind: "valid" | "invalid"): { type: string; name: string; json: unknown }[] =>
  typeNames
    .filter((type) => folders(join(root, type)).includes(kind))
    .flatMap((type) =>
      readdirSync(join(root, type, kind))
        .sort()
        .map((file) => ({
          type,
          name: `${type}/${kind}/${file}`,
          json: JSON.parse(readFileSync(join(root, type, kind, file), "utf8")),
        })),
    );

export const validCases: readonly ValidCase[] = files("valid").map(({ type, name, json }) => ({
  type,
  name,
  value: json,
}));

export const invalidCases: readonly InvalidCase[] = files("invalid").map(({ type, name, json }) => {
  const isCase = (it: unknown): it is { path: string; expected: string; value: unknown } =>
    typeof it === "object" && it !== null && "path" in it && "expected" in it && "value" in it;
  if (!isCase(json)) throw new Error(`${name} needs path, expected and value`);
  return { type, name, ...json };
});
