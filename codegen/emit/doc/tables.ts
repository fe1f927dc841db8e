import type { Model } from "../../model/model.js";
import { anchor, code, heading, json, table, tableOr } from "./markdown.js";
import { yesNo } from "./methods.js";

export const configOptionSections = (model: Model): string =>
  model.contract.tables.configOptions
    .map((row) => {
      const values = row.values ?? [];
      return [
        heading(3, code(row.configId), anchor("config", row.configId)),
        `${row.name}: ${row.description} Type \`${row.type}\`, category \`${row.category}\`. Offered: ${row.when}`,
        row.when.endsWith(".") ? "" : ".",
        row.clauses.length === 0 ? "\n\n" : ` (${row.clauses.join(", ")})\n\n`,
        tableOr(
          row.type === "boolean" ? "Takes `true` or `false`." : "Codex supplies the values.",
          ["Value", "Name", "Meaning", "Sent to Codex"],
          values.map((value) => [
            code(value.value),
            value.name,
            value.description,
            value.codex === undefined ? "" : json(value.codex),
          ]),
        ),
      ].join("");
    })
    .join("");

export const toolCallSection = (model: Model): string =>
  table(
    ["Name", "Kind", "From Codex's", "When", "Content", "Clauses"],
    model.contract.tables.toolCalls.map((row) => [
      code(row.name),
      code(row.kind),
      code(row.codex),
      row.when ?? "",
      row.content,
      row.clauses.join(", "),
    ]),
  );

export const permissionSections = (model: Model): string =>
  model.contract.tables.permissions
    .map((row) =>
      [
        heading(3, row.title, anchor("permission", row.request, row.title)),
        `Asked for ${code(row.request)}.${row.clauses.length === 0 ? "" : ` (${row.clauses.join(", ")})`}\n\n`,
        table(
          ["`optionId`", "Name", "Kind", "Offered", "Answer to Codex", "Note"],
          row.options.map((option) => [
            code(option.optionId),
            option.name,
            code(option.kind),
            option.when ?? "always",
            json(option.decision),
            option.description ?? "",
          ]),
        ),
      ].join(""),
    )
    .join("");

export const stopReasonSection = (model: Model): string =>
  table(
    ["`stopReason`", "When", "Codex error kinds", "Clauses"],
    model.contract.tables.stopReasons.map((row) => [
      code(row.stopReason),
      row.when,
      (row.codexErrorInfo ?? []).map(code).join(", "),
      row.clauses.join(", "),
    ]),
  );

export const slashCommandSection = (model: Model): string =>
  table(
    ["Command", "Input", "Meaning", "Codex request", "Implemented", "Clauses"],
    model.contract.tables.slashCommands.map((row) => [
      code(`/${row.name}`),
      row.hint ?? "",
      row.description,
      row.codex === null ? "none" : code(row.codex),
      yesNo(row.implemented),
      row.clauses.join(", "),
    ]),
  );

export const envelopeSections = (model: Model): string =>
  model.contract.tables.envelopes
    .map((row) =>
      [
        heading(3, row.name, anchor("envelope", row.name)),
        `${row.meaning} (${row.clauses.join(", ")})\n\n`,
        `\`\`\`abnf\n${row.grammar.join("\n")}\n`,
        ...Object.entries(row.literals).map(([rule, text]) => `${rule} = ${JSON.stringify(text)}\n`),
        "```\n\n",
        ...row.conditions.map((condition) => `- ${condition}\n`),
        "\n",
      ].join(""),
    )
    .join("");

/** Readings and rulings: where the contract is unclear, or cannot be kept as it is worded. */
export const deviationSections = (model: Model): string => {
  const { rulings, readings } = model.contract.clauses;
  const id = (name: string): string => `<a id="${anchor("ruling", name)}"></a>${name}`;
  return [
    heading(3, "Rulings", "rulings"),
    "Where the contract, ACP's draft and Codex pull apart, this is what was decided.\n\n",
    tableOr(
      "None.",
      ["Id", "Question", "Ruling"],
      rulings.map((row) => [id(row.id), row.question, row.ruling]),
    ),
    heading(3, "Readings", "readings"),
    "Where the contract is silent or contradicts itself, this is how it is read. A ruling stands above a reading.\n\n",
    tableOr(
      "None.",
      ["Id", "Bears on", "Unclear", "Reading"],
      readings.map((row) => [id(row.id), row.where, row.question, row.reading]),
    ),
  ].join("");
};

/** What becomes of everything that Codex sends. */
export const codexSections = (model: Model): string => {
  const { serverRequests, notifications, items } = model.contract.codex;
  return [
    heading(3, "Server requests", "codex-server-requests"),
    table(
      ["Request", "Disposition", "Implemented", "Answer meanwhile", "Why", "Clauses"],
      serverRequests.map((row) => [
        code(row.method),
        row.disposition,
        yesNo(row.implemented),
        row.answer === undefined ? "" : json(row.answer),
        row.reason,
        row.clauses.join(", "),
      ]),
    ),
    heading(3, "Notifications", "codex-notifications"),
    table(
      ["Notification", "Disposition", "Implemented", "Why", "Clauses"],
      notifications.map((row) => [
        code(row.method),
        `${row.disposition}${row.to === undefined ? "" : ` to ${code(row.to)}`}${row.optOut ? ", opted out" : ""}`,
        row.disposition === "drop" ? "" : yesNo(row.implemented),
        row.reason,
        row.clauses.join(", "),
      ]),
    ),
    heading(3, "Items", "codex-items"),
    table(
      ["Item", "Becomes", "Tool calls", "Implemented", "Why", "Clauses"],
      items.map((row) => [
        code(row.type),
        code(row.update),
        (row.tools ?? []).map(code).join(", "),
        yesNo(row.implemented),
        row.reason ?? "",
        row.clauses.join(", "),
      ]),
    ),
  ].join("");
};
