import type { GeneratedFile, Model } from "../model/model.js";
import { header, literal } from "./text.js";

const table = (name: string, doc: string, rows: unknown): string =>
  `/** ${doc} */\nexport const ${name} = ${literal(rows, "", 200)} as const;\n\n`;

/** `src/generated/contract/tables.ts`: the tables that policy and projection look things up in. */
export const emitContractTables = (model: Model): GeneratedFile[] => {
  const { configOptions, toolCalls, permissions, stopReasons, slashCommands, envelopes } = model.contract.tables;
  const text = [
    header("schemas/contract/tables.json"),
    table("configOptions", "What a host can set on a session.", configOptions),
    table("toolCalls", "The tool calls a host sees, by the Codex item or notification that they show.", toolCalls),
    table("permissions", "What a host is asked, and what each option answers Codex.", permissions),
    table("stopReasons", "Why a turn can end, by Codex's turn status and error kind.", stopReasons),
    table("slashCommands", "The commands offered to a host.", slashCommands),
    table("envelopes", "What clients of Codex put around the user's words, by grammar (R-13).", envelopes),
    `export type ConfigOption = (typeof configOptions)[number];\n`,
    `export type ConfigOptionId = ConfigOption["configId"];\n\n`,
    "/** A value that the contract itself fixes for a config option. */\n",
    "export type ConfigValueOf<Id extends string> =\n",
    "  Extract<ConfigOption, { readonly configId: Id }> extends {\n",
    "    readonly values: readonly { readonly value: infer Value }[];\n",
    "  }\n    ? Value\n    : string;\n\n",
    `export type ModeId = ConfigValueOf<"mode">;\n\n`,
    `export type ToolCallRow = (typeof toolCalls)[number];\n`,
    `export type ToolCallName = ToolCallRow["name"];\n`,
    `export type ToolCallKind = ToolCallRow["kind"];\n\n`,
    `export type PermissionRow = (typeof permissions)[number];\n`,
    `export type PermissionRequest = PermissionRow["request"];\n`,
    `export type PermissionOptionId = PermissionRow["options"][number]["optionId"];\n\n`,
    `export type StopReasonRow = (typeof stopReasons)[number];\n`,
    `export type StopReason = StopReasonRow["stopReason"];\n\n`,
    `export type SlashCommandRow = (typeof slashCommands)[number];\n`,
    `export type SlashCommandName = SlashCommandRow["name"];\n`,
  ];
  return [{ path: "src/generated/contract/tables.ts", text: text.join("") }];
};
