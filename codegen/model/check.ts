import { acpV1Faults } from "./acp-v1.js";
import type { ContractFiles } from "./check-clauses.js";
import { clauseFaults } from "./check-clauses.js";
import { dispositionFaults } from "./check-dispositions.js";
import { methodFaults } from "./check-methods.js";
import type { Model, Schema } from "./model.js";

/** What the contract's files are held against. */
export interface CheckInput {
  readonly codex: Model["codex"];
  readonly acp: Model["acp"];
  readonly acpV1: Model["acpV1"];
  readonly files: ContractFiles;
  /** Names under `$defs` of the contract's schema files. */
  readonly ownDefinitions: ReadonlySet<string>;
}

/**
 * Everything in which the contract's files disagree with the captures or among themselves, one line each: something
 * captured without a disposition or decided twice, a row for something that is not captured, a name that means nothing.
 */
export const checkContract = (input: CheckInput): string[] => [
  ...dispositionFaults(input),
  ...methodFaults(input),
  ...clauseFaults(input.files),
  ...acpV1Faults(input),
];

/** The constant values that the members of a union give one property. */
export const unionTags = (definition: Schema | undefined, property: string): string[] => {
  const members = [definition?.["oneOf"], definition?.["anyOf"], definition?.["allOf"]].find(Array.isArray) ?? [];
  return members.flatMap((member: Schema) => {
    const properties: unknown = member["properties"];
    const tag = isRecord(properties) ? properties[property] : undefined;
    if (!isRecord(tag)) return unionTags(member, property);
    return [tag["const"], ...(Array.isArray(tag["enum"]) ? tag["enum"] : [])].filter((it) => typeof it === "string");
  });
};

const isRecord = (value: unknown): value is Schema => typeof value === "object" && value !== null;

/** Names that occur more than once. */
export const repeated = (names: readonly string[]): string[] => [
  ...new Set(names.filter((name, index) => names.indexOf(name) !== index)),
];
