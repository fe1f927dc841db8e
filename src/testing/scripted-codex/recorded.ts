import type { RequestDescriptor, ResultOf } from "../../runtime/index.js";
import responses from "./recordings/responses.json" with { type: "json" };

const byName: Readonly<Record<string, unknown>> = responses;

/** A copy of what the real Codex answered; `variant` tells recordings of one method apart. Throws when there is none. */
export function recorded<D extends RequestDescriptor<unknown, unknown>>(descriptor: D, variant = ""): ResultOf<D> {
  const name = `${descriptor.method}${variant}`;
  const result = byName[name];
  if (result === undefined) throw new Error(`no answer of the real Codex to ${name} has been recorded`);
  // The recordings are held to the schemas by a test of their own.
  return structuredClone(result) as ResultOf<D>;
}
