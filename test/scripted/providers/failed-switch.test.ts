import { afterEach, describe, expect, test } from "vitest";
import { requests } from "../../../src/generated/codex/methods.js";
import { hostRequests } from "../../../src/generated/contract/methods.js";
import { CodexFailure } from "../../../src/testing/scripted-codex/core.js";
import { recorded } from "../../../src/testing/scripted-codex/recorded.js";
import { clause } from "../../support/clause.js";
import { baseUrl, currentAddress, cwd, type ProvidersRig, routingsTold, startProviders } from "./rig.js";

let rig: ProvidersRig;

afterEach(() => rig.close());

const { method: turns } = requests.threadTurnsList;
const { method: leave } = requests.threadUnsubscribe;
const { method: open } = requests.threadResume;

const routing = (sessionId: string) => routingsTold(rig, sessionId);
const current = () => currentAddress(rig);

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
