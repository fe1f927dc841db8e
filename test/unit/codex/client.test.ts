import { describe, expect, it } from "vitest";
import { clientOver, createClient } from "../../../src/codex/client.js";
import type { CodexConnection } from "../../../src/codex/connection.js";
import { requests } from "../../../src/generated/codex/methods.js";
import { request } from "../../../src/runtime/index.js";

function recorder() {
  const calls: unknown[][] = [];
  const connection: Pick<CodexConnection, "request"> = {
    request(descriptor, params, options) {
      calls.push([descriptor.method, params, options]);
      return new Promise((resolve) => resolve(JSON.parse("42")));
    },
  };
  return { calls, connection };
}

describe("clientOver", () => {
  it("has one method per descriptor, which passes params and options on", async () => {
    const { calls, connection } = recorder();
    const client = clientOver(connection, {
      one: request<{ a: number }, number>("test/one"),
      two: request<undefined, number>("test/two"),
    });
    const { signal } = new AbortController();
    expect(await client.one({ a: 1 }, { signal })).toBe(42);
    await client.two();
    expect(calls).toEqual([
      ["test/one", { a: 1 }, { signal }],
      ["test/two", undefined, undefined],
    ]);
  });

  it("holds callers to the types of the descriptor", () => {
    const { connection } = recorder();
    const client = clientOver(connection, { one: request<{ a: number }, number>("test/one") });
    // @ts-expect-error: `a` is a number.
    void client.one({ a: "1" });
    // @ts-expect-error: params are required.
    void client.one();
    // @ts-expect-error: there is no such method.
    expect(client.three).toBeUndefined();
  });
});

describe("createClient", () => {
  it("covers every request of the captured Codex", () => {
    expect(Object.keys(createClient(recorder().connection))).toEqual(Object.keys(requests));
  });
});
