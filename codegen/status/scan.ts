import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Clause id → the test files that name it, as paths from the repository's root. */
export interface Scan {
  readonly files: number;
  readonly namedIn: ReadonlyMap<string, readonly string[]>;
}

// Comments and strings are tokens of their own, so that neither a disabled test nor a quoted one counts.
const token =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|(?<![.\w$])clause\s*\(/g;

const idList = /\s*\[((?:\s*"[A-Z]+-\d\d"\s*,?)+)\s*\]/y;

/** The clauses that the `clause([…], …)` calls in a test's text name. Throws where a call does not list them in place. */
export const clausesNamed = (text: string): string[] =>
  [...text.matchAll(token)]
    .filter(([found]) => found.startsWith("clause"))
    .flatMap((call) => {
      idList.lastIndex = call.index + call[0].length;
      const list = idList.exec(text)?.[1];
      if (list === undefined) {
        const line = text.slice(0, call.index).split("\n").length;
        throw new Error(`line ${line}: the first argument of clause() must be a plain list of clause ids`);
      }
      return [...list.matchAll(/[A-Z]+-\d\d/g)].map(([id]) => id);
    });

/** Reads every `*.test.ts` under `root/test`. */
export const scanTests = (root: string): Scan => {
  const files = readdirSync(join(root, "test"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".test.ts"))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const namedIn = new Map<string, string[]>();
  for (const file of files) {
    const path = file.slice(join(root, "/").length).replaceAll("\\", "/");
    for (const id of named(file, path)) namedIn.set(id, [...(namedIn.get(id) ?? []), path]);
  }
  return { files: files.length, namedIn };
};

const named = (file: string, path: string): Set<string> => {
  try {
    return new Set(clausesNamed(readFileSync(file, "utf8")));
  } catch (error) {
    throw new Error(`${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
};
