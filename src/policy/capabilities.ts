import type { AgentCapabilities } from "../generated/acp/types.js";
import { capabilityNeeds } from "../generated/contract/needs.js";

type Tree = Readonly<Record<string, unknown>>;

const isTree = (value: unknown): value is Tree => typeof value === "object" && value !== null && !Array.isArray(value);

/** `tree` without the member at `path`; the same object where there is none. */
function without(tree: Tree, [key, ...deeper]: readonly string[]): Tree {
  if (key === undefined || !Object.hasOwn(tree, key)) return tree;
  const { [key]: member, ...others } = tree;
  if (deeper.length === 0) return others;
  return isTree(member) ? { ...tree, [key]: without(member, deeper) } : tree;
}

/**
 * What is advertised to a host when Codex lacks these requests: nothing that a request would then refuse. Parts of a
 * capability go alone where they can, as `sessionHistory.items` does.
 */
export const capabilitiesWithout = (
  capabilities: AgentCapabilities,
  lacking: ReadonlySet<string>,
  needs: typeof capabilityNeeds = capabilityNeeds,
): AgentCapabilities =>
  needs
    .filter(({ requests }) => requests.some((it) => lacking.has(it)))
    .reduce<Tree>((left, { path }) => without(left, path), { ...capabilities });
