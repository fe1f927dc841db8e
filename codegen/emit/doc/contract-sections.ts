import type { ErrorRow } from "../../model/contract.js";
import { metaTypeName } from "../../model/meta.js";
import type { Model } from "../../model/model.js";
import { anchor, code, heading, json, table, tableOr } from "./markdown.js";
import { yesNo } from "./methods.js";
import { schemaTable, typeText } from "./schema-table.js";

/** `_meta` keys, one table per carrier. */
export const metaSections = (model: Model): string =>
  model.contract.meta.carriers
    .map((carrier) => {
      const type = metaTypeName(carrier.carrier);
      const properties = model.contract.definitions.get(type)?.["properties"] as
        | { [namespace: string]: { properties?: { [key: string]: { [keyword: string]: unknown } } } }
        | undefined;
      const rows = Object.entries(carrier.namespaces).flatMap(([namespace, keys]) =>
        Object.entries(keys).map(([name, key]) => [
          code(`${namespace}.${name}`),
          typeText(model, properties?.[namespace]?.properties?.[name] ?? key.schema),
          yesNo(key.implemented),
          key.doc,
          key.clauses.join(", "),
        ]),
      );
      const sender = carrier.direction === "host-to-agent" ? "Set by the host." : "Set by the agent.";
      return [
        heading(3, carrier.carrier, anchor("meta", type)),
        `${sender}\n\n`,
        tableOr("No keys.", ["Key", "Type", "Implemented", "Meaning", "Clauses"], rows),
      ].join("");
    })
    .join("");

export const capabilitySection = (model: Model): string => {
  const { capabilities, authMethods } = model.contract.capabilities;
  const when = {
    always: "always",
    browser: "unless `NO_BROWSER` is set",
    "url-elicitation": "to clients that declare `elicitation.url`",
  } as const;
  return [
    "`initialize` answers with this object as `capabilities`:\n\n",
    `\`\`\`json\n${JSON.stringify(capabilities, null, 2)}\n\`\`\`\n\n`,
    'The sign-in methods, in the order of `authMethods`; each has `type: "agent"`:\n\n',
    table(
      ["`methodId`", "Name", "Offered", "Meaning", "Clauses"],
      authMethods.map((row) => [code(row.methodId), row.name, when[row.when], row.description, row.clauses.join(", ")]),
    ),
  ].join("");
};

const retryable = (row: ErrorRow): string => {
  if (row.retryable === undefined) return "";
  if (row.retryable === null) return "unknown";
  return row.retryable ? "yes" : "no";
};

export const errorSection = (model: Model): string =>
  table(
    ["Error", "Code", "Message", "`data`", "Retry", "When", "Clauses"],
    model.contract.errors.errors.map((row) => [
      `<a id="${anchor("error", row.name)}"></a>${code(row.name)}`,
      row.nativeCode ? `Codex's own, else ${row.code}` : String(row.code),
      code(row.message),
      row.data === undefined ? "" : json(row.data),
      retryable(row),
      row.doc,
      row.clauses.join(", "),
    ]),
  );

/** The contract's own types that the methods refer to. */
export const typeSections = (model: Model, names: readonly string[]): string =>
  names
    .map((name) => {
      const schema = model.contract.definitions.get(name) ?? {};
      const text = typeof schema["description"] === "string" ? `${schema["description"]}\n\n` : "";
      return `${heading(3, code(name), anchor("type", name))}${text}${schemaTable(model, schema)}`;
    })
    .join("");
