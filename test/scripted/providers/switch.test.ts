import { afterEach, describe, expect, test } from "vitest";
import { requests } from "../../../src/generated/codex/methods.js";
import { hostRequests } from "../../../src/generated/contract/methods.js";
import { CodexFailure } from "../../../src/testing/scripted-codex/core.js";
import { recorded } from "../../../src/testing/scripted-codex/recorded.js";
import { clause } from "../../support/clause.js";
import { baseUrl, cwd, nativeModels, option, type ProvidersRig, startProviders } from "./rig.js";

let rig: ProvidersRig;

afterEach(() => rig.close());

const { method: turns } = requests.threadTurnsList;
const { method: leave } = requests.threadUnsubscribe;
const { method: open } = requests.threadResume;

const retryable = { code: -32600, data: { codex: { retryable: true } } };

const routing = (sessionId: string) =>
  rig.optionUpdates(sessionId).map(({ _meta }) => Object(_meta?.["codex"]).routing);

/** The current address of new sessions. */
const current = async () => (await rig.list()).providers[0]?.current?.baseUrl ?? null;

/** Has Codex refuse the resumptions of that session while `refuses` says so. */
function refuseResume(sessionId: string, refuses: (provider: string | null | undefined) => boolean): void {
  const { codex, threads } = rig;
  codex.on(requests.threadResume, (params) => {
    const it = threads.get(params.threadId);
    if (!it) throw new CodexFailure(-32600, "unknown");
    if (params.threadId === sessionId && refuses(params.modelProvider)) {
      throw new CodexFailure(-32600, `no way to ${JSON.stringify(params.config ?? null)}`);
    }
    if (!it.subscribed) {
      it.provider = params.modelProvider ?? it.provider;
      it.model = params.model ?? it.model;
      it.subscribed = true;
    }
    const answer = recorded(requests.threadStart);
    const thread = {
      ...answer.thread,
      id: params.threadId,
      sessionId: params.threadId,
      cwd,
      modelProvider: it.provider,
    };
    return { ...answer, thread, model: it.model, modelProvider: it.provider };
  });
}

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

describe("a switch that fails", () => {
  clause(
    ["ROUTE-11", "ROUTE-12", "ROUTE-17", "PROV-02"],
    "puts back every session that it tried, the failed one too",
    async () => {
      rig = await startProviders();
      const a = await rig.opened();
      const b = await rig.opened();
      const c = await rig.opened();
      refuseResume(b, (provider) => provider === "gate");
      const from = rig.mark();
      const secret = "secret-of-gate";
      await expect(rig.set({ id: "gate", bearerToken: secret })).rejects.toMatchObject({
        code: -32603,
        message: expect.stringContaining("no way to"),
        data: { attemptedSessions: [a, b], staleSessions: [] },
      });
      expect(rig.asked(a, from)).toEqual([turns, leave, open, leave, open]);
      expect(rig.asked(b, from)).toEqual([turns, leave, open, leave, open]);
      expect(rig.asked(c, from)).toEqual([turns]);
      for (const id of [a, b, c]) {
        expect(rig.threads.get(id)).toMatchObject({ provider: "openai", subscribed: true });
        expect(routing(id)).toEqual([]);
        await rig.prompt(id);
      }
      expect(await current()).toBeNull();
      expect(JSON.stringify(rig.host.frames())).not.toContain(secret);
    },
  );

  clause(
    ["ROUTE-12", "ROUTE-13", "ROUTE-14", "ROUTE-16"],
    "marks what it could not put back, until that is opened or moved again",
    async () => {
      rig = await startProviders();
      const a = await rig.opened();
      const b = await rig.opened();
      let broken = true;
      refuseResume(b, () => broken);
      await expect(rig.set({ id: "gate" })).rejects.toMatchObject({
        data: { attemptedSessions: [a, b], staleSessions: [b] },
      });
      expect(routing(b)).toEqual([{ stale: true }]);
      expect(routing(a)).toEqual([]);
      expect(JSON.stringify(rig.optionUpdates(b))).not.toContain("gate.example");
      const stale = { code: -32600, data: { sessionId: b, codex: { routing: { stale: true } } } };
      await expect(rig.prompt(b)).rejects.toMatchObject(stale);
      await rig.prompt(a);
      broken = false;
      await rig.host.request(hostRequests.sessionResume, { sessionId: b, cwd, mcpServers: [] });
      expect(rig.codex.calls(requests.threadResume).at(-1)?.params).toMatchObject({ modelProvider: "openai" });
      await rig.prompt(b);
    },
  );

  clause(["ROUTE-14", "ROUTE-15"], "and a later switch that succeeds makes certain what was not", async () => {
    rig = await startProviders();
    const sessionId = await rig.opened();
    let broken = true;
    refuseResume(sessionId, () => broken);
    await expect(rig.set({ id: "gate" })).rejects.toMatchObject({ data: { staleSessions: [sessionId] } });
    broken = false;
    await rig.set({ id: "gate" });
    expect(routing(sessionId)).toEqual([{ stale: true }, { stale: false }]);
    expect(rig.threads.get(sessionId)?.provider).toBe("gate");
    await rig.prompt(sessionId);
  });

  test("marks a session whose resumption is answered too late for anyone to know", async () => {
    rig = await startProviders();
    const sessionId = await rig.opened();
    const held = rig.codex.hold(requests.threadResume);
    const pending = rig.set({ id: "gate" });
    await held.received();
    const refused = expect(pending).rejects.toMatchObject({
      message: expect.stringContaining("20 s"),
      data: { attemptedSessions: [sessionId], staleSessions: [sessionId] },
    });
    await rig.clock.advance(20_000);
    await refused;
    const answer = recorded(requests.threadStart);
    held.answer({ ...answer, modelProvider: "gate" });
    await rig.clock.settle();
    expect(await current()).toBeNull();
    await expect(rig.prompt(sessionId)).rejects.toMatchObject({ data: { codex: { routing: { stale: true } } } });
    await rig.set({ id: "gate" });
    await rig.prompt(sessionId);
  });

  test("says when Codex is lost, and the sessions go on where they were", async () => {
    rig = await startProviders();
    const sessionId = await rig.opened();
    const held = rig.codex.hold(requests.threadResume);
    const pending = rig.set({ id: "gate" });
    await held.received();
    rig.codex.die();
    await expect(pending).rejects.toMatchObject({
      code: -32603,
      data: { attemptedSessions: [sessionId], staleSessions: [] },
    });
    await rig.begin(sessionId);
    expect(rig.codex.calls(requests.threadResume).at(-1)?.params).toMatchObject({ modelProvider: "openai" });
    expect(await current()).toBeNull();
  });

  test("when the Codex turns out to keep threads where they are, and says so from then on", async () => {
    rig = await startProviders({ version: "0.163.0", moves: false });
    const sessionId = await rig.opened();
    await expect(rig.set({ id: "gate" })).rejects.toMatchObject({
      code: -32600,
      data: { sessionId, codex: { reason: "provider_fixed", provider: "openai" } },
    });
    expect(rig.threads.get(sessionId)).toMatchObject({ provider: "openai", subscribed: true });
    expect(await rig.set({ id: "gate" })).toEqual({ _meta: { codex: { untouchedSessions: [sessionId] } } });
    expect(await current()).toBe(baseUrl);
  });
});

describe("a Codex that turns out to have but one provider", () => {
  test("takes no gateway from then on", async () => {
    rig = await startProviders({ version: "0.163.0" });
    const sessionId = await rig.opened();
    const { threads } = rig;
    rig.codex.on(requests.threadResume, ({ threadId, modelProvider }) => {
      if (modelProvider !== "openai") {
        const data = { type: "modelProviderMismatch", modelProvider, currentModelProvider: "openai" };
        throw new CodexFailure(-32600, "This chat uses another model provider.", data);
      }
      const it = threads.get(threadId);
      if (it) it.subscribed = true;
      const answer = recorded(requests.threadStart);
      return { ...answer, thread: { ...answer.thread, id: threadId }, modelProvider };
    });
    const unsupported = { code: -32600, data: { codex: { reason: "gateways_unsupported", version: "0.163.0" } } };
    await expect(rig.set({ id: "gate" })).rejects.toMatchObject(unsupported);
    const from = rig.mark();
    await expect(rig.set({ id: "gate" })).rejects.toMatchObject(unsupported);
    expect(rig.mark()).toBe(from);
    await rig.prompt(sessionId);
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
