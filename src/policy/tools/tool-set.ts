import type { DynamicToolSpec } from "../../generated/codex/types.js";
import { errors } from "../../generated/contract/errors.js";
import type { ToolSet } from "../../generated/contract/types.js";

/** Before each name in Codex, so that a tool of the host can take the place of none of Codex's own (CTOOL-08). */
const prefix = "alwith_client_";

/** What its schema cannot say of a tool set: names are unique (CTOOL-02). */
export function checkToolSet({ definitions }: ToolSet): void {
  const seen = new Set<string>();
  for (const [index, { name }] of definitions.entries()) {
    if (seen.has(name)) {
      throw errors.toolSetDuplicateName({ path: `/_meta/alwith/tools/definitions/${index}/name`, name });
    }
    seen.add(name);
  }
}

/** The tools as Codex takes them with a new thread (CTOOL-04). */
export const dynamicTools = ({ definitions }: ToolSet): DynamicToolSpec[] =>
  definitions.map(({ name, description, inputSchema }) => ({
    type: "function",
    name: `${prefix}${name}`,
    description,
    inputSchema,
  }));

/** The host's name of a tool of Codex's; null for one that no host declared. */
export const declaredName = (tool: string, namespace: string | null): string | null =>
  namespace === null && tool.startsWith(prefix) ? tool.slice(prefix.length) : null;
