import { afterEach, describe, expect } from "vitest";
import { requests } from "../../../src/generated/codex/methods.js";
import { hostRequests } from "../../../src/generated/contract/methods.js";
import { recorded } from "../../../src/testing/scripted-codex/recorded.js";
import { clause } from "../../support/clause.js";
import {
  baseUrl,
  currentAddress,
  cwd,
  nativeModels,
  option,
  type ProvidersRig,
  routingsTold,
  startProviders,
} from "./rig.js";

let rig: ProvidersRig;

afterEach(() => rig.close());

const { method: turns } = requests.threadTurnsList;
const { method: leave } = requests.threadUnsubscribe;
const { method: open } = requests.threadResume;

const retryable = { code: -32600, data: { codex: { retryable: true } } };

const routing = (sessionId: string) => routingsTold(rig, sessionId);
const current = () => currentAddress(rig);

describe("a switch", () => {
  clause(
    ["PROV-08", "PROV-26", "ROUTE-02", "ROUTE-05", "ROUTE-15", "ROUTE-16"],
    "checks every session, then leaves and opens each anew with the new entry",
    async () => {
      rig = await startProviders();
      const a = await rig.opened();
      const b = await rig.opened();
      const from = rig.mark();
      expect(await rig.set({ id: "gate", bearerToken: "token-1" })).toEqual({});
      expect(rig.asked(undefined, from)).toEqual([
        `${turns} ${a}`,
        `${turns} ${b}`,
        `${leave} ${a}`,
        `${open} ${a}`,
        `${leave} ${b}`,
        `${open} ${b}`,
      ]);
      for (const id of [a, b]) {
        expect(rig.threads.get(id)).toMatchObject({ provider: "gate", subscribed: true, model: "smart" });
        expect(rig.threads.get(id)?.entry).toMatchObject({ base_url: baseUrl, experimental_bearer_token: "token-1" });
        expect(routing(id)).toEqual([{ stale: false }]);
        expect(JSON.stringify(rig.optionUpdates(id))).not.toContain("gate.example");
      }
      await rig.begin(a);
    },
  );

  clause(["ROUTE-01", "PROV-02"], "is not what the list says until it has succeeded", async () => {
    rig = await startProviders();
    await rig.opened();
    const held = rig.codex.hold(requests.threadResume);
    const pending = rig.set({ id: "gate" });
    const { threadId } = await held.received();
    expect(await current()).toBeNull();
    const answer = recorded(requests.threadStart);
    held.answer({ ...answer, thread: { ...answer.thread, id: threadId }, modelProvider: "gate" });
    await pending;
    expect(await current()).toBe(baseUrl);
  });

  clause(["ROUTE-06"], "waits for the one before it", async () => {
    rig = await startProviders();
    const a = await rig.opened();
    const b = await rig.opened();
    const from = rig.mark();
    await Promise.all([rig.set({ id: "first" }), rig.set({ id: "second" }, { baseUrl: "https://two.example/v1" })]);
    const each = [`${turns} ${a}`, `${turns} ${b}`, `${leave} ${a}`, `${open} ${a}`, `${leave} ${b}`, `${open} ${b}`];
    expect(rig.asked(undefined, from)).toEqual([...each, ...each]);
    expect(await current()).toBe("https://two.example/v1");
    expect(rig.threads.get(a)?.provider).toBe("second");
  });

  clause(["ROUTE-07"], "lets nothing else begin", async () => {
    rig = await startProviders();
    const sessionId = await rig.opened();
    const other = await rig.opened();
    const held = rig.codex.hold(requests.threadResume);
    const pending = rig.set({ id: "gate" });
    await held.received();
    const { host } = rig;
    const refused = [
      rig.prompt(sessionId),
      rig.prompt(other),
      rig.open(),
      rig.fork(other),
      rig.choose(other, "quick"),
      host.request(hostRequests.sessionResume, { sessionId: other, cwd, mcpServers: [] }),
      host.request(hostRequests.sessionClose, { sessionId: other }),
      host.request(hostRequests.sessionDelete, { sessionId: other }),
      host.request(hostRequests.codexSessionArchive, { sessionId: other }),
      host.request(hostRequests.codexSessionUnarchive, { sessionId: other }),
    ];
    for (const it of refused) await expect(it).rejects.toMatchObject(retryable);
    const answer = recorded(requests.threadStart);
    held.answer({ ...answer, modelProvider: "gate" });
    await pending;
    await rig.begin(sessionId);
  });

  clause(["PROV-09", "ROUTE-08"], "does not begin during a turn", async () => {
    rig = await startProviders();
    const sessionId = await rig.opened();
    const turn = await rig.begin(sessionId);
    const from = rig.mark();
    await expect(rig.set({ id: "gate" })).rejects.toMatchObject({ ...retryable, data: { sessionId } });
    expect(rig.asked(undefined, from)).toEqual([]);
    turn.complete();
    await rig.clock.settle();
    await rig.set({ id: "gate" });
    await rig.begin(sessionId, 2);
    await expect(rig.disable()).rejects.toMatchObject(retryable);
    expect(await current()).toBe(baseUrl);
  });

  clause(["ROUTE-08", "CACHE-15"], "does not begin while a session is being opened or changed", async () => {
    rig = await startProviders();
    const sessionId = await rig.opened();
    const starting = rig.codex.hold(requests.threadStart);
    const opening = rig.open();
    await starting.received();
    await expect(rig.set({ id: "gate" })).rejects.toMatchObject(retryable);
    // Cancelled, it counts until Codex has answered.
    rig.host.notify({ method: "$/cancel_request" } as never, { requestId: rig.host.lastId - 1 } as never);
    await expect(opening).rejects.toMatchObject({ code: -32800 });
    await expect(rig.set({ id: "gate" })).rejects.toMatchObject(retryable);
    starting.answer(recorded(requests.threadStart));
    await rig.clock.settle();
    const resuming = rig.codex.hold(requests.threadResume);
    const resumed = rig.host.request(hostRequests.sessionResume, { sessionId, cwd, mcpServers: [] });
    await resuming.received();
    await expect(rig.set({ id: "gate" })).rejects.toMatchObject(retryable);
    const again = rig.host.request(hostRequests.sessionResume, { sessionId, cwd, mcpServers: [] });
    await expect(again).rejects.toMatchObject(retryable);
    const answer = recorded(requests.threadStart);
    resuming.answer({ ...answer, thread: { ...answer.thread, id: sessionId } });
    await resumed;
    await rig.clock.settle();
    await rig.clock.advance(30_000);
    const listing = rig.codex.hold(requests.modelList);
    const choosing = rig.choose(sessionId, "quick");
    await listing.received();
    await expect(rig.set({ id: "gate" })).rejects.toMatchObject(retryable);
    listing.answer({ data: [...nativeModels], nextCursor: null });
    await choosing;
    await rig.set({ id: "gate" });
  });

  clause(["ROUTE-03"], "is refused over a session without history, and nothing changes", async () => {
    rig = await startProviders();
    const full = await rig.opened();
    const { sessionId: empty } = await rig.open();
    await expect(rig.set({ id: "gate" })).rejects.toMatchObject({ code: -32600, data: { sessionId: empty } });
    expect(rig.codex.calls(requests.threadUnsubscribe)).toEqual([]);
    expect(await current()).toBeNull();
    await rig.begin(full);
  });

  clause(["ROUTE-04"], "succeeds once the host has closed what is empty", async () => {
    rig = await startProviders();
    const { sessionId } = await rig.open();
    await rig.host.request(hostRequests.sessionClose, { sessionId });
    await rig.set({ id: "gate" });
    await rig.open();
    expect(rig.codex.calls(requests.threadStart).at(-1)?.params.modelProvider).toBe("gate");
  });
});

describe("work on one session", () => {
  clause(["ROUTE-09"], "does not overlap, nor do prompts come between", async () => {
    rig = await startProviders();
    const sessionId = await rig.opened();
    const other = await rig.opened();
    await rig.clock.advance(30_000);
    const held = rig.codex.hold(requests.modelList);
    const first = rig.choose(sessionId, "quick");
    await held.received();
    const { host } = rig;
    for (const it of [
      rig.choose(sessionId, "smart"),
      rig.prompt(sessionId),
      host.request(hostRequests.sessionResume, { sessionId, cwd, mcpServers: [] }),
      host.request(hostRequests.sessionClose, { sessionId }),
      host.request(hostRequests.sessionDelete, { sessionId }),
    ]) {
      await expect(it).rejects.toMatchObject({ ...retryable, data: { sessionId } });
    }
    await rig.prompt(other);
    held.answer({ data: [...nativeModels], nextCursor: null });
    expect(option(await first, "model")?.currentValue).toBe("quick");
    await rig.prompt(sessionId);
  });

  clause(["ROUTE-10"], "is not held off by a turn on another", async () => {
    rig = await startProviders();
    const sessionId = await rig.opened();
    await rig.begin(sessionId);
    const other = await rig.opened();
    await rig.choose(other, "quick");
    await rig.prompt(other);
  });
});
