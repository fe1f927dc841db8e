import { compareVersions } from "../codex/version.js";
import type { ProviderKind } from "../session/routing/plan.js";

/** By version, newest first: what a Codex from there on does. Measured on 0.153.4 to 0.161.0, 0.166.0 and 0.171.0. */
const kinds: readonly { readonly from: string; readonly kind: ProviderKind }[] = [
  { from: "0.171.0", kind: "fixed" },
  { from: "0.166.0", kind: "unsupported" },
  { from: "0.0.0", kind: "moves" },
];

/** What a Codex does with the provider of a thread, as far as its version tells. */
export const providerKindOf = (version: string | null): ProviderKind =>
  kinds.find(({ from }) => version === null || compareVersions(version, from) >= 0)?.kind ?? "fixed";

/** By the version of the running Codex, until one of its answers tells better; then for as long as it has that version. */
export function createProviderKind(version: () => string | null) {
  let learned: { readonly version: string | null; readonly kind: ProviderKind } | null = null;
  return {
    get kind(): ProviderKind {
      const now = version();
      return learned?.version === now ? learned.kind : providerKindOf(now);
    },
    learn(kind: ProviderKind): void {
      learned = { version: version(), kind };
    },
  };
}
