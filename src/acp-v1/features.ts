import type { ClientCapabilities } from "../generated/acp-v1/types.js";
import { capabilityOf } from "../generated/acp-v1/updates.js";
import { isObject } from "../runtime/index.js";

/** A kind of update that only some hosts of version 1 take. */
export type AskedFor = keyof typeof capabilityOf;

/** What a host declared beyond the least that version 1 asks of it. */
export interface Features {
  /** It takes the kind as draft v2 has it. */
  takes(kind: AskedFor): boolean;
  /** It shows commands of the agent in terminals of its own, by `_meta` of their tool calls. */
  readonly terminals: boolean;
  /** It shows boolean options as such. */
  readonly booleans: boolean;
}

export function featuresOf(capabilities: ClientCapabilities | null | undefined): Features {
  const at = (path: readonly string[]): unknown =>
    path.reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), capabilities);
  const kinds = Object.keys(capabilityOf) as AskedFor[];
  const taken = new Set(kinds.filter((kind) => isObject(at(capabilityOf[kind]))));
  return {
    takes: (kind) => taken.has(kind),
    terminals: at(["_meta", "terminal_output"]) === true,
    booleans: isObject(at(["session", "configOptions", "boolean"])),
  };
}
