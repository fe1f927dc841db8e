// The licences of the packages whose code is in the bundle: theirs ask that the text goes with the code.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** The text for `dist/LICENSES.txt`; throws for a package without a licence file. */
export async function licencesOf(inputs, root) {
  const folders = new Set(inputs.flatMap((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? []));
  const texts = await Promise.all([...folders].sort().map((folder) => licenceOf(join(root, folder))));
  return `Packages whose code is in this bundle.\n\n${texts.join("\n")}`;
}

async function licenceOf(folder) {
  const { name, version, license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e(\.\w+)?$/i.test(entry));
  if (!file) throw new Error(`${name} ${version} (${license}) has no licence file`);
  const text = await readFile(join(folder, file), "utf8");
  return `${"=".repeat(80)}\n${name} ${version} (${license})\n\n${text.trim()}\n`;
}
