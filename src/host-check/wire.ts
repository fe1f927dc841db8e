import { lenient } from "../conformance/wire.js";
import { instructions } from "../generated/host-check/driver.js";
import type { Parser } from "../runtime/index.js";
import type { Check, HeldWires, WireSchemas } from "../testing/strict.js";
import { loadWireSchemas } from "../testing/wire-schemas.js";

const checkOf =
  (parse: Parser<unknown>): Check =>
  (value) => {
    const parsed = parse(value);
    return parsed.ok ? null : parsed.fault;
  };

/** The runner asks, the driver answers, and nobody says anything else. */
const driverWire: WireSchemas = (from, method) => {
  const found = Object.entries(instructions).find(([name]) => name === method);
  if (from !== "user" || found === undefined) return undefined;
  const [, { params, result }] = found;
  return { params: checkOf(params), result: checkOf(result) };
};

/** The schemas that every frame of a case is held to. A host may send extensions of its own, as ACP allows. */
export async function loadHostCaseSchemas(): Promise<HeldWires> {
  const { host } = await loadWireSchemas();
  return { host: lenient(host, "host"), user: driverWire };
}
