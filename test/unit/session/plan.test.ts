import { describe, expect, test } from "vitest";
import { providerKindOf } from "../../../src/agent/provider-kind.js";
import type { Gateway } from "../../../src/session/routing/gateway.js";
import { nativeProvider } from "../../../src/session/routing/native.js";
import { type Placed, type ProviderKind, planSwitch } from "../../../src/session/routing/plan.js";
import { nativeRouting, type Routing, registered, routedTo } from "../../../src/session/routing/routing.js";

const gateway = (id: string): Gateway => ({
  id,
  name: id,
  baseUrl: `https://${id}.example/v1`,
  headers: {},
  bearerToken: null,
  config: {},
  models: [{ id: `m-${id}` }],
  model: null,
  fallback: null,
  catalog: new Map(),
});

const native: Placed = { id: "native", gateway: null };
const onA: Placed = { id: "on-a", gateway: "a" };
const onB: Placed = { id: "on-b", gateway: "b" };
/** It is on Codex's own provider, or on a. */
const unsure: Placed = { id: "unsure", gateway: null, maybe: "a" };
const all = [native, onA, onB, unsure];

const catalog = registered(registered(nativeRouting, gateway("a")), gateway("b"));
const onlyB = registered(nativeRouting, gateway("b"));

interface Row {
  readonly name: string;
  readonly kind: ProviderKind;
  readonly to: Routing;
  readonly changed: string | null;
  /** Moves as `session>gateway`; nothing behind the sign is Codex's own provider. */
  readonly moves: string[];
  readonly untouched: string[];
}

const rows: readonly Row[] = [
  {
    name: "route mode takes all",
    kind: "moves",
    to: routedTo(gateway("a")),
    changed: null,
    moves: ["native>a", "on-a>a", "on-b>a", "unsure>a"],
    untouched: [],
  },
  {
    name: "native routing takes home what is not there",
    kind: "moves",
    to: nativeRouting,
    changed: null,
    moves: ["on-a>", "on-b>", "unsure>"],
    untouched: [],
  },
  {
    name: "a gateway that is registered again has its own opened anew",
    kind: "moves",
    to: catalog,
    changed: "a",
    moves: ["on-a>a", "unsure>"],
    untouched: [],
  },
  {
    name: "a gateway that is new moves nobody",
    kind: "moves",
    to: registered(catalog, gateway("c")),
    changed: "c",
    moves: [],
    untouched: [],
  },
  { name: "a gateway that goes", kind: "moves", to: onlyB, changed: "a", moves: ["on-a>", "unsure>"], untouched: [] },
  {
    name: "where threads are fixed, route mode reaches its own alone",
    kind: "fixed",
    to: routedTo(gateway("a")),
    changed: null,
    moves: ["on-a>a"],
    untouched: ["native", "on-b", "unsure"],
  },
  {
    name: "where threads are fixed, those of a gateway that goes stay without it",
    kind: "fixed",
    to: onlyB,
    changed: "a",
    moves: ["unsure>"],
    untouched: ["on-a"],
  },
  {
    name: "where threads are fixed, a new key reaches the gateway's own",
    kind: "fixed",
    to: catalog,
    changed: "b",
    moves: ["on-b>b"],
    untouched: [],
  },
];

test.each(rows)("$name", ({ kind, to, changed, moves, untouched }) => {
  const plan = planSwitch(kind, to, changed, all);
  expect(plan.moves.map((move) => `${move.id}>${move.to?.id ?? ""}`)).toEqual(moves);
  expect(plan.untouched).toEqual(untouched);
});

test.each([
  ["0.153.4", "moves"],
  ["0.161.0", "moves"],
  ["0.165.9", "moves"],
  ["0.166.0", "unsupported"],
  ["0.170.3", "unsupported"],
  ["0.171.0", "fixed"],
  ["0.172.0-alpha.1", "fixed"],
  [null, "fixed"],
] as const)("Codex %s: %s", (version, kind) => {
  expect(providerKindOf(version)).toBe(kind);
});

describe("Codex's own provider", () => {
  test.each([
    { name: "nothing", layers: [{}], chosen: null, want: { providerId: "openai", baseUrl: null, model: null } },
    {
      name: "an address of OpenAI's",
      layers: [{ openai_base_url: "https://proxy.example/v1", model: "m" }],
      chosen: null,
      want: { providerId: "openai", baseUrl: "https://proxy.example/v1", model: "m" },
    },
    {
      name: "the last layer",
      layers: [
        { model_provider: "a", model_providers: { a: { base_url: "https://a.example" } } },
        { model_provider: "b", model_providers: { b: { base_url: "https://b.example" } } },
      ],
      chosen: null,
      want: { providerId: "b", baseUrl: "https://b.example", configured: new Set(["a", "b"]) },
    },
    {
      name: "what is chosen before it",
      layers: [{ model_provider: "a", model_providers: { a: { base_url: "https://a.example" }, b: {} } }],
      chosen: "b",
      want: { providerId: "b", baseUrl: null },
    },
    {
      name: "an address with credentials",
      layers: [{ model_provider: "a", model_providers: { a: { base_url: "https://u:p@a.example/v1?k=s#f" } } }],
      chosen: null,
      want: { baseUrl: "https://a.example/v1" },
    },
    {
      name: "no address at all",
      layers: [{ model_provider: "a", model_providers: { a: { base_url: "nowhere" } } }],
      chosen: null,
      want: { baseUrl: null },
    },
  ])("is read from $name", ({ layers, chosen, want }) => {
    expect(nativeProvider(layers, chosen)).toMatchObject(want);
  });
});
