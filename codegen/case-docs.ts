import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The suites' case files below `folder`, in the order of their names: those of its JSON files that hold cases. */
export const caseFilesIn = <F extends { readonly cases: readonly unknown[] }>(folder: string): F[] =>
  readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const content = JSON.parse(readFileSync(join(folder, name), "utf8")) as Partial<F>;
      return content.cases === undefined ? [] : [content as F];
    });

/** `doc`, the text at `path`, with `table` between the two lines that mark its place. Throws where they are not there. */
export function withTable(path: string, doc: string, name: string, source: string, table: string): string {
  const begin = `<!-- ${name}: generated from ${source} by \`npm run generate\` -->`;
  const end = `<!-- end of ${name} -->`;
  const from = doc.indexOf(begin);
  const to = doc.indexOf(end);
  if (from < 0 || to < from) throw new Error(`${path} must have the lines\n${begin}\n${end}`);
  return `${doc.slice(0, from)}${begin}\n\n${table}\n\n${doc.slice(to)}`;
}
