import { notifications, requests, serverRequests } from "../generated/codex/methods.js";
import { loadCodexValidators } from "../generated/codex/validators/index.js";
import { agentNotifications, agentRequests, hostNotifications, hostRequests } from "../generated/contract/methods.js";
import { parsers, resultParsers } from "../generated/contract/parsers.js";
import { loadContractValidators } from "../generated/contract/validators/index.js";
import type { Parser } from "../runtime/index.js";
import type { BridgeWires, Check, MethodChecks, WireSchemas } from "./strict.js";

type Table = Readonly<Record<string, { readonly method: string }>>;

const anything: Check = () => null;

const nothing: Check = (value) => (value === undefined || value === null ? null : { path: "", expected: "nothing" });

const checkOf =
  (parse: Parser<unknown> | undefined): Check =>
  (value) => {
    const parsed = parse?.(value) ?? { ok: true, value };
    return parsed.ok ? null : parsed.fault;
  };

/** Params that may be left out wherever `{}` would do. */
const paramsOf =
  (parse: Parser<unknown> | undefined): Check =>
  (value) =>
    checkOf(parse)(value === undefined ? {} : value);

const methodsOf = (table: Table): ReadonlySet<string> => new Set(Object.values(table).map(({ method }) => method));

/** `table` holds parsers by a descriptor's key. */
function byMethod(
  table: Table,
  byKey: Readonly<Record<string, Parser<unknown>>>,
): ReadonlyMap<string, Parser<unknown>> {
  const entries = Object.entries(table).flatMap(([key, { method }]): [string, Parser<unknown>][] => {
    const parse = byKey[key];
    return parse === undefined ? [] : [[method, parse]];
  });
  return new Map(entries);
}

async function codexWire(): Promise<WireSchemas> {
  const { params, result, notification, serverRequest, serverResult } = await loadCodexValidators();
  const called = methodsOf(requests);
  const asked = methodsOf(serverRequests);
  const told = methodsOf(notifications);
  return (from, method): MethodChecks | undefined => {
    if (from === "bridge") {
      if (method === "initialized") return { params: nothing, result: null };
      return called.has(method) ? { params: checkOf(params(method)), result: checkOf(result(method)) } : undefined;
    }
    if (asked.has(method)) return { params: checkOf(serverRequest(method)), result: checkOf(serverResult(method)) };
    return told.has(method) ? { params: checkOf(notification(method)), result: null } : undefined;
  };
}

async function hostWire(): Promise<WireSchemas> {
  const { params, result } = await loadContractValidators();
  const hostParams = new Map([...byMethod(hostRequests, parsers), ...byMethod(hostNotifications, parsers)]);
  const hostResults = byMethod(agentRequests, resultParsers);
  const hostAsks = methodsOf(hostRequests);
  const hostTells = methodsOf(hostNotifications);
  const agentAsks = methodsOf(agentRequests);
  const agentTells = methodsOf(agentNotifications);
  return (from, method): MethodChecks | undefined => {
    if (method === "$/cancel_request") return { params: anything, result: null };
    if (from === "host") {
      const check = paramsOf(hostParams.get(method));
      if (hostAsks.has(method)) return { params: check, result: checkOf(result(method)) };
      return hostTells.has(method) ? { params: check, result: null } : undefined;
    }
    const check = paramsOf(params(method));
    if (agentAsks.has(method)) return { params: check, result: checkOf(hostResults.get(method)) };
    return agentTells.has(method) ? { params: check, result: null } : undefined;
  };
}

/**
 * The schemas of both wires from the generated validators. A Codex method that the bridge has no use for is known but
 * its contents are not checked.
 */
export async function loadWireSchemas(): Promise<BridgeWires> {
  const [codex, host] = await Promise.all([codexWire(), hostWire()]);
  return { codex, host };
}
