import type { AvailableCommand } from "../generated/acp/types.js";
import type { SkillMetadata } from "../generated/codex/types.js";
import { slashCommands } from "../generated/contract/tables.js";

/** The commands a session offers (UPD-16): the built-in ones that this version has, then one `$name` per skill. */
export function commandsOf(skills: readonly SkillMetadata[]): AvailableCommand[] {
  const builtIn = slashCommands.flatMap((row) =>
    row.implemented ? [command(row.name, row.description, "hint" in row ? row.hint : null)] : [],
  );
  const seen = new Set<string>();
  const bySkill = skills.flatMap((skill) => {
    // A command's name has no white space and stands once in the list.
    if (/\s/.test(skill.name) || seen.has(skill.name)) return [];
    seen.add(skill.name);
    return [command(`$${skill.name}`, skill.shortDescription ?? skill.description, null)];
  });
  return [...builtIn, ...bySkill];
}

const command = (name: string, description: string, hint: string | null): AvailableCommand => ({
  type: "command",
  name,
  description,
  ...(hint === null ? {} : { input: { type: "text", hint } }),
});
