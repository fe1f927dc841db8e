import type { ContentBlock } from "../../generated/acp/types.js";
import { type SlashCommandName, slashCommands } from "../../generated/contract/tables.js";

/** A built-in command at the beginning of a prompt, and what follows it. */
export interface Command {
  readonly name: SlashCommandName;
  /** Trimmed; empty when nothing follows. */
  readonly argument: string;
}

const names: ReadonlySet<string> = new Set(slashCommands.filter((row) => row.implemented).map(({ name }) => name));

const isName = (name: string): name is SlashCommandName => names.has(name);

/** The command of a prompt; null for text that only looks like one, which goes to the model as it is. */
export function commandOf(prompt: readonly ContentBlock[]): Command | null {
  const [first] = prompt;
  const text = first?.type === "text" && "text" in first && typeof first.text === "string" ? first.text : "";
  const [, name = "", argument = ""] = /^\/([a-z-]+)(?:\s+([\s\S]*))?$/.exec(text.trim()) ?? [];
  return isName(name) ? { name, argument: argument.trim() } : null;
}
