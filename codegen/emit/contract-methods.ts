import type { MethodRow } from "../model/contract.js";
import type { GeneratedFile, Model } from "../model/model.js";
import { pascalCase } from "../model/names.js";
import { docComment, header, importType, memberName } from "./text.js";

export const paramsType = (row: MethodRow): string => `${pascalCase(row.name)}Params`;

/** The type of what a method answers; a notification answers nothing. */
export const resultType = (row: MethodRow): string => (row.result === null ? "void" : `${pascalCase(row.name)}Result`);

const descriptor = (row: MethodRow): string => {
  const types = row.kind === "request" ? `${paramsType(row)}, ${resultType(row)}` : paramsType(row);
  return `${docComment(row.doc, "  ")}  ${memberName(row.name)}: ${row.kind}<${types}>(${JSON.stringify(row.method)}),\n`;
};

/** `src/generated/contract/methods.ts`: a descriptor for every method of the contract, by side and kind. */
export const emitContractMethods = (model: Model): GeneratedFile[] => {
  const { methods } = model.contract.methods;
  const table = (name: string, doc: string, direction: MethodRow["direction"], kind: MethodRow["kind"]): string => {
    const rows = methods.filter((row) => row.direction === direction && row.kind === kind);
    return `\n/** ${doc} */\nexport const ${name} = {\n${rows.map(descriptor).join("")}} as const;\n`;
  };
  const types = methods.flatMap((row) =>
    row.result === null ? [paramsType(row)] : [paramsType(row), resultType(row)],
  );
  const text = [
    header("schemas/contract/methods.json"),
    `import { notification, request } from "../../runtime/index.js";\n`,
    importType(types, "./types.js"),
    table("hostRequests", "What a host asks of the agent.", "host-to-agent", "request"),
    table("hostNotifications", "What a host tells the agent.", "host-to-agent", "notification"),
    table("agentRequests", "What the agent asks of the host.", "agent-to-host", "request"),
    table("agentNotifications", "What the agent tells the host.", "agent-to-host", "notification"),
  ];
  return [{ path: "src/generated/contract/methods.ts", text: text.join("") }];
};
