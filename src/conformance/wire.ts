import type { BridgeWires, MethodChecks, WireSchemas } from "../testing/strict.js";
import { loadWireSchemas } from "../testing/wire-schemas.js";

const extension: MethodChecks = { params: () => null, result: () => null };
const extensionNotification: MethodChecks = { params: () => null, result: null };

/** Requests among other agents' extensions cannot be told from notifications by their name. */
const lenient =
  (schemas: WireSchemas): WireSchemas =>
  (from, method) => {
    const known = schemas(from, method);
    if (known !== undefined || from !== "bridge" || !method.startsWith("_")) return known;
    return method.includes("request") ? extension : extensionNotification;
  };

/**
 * The schemas that every frame of a case is held to. An agent may send extensions of its own to the host, as ACP
 * allows: a case that forbids them says so.
 */
export async function loadCaseSchemas(): Promise<BridgeWires> {
  const { codex, host } = await loadWireSchemas();
  return { codex, host: lenient(host) };
}
