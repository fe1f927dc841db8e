import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../../..");

export interface Source {
  /** From the repository's root, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** Every TypeScript and JavaScript source below `folder`. */
export const sourcesUnder = (folder: string): Source[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.m?[jt]s$/.test(name))
    .map((name) => posix.join(folder, name.replaceAll("\\", "/")))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));

export const readData = (path: string): unknown => JSON.parse(readFileSync(join(root, path), "utf8"));

export interface Import {
  readonly from: string;
  /** A path below the root for a relative import, else what is written: `node:fs`, `ajv`. */
  readonly to: string;
  readonly typeOnly: boolean;
}

export const withoutComments = (text: string): string => text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");

const statement = /\b(import|export)\s+(type\s+)?([^"';]*?)\bfrom\s*"([^"]+)"/g;

const bare = /(?<![\w/.$"])import\s*(?:\(\s*)?"([^"\n]+)"/g;

/** `{ type A, type B }` names types alone. */
const namesTypesOnly = (clause: string): boolean => {
  const names = /^\{([^}]*)\}\s*$/
    .exec(clause.trim())?.[1]
    ?.split(",")
    .map((name) => name.trim());
  return names?.filter((name) => name !== "").every((name) => name.startsWith("type ")) ?? false;
};

/** What a source imports, re-exports or loads. */
export const importsOf = ({ path, text }: Source): Import[] => {
  const code = withoutComments(text);
  const target = (to: string): string => (to.startsWith(".") ? posix.join(dirname(path), to) : to);
  return [
    ...[...code.matchAll(statement)].map(([, , type, clause = "", to = ""]) => ({
      from: path,
      to: target(to),
      typeOnly: type !== undefined || namesTypesOnly(clause),
    })),
    ...[...code.matchAll(bare)].map(([, to = ""]) => ({ from: path, to: target(to), typeOnly: false })),
  ];
};
