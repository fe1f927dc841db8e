import type { ErrorRow } from "../model/contract.js";
import type { GeneratedFile, Model } from "../model/model.js";
import { camelCase } from "../model/names.js";
import { docComment, header, literal, memberName } from "./text.js";

const placeholder = /\{([A-Za-z]\w*)\}/g;

const alone = /^\{([A-Za-z]\w*)\}$/;

/** Parameter name → its type: what is put into text must print well, what stands alone in `data` may be anything. */
export const parameters = (row: ErrorRow): Map<string, string> => {
  const found = new Map<string, string>();
  const visit = (value: unknown): void => {
    if (typeof value === "string") {
      const whole = alone.exec(value)?.[1];
      if (whole !== undefined) {
        if (!found.has(whole)) found.set(whole, "unknown");
      } else
        for (const [, name] of value.matchAll(placeholder)) if (name !== undefined) found.set(name, "string | number");
    } else if (typeof value === "object" && value !== null) Object.values(value).forEach(visit);
  };
  visit(row.data);
  for (const [, name] of row.message.matchAll(placeholder)) if (name !== undefined) found.set(name, "string | number");
  return found;
};

/** Text with placeholders as a TypeScript expression. */
const template = (text: string): string => {
  if (text.search(placeholder) === -1) return JSON.stringify(text);
  const escaped = text.replace(/[\\`]|\$(?=\{)/g, "\\$&");
  return `\`${escaped.replace(placeholder, (_, name: string) => `\${values.${name}}`)}\``;
};

const dataExpression = (value: unknown): string => {
  if (typeof value === "string") {
    const whole = alone.exec(value)?.[1];
    return whole === undefined ? template(value) : `values.${whole}`;
  }
  if (Array.isArray(value)) return `[${value.map(dataExpression).join(", ")}]`;
  if (typeof value !== "object" || value === null) return literal(value);
  const members = Object.entries(value).map(([name, member]) => `${memberName(name)}: ${dataExpression(member)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
};

const describe = (row: ErrorRow): string => {
  const retry = row.retryable === undefined ? "" : ` Retryable: ${row.retryable ?? "unknown"}.`;
  return `${row.doc} Code ${row.code}.${retry}${row.clauses.length === 0 ? "" : ` (${row.clauses.join(", ")})`}`;
};

const errorConstructor = (row: ErrorRow): string => {
  const values = [...parameters(row)].map(([name, type]) => `${name}: ${type}`).join("; ");
  const options = `options?: ${row.nativeCode ? "NativeErrorOptions" : "ErrorOptions"}`;
  const signature = values === "" ? options : `values: { ${values} }, ${options}`;
  const code = row.nativeCode ? `options?.code ?? ${row.code}` : row.code;
  const data = row.data === undefined ? "undefined" : dataExpression(row.data);
  return [
    docComment(describe(row), "  "),
    `  ${camelCase(row.name)}: (${signature}): ContractError =>\n`,
    `    new ContractError(${JSON.stringify(row.name)}, ${code}, ${template(row.message)}, ${data}, options),\n`,
  ].join("");
};

/** `src/generated/contract/errors.ts`: a constructor for every error that a host can see. */
export const emitContractErrors = (model: Model): GeneratedFile[] => {
  const rows = model.contract.errors.errors;
  const native = rows.some((row) => row.nativeCode);
  const codes = rows.map((row) => `  ${memberName(row.name)}: ${row.code},\n`).join("");
  const text = [
    header("schemas/contract/errors.json"),
    `import { ContractError${native ? ", type NativeErrorOptions" : ""} } from "../../runtime/index.js";\n\n`,
    "/** JSON-RPC code by error name. */\n",
    `export const errorCodes = {\n${codes}} as const;\n\n`,
    "/** The `kind` of a ContractError. */\n",
    "export type ErrorName = keyof typeof errorCodes;\n\n",
    "/** One constructor for each error; the argument fills the placeholders of its message and data. */\n",
    `export const errors = {\n${rows.map(errorConstructor).join("")}} as const;\n`,
  ];
  return [{ path: "src/generated/contract/errors.ts", text: text.join("") }];
};
