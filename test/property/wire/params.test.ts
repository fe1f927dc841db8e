/**
 * Params off schema, over the wire of a whole bridge: refused with the path of the fault, and Codex hears nothing. On a
 * failure fast-check prints the seed and the path; run again with `fc.assert(…, { seed, path })`.
 */

import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hostRequests } from "../../../src/generated/contract/methods.js";
import { parsers } from "../../../src/generated/contract/parsers.js";
import { contractParams } from "../../../src/generated/testing/arbitraries.js";
import { contractDefinitions } from "../../../src/generated/testing/contract-schemas.js";
import { hostileJson, mutationsOf, type SchemaDocument } from "../../../src/testing/schema/index.js";
import type { BridgeInProcess } from "../../support/bridge.js";
import { startBridge } from "../../support/bridge-agent.js";

let bridge: BridgeInProcess;

const info = { name: "test", version: "0" };
const greeting = { protocolVersion: 2, info, capabilities: {} };

beforeAll(async () => {
  bridge = startBridge();
  await bridge.host.request(hostRequests.initialize, greeting);
  await bridge.clock.settle();
});

afterAll(() => bridge.close());

interface Subject {
  readonly name: keyof typeof hostRequests;
  readonly method: string;
}

const names = Object.keys(hostRequests) as (keyof typeof hostRequests)[];
const subjects = names.map((name): Subject => ({ name, method: hostRequests[name].method }));

const documentOf = (name: string): SchemaDocument => {
  const definition = `${name.charAt(0).toUpperCase()}${name.slice(1)}Params`;
  return { schema: { $ref: `#/definitions/${definition}` }, definitions: contractDefinitions };
};

/** As it arrives: JSON knows no infinity. */
const anyMessage = hostileJson.map((value): unknown => JSON.parse(JSON.stringify(value)));

/** Right params. A version below the agent's is refused as such, whatever else is wrong. */
const rightParams = (name: Subject["name"]): fc.Arbitrary<unknown> =>
  name === "initialize"
    ? contractParams.initialize().map((params) => ({ ...params, protocolVersion: 2 }))
    : contractParams[name]();

/** PLUG-02 to PLUG-04: this method's errors have words of their own, and no data. */
const wordless = hostRequests.codexPluginSetEnabled.method;

/** What the bridge answers to each of `list`, all sent at once; a result stands as it is. */
const answers = (method: string, list: readonly unknown[]): Promise<unknown[]> =>
  Promise.all(
    list.map((params) =>
      bridge.host.call(method, params).catch((error: { code?: unknown; data?: { path?: unknown } }) => {
        if (error.code === undefined) throw error;
        return { code: error.code, ...(method === wordless ? {} : { path: error.data?.path }) };
      }),
    ),
  );

const heard = (): number => bridge.codex.log.frames("codex", "bridge").length;

describe.each(subjects)("$method", ({ name, method }) => {
  test("refuses every single fault with its path before Codex hears anything", async () => {
    const document = documentOf(name);
    const before = heard();
    let tried = 0;
    await fc.assert(
      fc.asyncProperty(rightParams(name), async (value) => {
        const mutations = mutationsOf(document, value).filter((it) => it.value !== null);
        tried += mutations.length;
        const wanted = mutations.map(({ path }) => ({ code: -32602, ...(method === wordless ? {} : { path }) }));
        expect(
          await answers(
            method,
            mutations.map((it) => it.value),
          ),
        ).toEqual(wanted);
      }),
      { numRuns: 15 },
    );
    expect(tried).toBeGreaterThan(20);
    expect(heard()).toBe(before);
  });

  test("says no more than that its params are wrong to any JSON, and goes on", async () => {
    const before = heard();
    const off = anyMessage.filter((value) => value !== null && !parsers[name](value).ok);
    await fc.assert(
      fc.asyncProperty(fc.array(off, { minLength: 10, maxLength: 10 }), async (list) => {
        for (const answer of await answers(method, list)) expect(answer).toMatchObject({ code: -32602 });
      }),
      { numRuns: 8 },
    );
    expect(heard()).toBe(before);
  });
});

const envelope = fc.record(
  {
    jsonrpc: fc.oneof({ weight: 3, arbitrary: fc.constant("2.0") }, anyMessage),
    id: fc.oneof(fc.integer(), fc.string(), anyMessage),
    method: fc.oneof(fc.constantFrom(...subjects.map((it) => it.method), "toString", "__proto__"), anyMessage),
    params: anyMessage,
    result: anyMessage,
    error: anyMessage,
  },
  { requiredKeys: [] },
);

/** Params that are right would be served. */
const isServed = (frame: { readonly method?: unknown; readonly params?: unknown }): boolean => {
  const name = names.find((it) => hostRequests[it].method === frame.method);
  return name !== undefined && (frame.params === undefined || frame.params === null || parsers[name](frame.params).ok);
};

let lastId = 1_000_000;

/** Writes a message; an id that can be used is replaced by one that no other message has. */
function say(message: unknown): void {
  if (typeof message !== "object" || message === null) {
    bridge.host.raw(JSON.stringify(message));
    return;
  }
  const { id } = { id: undefined, ...message };
  lastId += 1;
  if (typeof id === "string") bridge.host.rawFrames({ ...message, id: `${lastId} ${id}` });
  else if (Number.isInteger(id)) bridge.host.rawFrames({ ...message, id: lastId });
  else bridge.host.rawFrames(message);
}

test("any JSON in place of a message is refused or ignored, and a request after it is served", async () => {
  const before = heard();
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.oneof(
          envelope.filter((it) => !isServed(it)),
          anyMessage,
        ),
        { maxLength: 30 },
      ),
      async (list) => {
        const known = bridge.host.frames().length;
        for (const message of list) say(message);
        await bridge.clock.settle();
        for (const frame of bridge.host.frames().slice(known)) {
          const error = frame["error"];
          expect([-32600, -32601, -32602]).toContain(error instanceof Object && "code" in error ? error.code : frame);
        }
        await expect(bridge.host.call("nope", {})).rejects.toMatchObject({ code: -32601 });
      },
    ),
    { numRuns: 60 },
  );
  expect(heard()).toBe(before);
});
