import type { GeneratedFile } from "../../model/model.js";
import { refTo } from "../../model/names.js";
import { header } from "../text.js";
import { type Resolve, standaloneModule } from "./standalone.js";

/**
 * A file with a validation function for each definition, exported under the definition's name. The code is ajv's own
 * and not for reading; it is left out of type checks, and typed where it is used.
 */
export const validationFile = (
  path: string,
  sources: string,
  definitions: Iterable<string>,
  resolve: Resolve,
): GeneratedFile => {
  const names = [...new Set(definitions)].sort();
  const code = standaloneModule(new Map(names.map((name) => [name, refTo(name).$ref])), resolve);
  const up = "../".repeat(path.split("/").length - 2);
  const helpers = ["equalJson", "ucs2length"].filter((name) => code.includes(` = ${name};`));
  const imports = helpers.length === 0 ? "" : `import { ${helpers.join(", ")} } from "${up}runtime/index.js";\n\n`;
  return { path, text: `${header(sources).trimEnd()}\n// @ts-nocheck\n\n${imports}${code.trimEnd()}\n` };
};
