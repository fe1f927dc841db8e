import type { MethodRow } from "../model/contract.js";
import type { GeneratedFile, Model } from "../model/model.js";
import { validationFile } from "./ajv/module.js";
import { resolveIn } from "./ajv/resolve.js";
import { paramsType, resultType } from "./contract-methods.js";
import { header, importType, memberName } from "./text.js";

const sources = "schemas/contract and schemas/acp/schema.unstable.json";

/**
 * `src/generated/contract/parsers.ts`: what the agent lets in. A parser for the params of every method a host can call,
 * and for what a host answers to each request of the agent's. The code under them is on the path of start-up, so nothing
 * else stands in it.
 */
export const emitParsers = (model: Model): GeneratedFile[] => {
  const { methods } = model.contract.methods;
  const served = methods.filter((row) => row.direction === "host-to-agent");
  const asked = methods.filter((row) => row.direction === "agent-to-host" && row.kind === "request");
  const names = [...served.map(paramsType), ...asked.map(resultType)];
  const table = (name: string, doc: string, rows: readonly MethodRow[], type: (row: MethodRow) => string): string => {
    const members = rows.map((row) => `  ${memberName(row.name)}: parser<${type(row)}>(code.${type(row)}),\n`);
    return `\n/** ${doc} */\nexport const ${name} = {\n${members.join("")}} as const;\n`;
  };
  const text = [
    header(sources),
    `import { parser } from "../../runtime/index.js";\n`,
    `import * as code from "./parsers-code.js";\n`,
    importType(names, "./types.js"),
    table("parsers", "The params of what a host asks and tells, by method.", served, paramsType),
    table("resultParsers", "What a host answers, by the agent's request.", asked, resultType),
  ];
  const resolve = resolveIn(model.contract.definitions);
  return [
    { path: "src/generated/contract/parsers.ts", text: text.join("") },
    validationFile("src/generated/contract/parsers-code.ts", sources, names, resolve),
  ];
};
