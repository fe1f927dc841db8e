import type { AcpV1Method } from "../../codegen/model/model.js";
import type { Party } from "../../src/testing/frames.js";
import type { MethodChecks, WireSchemas } from "../../src/testing/strict.js";
import { checksOf, model, schemas } from "./schemas.js";

const checks = checksOf(model.acpV1.definitions);

const methods: ReadonlyMap<string, AcpV1Method> = new Map(
  model.acpV1.methods.map((row) => [`${row.side} ${row.method}`, row]),
);

/** What the bridge says is held to the letter; a host may say more. */
function checksFor({ params, result }: AcpV1Method, from: Party): MethodChecks {
  const ofBridge = from === "bridge";
  const answer = ofBridge ? checks.open : checks.closed;
  return { params: (ofBridge ? checks.closed : checks.open)(params), result: result === null ? null : answer(result) };
}

/** The captured schema of version 1, and the contract for extension methods. */
const hostWire: WireSchemas = (from, method) => {
  if (method.startsWith("_")) return schemas.host(from, method);
  const row = methods.get(`${from === "host" ? "agent" : "client"} ${method}`) ?? methods.get(`protocol ${method}`);
  return row && checksFor(row, from);
};

/** Both wires of a bridge whose host speaks version 1. */
export const schemasV1 = { codex: schemas.codex, host: hostWire };
