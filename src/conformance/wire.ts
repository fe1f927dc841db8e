import type { Party } from "../testing/frames.js";
import type { BridgeWires, MethodChecks, WireSchemas } from "../testing/strict.js";
import { loadWireSchemas } from "../testing/wire-schemas.js";

const extension: MethodChecks = { params: () => null, result: () => null, either: true };

/** With extensions of whoever is under test let through. */
export const lenient =
  (schemas: WireSchemas, tested: Party): WireSchemas =>
  (from, method) => {
    const known = schemas(from, method);
    return known === undefined && from === tested && method.startsWith("_") ? extension : known;
  };

/**
 * The schemas that every frame of a case is held to. An agent may send extensions of its own to the host, as ACP
 * allows: a case that forbids them says so.
 */
export async function loadCaseSchemas(): Promise<BridgeWires> {
  const { codex, host } = await loadWireSchemas();
  return { codex, host: lenient(host, "bridge") };
}
