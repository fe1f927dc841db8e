/**
 * History requests under every malformed parameter and every cancellation. On a failure fast-check prints the seed and
 * the path; run again with `fc.assert(…, { seed, path })`.
 */

import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { createReceiptStore, type ReceiptFiles, receiptsInMemory } from "../../src/files/receipts.js";
import { requests } from "../../src/generated/codex/methods.js";
import { hostNotifications, hostRequests } from "../../src/generated/contract/methods.js";
import { contractParams } from "../../src/generated/testing/arbitraries.js";
import { contractDefinitions } from "../../src/generated/testing/contract-schemas.js";
import { mutationsOf } from "../../src/testing/schema/index.js";
import { CodexFailure } from "../../src/testing/scripted-codex/core.js";
import { agentMessage, enteredReviewMode } from "../../src/testing/scripted-codex/items.js";
import { type HistoryRig, startHistory, storedThread, storedTurn, threadId } from "../scripted/history/rig.js";
import { clause } from "../support/clause.js";
import { AgentError } from "../support/host.js";

let rig: HistoryRig;

afterEach(() => rig.bridge.close());

describe("malformed params", () => {
  const methods = [
    { descriptor: hostRequests.codexSessionHistory, params: contractParams.codexSessionHistory() },
    { descriptor: hostRequests.codexSessionHistoryItems, params: contractParams.codexSessionHistoryItems() },
  ];

  clause(
    ["HIST-26", "HIST-14", "HIST-69", "HIST-77"],
    "of every kind are refused with their place, and Codex hears nothing",
    async () => {
      rig = await startHistory();
      for (const [index, { descriptor, params }] of methods.entries()) {
        const name = index === 0 ? "CodexSessionHistoryParams" : "CodexSessionHistoryItemsParams";
        const document = { schema: { $ref: `#/definitions/${name}` }, definitions: contractDefinitions };
        await fc.assert(
          fc.asyncProperty(params, fc.nat(), async (value, choice) => {
            const mutations = mutationsOf(document, value);
            const mutation = mutations[choice % mutations.length];
            // No params at all are empty ones.
            const given = mutation?.value ?? {};
            const error = await rig.bridge.host.call(descriptor.method, given).catch((it: unknown) => it);
            expect(error, JSON.stringify(given)).toBeInstanceOf(AgentError);
            expect(error).toMatchObject({
              code: -32602,
              data: {
                reason: "history_invalid_params",
                retryable: false,
                path: expect.any(String),
                expected: expect.any(String),
              },
            });
          }),
          { numRuns: 150 },
        );
      }
      expect(rig.reads()).toEqual([]);
    },
  );
});

const parentId = "0199cccc-0000-7000-8000-00000000000a";
const rootId = "0199cccc-0000-7000-8000-00000000000b";

/** A thread whose page needs all there is to read: its lineage too, as a review has no receipt. */
async function start(files: ReceiptFiles = receiptsInMemory()): Promise<void> {
  const turns = [storedTurn("turn", [enteredReviewMode({ id: "enter" }), agentMessage({ id: "agent", text: "x" })])];
  rig = await startHistory(
    [
      { thread: storedThread({ forkedFromId: parentId }), turns },
      { thread: storedThread({ id: parentId, forkedFromId: rootId }), turns },
      { thread: storedThread({ id: rootId, originator: "another" }), turns },
    ],
    { agent: { receipts: createReceiptStore(files, "/state") } },
  );
  rig.bridge.codex.on(requests.threadItemsList, ({ cursor, limit }) => {
    if (typeof cursor === "object" && cursor !== null) {
      throw new CodexFailure(-32600, "Invalid request: invalid type: map, expected a string");
    }
    const entries = (turns[0]?.items ?? []).map((item) => ({ turnId: "turn", item }));
    const from = Number(cursor ?? 0);
    const to = from + (limit ?? 1);
    const nextCursor = to < entries.length ? String(to) : null;
    return { data: entries.slice(from, to), nextCursor, backwardsCursor: null };
  });
}

const scenarios = [
  { method: "_codex/session_history", params: { itemsView: "full" } },
  { method: "_codex/session_history", params: { itemsView: "full", mode: "export" } },
  { method: "_codex/session_history_items", params: {} },
  { method: "_codex/session_history_items", params: { turnId: "turn", anchorItemId: "enter", mode: "export" } },
] as const;

const cancelled = { code: -32600, data: { reason: "history_cancelled", retryable: false } };

const ask = ({ method, params }: (typeof scenarios)[number]) => {
  const answer = rig.bridge.host.call(method, { sessionId: threadId, ...params }).catch((error: unknown) => error);
  return { answer, cancel: cancelOf(rig.bridge.host.lastId) };
};

/** Withholds the answer to the read at `at`, among `reads` of a request that is under way. */
async function holdAt(reads: readonly string[], at: number) {
  const { codex } = rig.bridge;
  const descriptor = [requests.threadRead, requests.threadTurnsList, requests.threadItemsList].find(
    ({ method }) => method === reads[at],
  );
  if (!descriptor) throw new Error(`no such read: ${reads[at]}`);
  const earlier = reads.slice(0, at).filter((method) => method === descriptor.method).length;
  // The bridge has not heard the answer to this one yet, so that the next of the kind is the one meant.
  if (earlier > 0) await codex.received(descriptor, earlier);
  return codex.hold(descriptor);
}

/** A promise, and its end from outside. */
function deferred<T>() {
  let resolve = (_value: T): void => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

const cancelOf = (requestId: number) => () => rig.bridge.host.notify(hostNotifications.cancelRequest, { requestId });

describe("a cancel", () => {
  clause(
    ["HIST-80", "HIST-81", "HIST-82", "HIST-83", "HIST-77"],
    "at any native read answers at once, and nothing is read after it, whatever Codex still says",
    async () => {
      for (const scenario of scenarios) {
        await start();
        const finished = await ask(scenario).answer;
        expect(finished).not.toBeInstanceOf(Error);
        const reads = rig.reads();
        expect(reads.length).toBeGreaterThan(3);
        await rig.bridge.close();
        for (let at = 0; at < reads.length; at += 1) {
          await start();
          const { codex, clock, host } = rig.bridge;
          const { answer, cancel } = ask(scenario);
          const held = await holdAt(reads, at);
          await held.received();
          cancel();
          expect(await answer, `${reads[at]} as read ${at}`).toMatchObject(cancelled);
          const frames = host.frames().length;
          expect(rig.reads()).toEqual(reads.slice(0, at + 1));
          held.fail(new CodexFailure(-32600, "late"));
          await clock.settle();
          expect(rig.reads()).toEqual([]);
          expect(host.frames()).toHaveLength(frames);
          expect(codex.calls(requests.turnInterrupt)).toEqual([]);
          await rig.bridge.close();
        }
      }
      await start();
    },
  );

  clause(
    ["HIST-81", "HIST-80"],
    "while receipts are being read answers at once, and nothing is read after it",
    async () => {
      for (const scenario of scenarios) {
        const reading = deferred<null>();
        const late = deferred<string | null>();
        await start({
          ...receiptsInMemory(),
          read() {
            reading.resolve(null);
            return late.promise;
          },
          write: async () => undefined,
        });
        const { answer, cancel } = ask(scenario);
        await reading.promise;
        rig.reads();
        cancel();
        expect(await answer).toMatchObject(cancelled);
        late.resolve(null);
        await rig.bridge.clock.settle();
        expect(rig.reads()).toEqual([]);
        await rig.bridge.close();
      }
      await start();
    },
  );

  clause(["HIST-80", "HIST-81"], "while Codex is being started answers at once", async () => {
    await start();
    const { codex, clock } = rig.bridge;
    codex.die({ code: 1 });
    await clock.settle();
    const held = codex.hold(requests.initialize);
    const { answer, cancel } = ask(scenarios[0]);
    await held.received();
    rig.reads();
    cancel();
    expect(await answer).toMatchObject(cancelled);
    held.fail(new CodexFailure(-32603, "late"));
    await clock.settle();
    expect(rig.reads()).toEqual([]);
  });

  test("at any moment ends that request alone: with its result, or cancelled and no read after", async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...scenarios), fc.nat(60), async (scenario, ticks) => {
        await start();
        const other = ask(scenarios[0]);
        const { answer, cancel } = ask(scenario);
        for (let tick = 0; tick < ticks; tick += 1) await new Promise((resolve) => setImmediate(resolve));
        cancel();
        const outcome = await answer;
        if (outcome instanceof Error) expect(outcome).toMatchObject(cancelled);
        expect(await other.answer).toHaveProperty("turns");
        await rig.bridge.clock.settle();
        await rig.bridge.close();
      }),
      { numRuns: 40 },
    );
    await start();
  });
});
