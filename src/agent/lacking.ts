import { errors } from "../generated/contract/errors.js";
import { methodNeeds } from "../generated/contract/needs.js";
import type { MethodEntry } from "../runtime/index.js";
import type { LackingCodex } from "./codex-link.js";

/**
 * The method table with every method refused that the running Codex cannot do, before anything is asked of it. Its
 * capability is not advertised then; a host may ask all the same, or Codex may have been exchanged meanwhile.
 */
export function refuseLacking(
  table: ReadonlyMap<string, MethodEntry>,
  lacking: () => LackingCodex,
): ReadonlyMap<string, MethodEntry> {
  return new Map(
    [...table].map(([method, entry]): [string, MethodEntry] => {
      const needs = methodNeeds.get(method);
      if (needs === undefined) return [method, entry];
      const call: MethodEntry["call"] = async (params, context) => {
        const { version, requests } = lacking();
        const missing = needs.filter((it) => requests.has(it));
        if (missing.length > 0) throw errors.codexLacksMethod({ version, method, lacking: missing.join(", ") });
        return entry.call(params, context);
      };
      return [method, { ...entry, call }];
    }),
  );
}
