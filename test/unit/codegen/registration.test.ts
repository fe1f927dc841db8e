import { beforeAll, describe, expect, test } from "vitest";
import type { HandlerContext, MethodEntry } from "../../../src/runtime/index.js";
import { smallAgent } from "./small-agent.js";
import { runFiles } from "./type-check.js";

interface Sent {
  readonly method: string;
  readonly params: unknown;
  readonly options: unknown;
}

interface Fixture {
  table(
    request: (method: string, params: unknown, options: unknown) => Promise<unknown>,
    notify: (method: string, params: unknown) => void,
  ): ReadonlyMap<string, MethodEntry>;
}

const fixture = `
  import { passThrough } from "./generated/agent/pass-through.js";
  import { createMethodTable } from "./generated/agent/registration.js";
  const policies = {
    initialize: { initialize: async () => ({ id: "initialized" }) },
    auth: { maybe: async (params) => ({ id: String(params) }) },
    sessions: { sessionNew: async (params) => ({ id: params.cwd }), sessionCancel: async () => undefined },
  };
  export const table = (request, notify) => createMethodTable(policies, passThrough(
    { request: (descriptor, params, options) => request(descriptor.method, params, options) },
    (descriptor, params) => notify(descriptor.method, params),
  ));
`;

const context: HandlerContext = {
  signal: new AbortController().signal,
  requestId: 1,
  afterResponse: () => undefined,
};

let loaded: Fixture;
beforeAll(async () => {
  loaded = (await runFiles([...smallAgent(), { path: "src/fixture.ts", text: fixture }], "src/fixture.ts")) as never;
});

const call = async (method: string, params: unknown, answer: unknown = { from: "codex" }) => {
  const log: unknown[] = [];
  const table = loaded.table(
    async (to, sent, options) => {
      log.push({ method: to, params: sent, options } satisfies Sent);
      if (answer instanceof Error) throw answer;
      return answer;
    },
    (to, sent) => log.push({ notified: to, params: sent }),
  );
  const entry = table.get(method);
  if (entry === undefined) throw new Error(`${method} is not in the table`);
  const outcome = await entry.call(params, context).then(
    (result) => ({ result }),
    (error: { code?: unknown; message: string; data?: unknown }) => ({ error }),
  );
  return { ...outcome, log, entry };
};

describe("the method table", () => {
  test("holds what a host can call: not what the SDK answers, not what goes to the host", () => {
    const table = loaded.table(
      async () => null,
      () => undefined,
    );
    expect([...table].map(([method, { name, kind, initializes }]) => [method, name, kind, initializes])).toEqual([
      ["initialize", "initialize", "request", true],
      ["session/new", "sessionNew", "request", false],
      ["session/cancel", "sessionCancel", "notification", false],
      ["_kit/later", "later", "request", false],
      ["_kit/maybe", "maybe", "request", false],
      ["_kit/skills", "skills", "request", false],
      ["_kit/remove", "remove", "request", false],
      ["_kit/account", "account", "request", false],
    ]);
  });

  test("hands parsed params to the policy's handler", async () => {
    expect(await call("session/new", { cwd: "/work" })).toMatchObject({ result: { id: "/work" } });
  });

  test.each([
    ["params off schema", "session/new", { bad: 1 }],
    ["params of a pass-through", "_kit/skills", { bad: 1 }],
    ["missing params", "session/new", undefined],
    ["null params", "session/new", null],
  ])("refuses %s, and nothing reaches Codex", async (_, method, params) => {
    const { log, ...rest } = await call(method, params);
    expect(rest).toMatchObject({
      error: { code: -32602, message: "/bad must be absent", data: { path: "/bad", expected: "absent" } },
    });
    expect(log).toEqual([]);
  });

  test.each([[undefined], [null]])("hands missing params on where the row says so: %s", async (params) => {
    expect(await call("_kit/maybe", params)).toMatchObject({ result: { id: "undefined" } });
  });

  test("answers not_implemented for a row without a handler", async () => {
    expect(await call("_kit/later", {})).toMatchObject({
      error: { kind: "not_implemented", message: "Not implemented: _kit/later" },
    });
  });
});

describe("pass-through", () => {
  test("forwards params and result untouched", async () => {
    const { log, ...rest } = await call("_kit/skills", { roots: 7, more: [] });
    expect(rest).toMatchObject({ result: { from: "codex" } });
    expect(log).toEqual([{ method: "skills/list", params: { roots: 7, more: [] }, options: { verbatim: true } }]);
  });

  test("lays params over defaults, drops the result and notifies before it answers", async () => {
    const { log, ...rest } = await call("_kit/remove", { id: 3 });
    expect(rest).toMatchObject({ result: {} });
    expect(log).toEqual([
      { method: "skills/remove", params: { token: null, id: 3 }, options: { verbatim: true } },
      { notified: "_kit/skills_changed", params: {} },
    ]);
  });

  test("lets the host's value win over a default", async () => {
    const { log } = await call("_kit/remove", { token: "t" });
    expect(log[0]).toMatchObject({ params: { token: "t" } });
  });

  test("sends a constant whatever the host sent, and the signal of a request that can be cancelled", async () => {
    const { log } = await call("_kit/account", { refresh: true });
    expect(log).toEqual([
      { method: "account/read", params: { refresh: false }, options: { verbatim: true, signal: context.signal } },
    ]);
    expect((await call("_kit/account", undefined)).log).toEqual(log);
  });

  test("rejects with Codex's own error and does not notify", async () => {
    const refusal = new Error("no such skill");
    const { log, ...rest } = await call("_kit/remove", {}, refusal);
    expect(rest).toMatchObject({ error: refusal });
    expect(log).toHaveLength(1);
  });
});
