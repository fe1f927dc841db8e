import { readdir } from "node:fs/promises";
import { afterEach, describe, expect, vi } from "vitest";
import { hostNotifications, hostRequests } from "../../src/generated/contract/methods.js";
import { applyPatch, message, stall } from "../../src/testing/scripted-model/steps.js";
import { clause } from "../support/clause.js";
import { codexes } from "../support/codexes.js";
import { type Host, isUpdate, type Update } from "../support/host.js";
import { type RealBridge, type RealBridgeOptions, startRealBridge } from "../support/real-bridge.js";
import { greet, type SecondAgent, startSecondAgent } from "../support/second-agent.js";

let bridge: RealBridge;
let second: SecondAgent | null = null;

afterEach(async () => {
  await second?.close();
  second = null;
  await bridge.close();
});

const scripts: RealBridgeOptions["scripts"] = [
  { key: "FIRST", steps: [message({ text: "The first answer.", phase: "final_answer" })] },
  { key: "SECOND", steps: [message({ text: "The second answer.", phase: "final_answer" })] },
  { key: "THIRD", steps: [message({ text: "The third answer.", phase: "final_answer" })] },
  { key: "STALL", steps: [stall()] },
];

describe.each(codexes)("Codex $version", (codex) => {
  async function start(options: Partial<RealBridgeOptions> = {}): Promise<void> {
    bridge = await startRealBridge({ codex, git: true, scripts, ...options });
    await greet(bridge.host);
  }

  const base = () => ({ cwd: bridge.home.workspace, mcpServers: [] });

  async function turn(host: Host, sessionId: string, text: string): Promise<void> {
    const idles = host.updates(sessionId).filter((it) => isUpdate("state_update")(it) && it.state === "idle").length;
    await host.request(hostRequests.sessionPrompt, { sessionId, prompt: [{ type: "text", text }] });
    await host.idle(sessionId, idles + 1);
  }

  async function openWith(...prompts: string[]): Promise<string> {
    const { sessionId } = await bridge.host.request(hostRequests.sessionNew, base());
    for (const text of prompts) await turn(bridge.host, sessionId, text);
    return sessionId;
  }

  /** Codex holds a closed thread for a while; only the end of its process lets go at once. */
  async function endFirst(): Promise<void> {
    bridge.host.close();
    await bridge.waits.within("the first agent to end", bridge.agent.exited);
  }

  const codexOf = (it: Update): Readonly<Record<string, unknown>> => Object(Object(it._meta).codex);

  /** What was said, by whoever said it, with the turn it belongs to: live chunks are put together. */
  function said(updates: readonly Update[]) {
    const texts = new Map<string, { kind: string; text: string; turnId: unknown; turnStartedAt: unknown }>();
    for (const it of updates) {
      if (!/^(?:user|agent)_message/.test(it.sessionUpdate) || !("messageId" in it)) continue;
      const id = String(it.messageId);
      const known = texts.get(id) ?? { kind: "", text: "", turnId: undefined, turnStartedAt: undefined };
      const { content } = it as { readonly content?: unknown };
      const blocks = Array.isArray(content) ? content : content === undefined || content === null ? [] : [content];
      const text = blocks.map((block) => String(Object(block).text ?? "")).join("");
      const { turnId, turnStartedAt } = codexOf(it);
      texts.set(id, {
        kind: it.sessionUpdate.replace("_chunk", ""),
        text: it.sessionUpdate.endsWith("_chunk") ? known.text + text : text === "" ? known.text : text,
        turnId: turnId ?? known.turnId,
        turnStartedAt: turnStartedAt ?? known.turnStartedAt,
      });
    }
    return [...texts.values()];
  }

  const words = (updates: readonly Update[]): string[] => said(updates).map(({ text }) => text);

  /** Updates of a session that left the agent before the answer to the request `id`. */
  function beforeAnswer(host: Host, sessionId: string, id: number): Update[] {
    const frames = host.frames();
    const answer = frames.findIndex((frame) => frame["id"] === id && "result" in frame);
    return frames.slice(0, answer).flatMap(({ params }) => {
      const { sessionId: of, update } = Object(params);
      return of === sessionId ? [update] : [];
    });
  }

  clause(
    ["SESS-06", "SESS-08", "BRANCH-05", "BRANCH-06", "BRANCH-08"],
    "the real Codex's record comes back as it was told live, before the answer, and only when it is asked for",
    async () => {
      await start();
      const { host } = bridge;
      const opened = await host.request(hostRequests.sessionNew, base());
      const { sessionId } = opened;
      expect(opened._meta).toEqual({ codex: { nativeSessionId: sessionId, forkedFromId: null } });
      await turn(host, sessionId, "FIRST");
      await turn(host, sessionId, "SECOND");
      const live = said(host.updates(sessionId));
      expect(live.map(({ text }) => text)).toEqual(["FIRST", "The first answer.", "SECOND", "The second answer."]);
      for (const { turnId, turnStartedAt } of live) {
        expect(turnId).toEqual(expect.any(String));
        expect(turnStartedAt).toEqual(expect.any(Number));
      }
      await endFirst();

      second = await startSecondAgent(bridge);
      const fresh = second.host;
      const plain = await fresh.request(hostRequests.sessionResume, { ...base(), sessionId });
      expect(plain._meta).toMatchObject({ codex: { nativeSessionId: sessionId, forkedFromId: null } });
      expect(said(beforeAnswer(fresh, sessionId, fresh.lastId))).toEqual([]);
      await fresh.request(hostRequests.sessionClose, { sessionId });

      const heard = fresh.updates(sessionId).length;
      await fresh.request(hostRequests.sessionResume, { ...base(), sessionId, replayFrom: { type: "start" } });
      const replayed = beforeAnswer(fresh, sessionId, fresh.lastId).slice(heard);
      expect(said(replayed)).toEqual(live);
      await turn(fresh, sessionId, "THIRD");
      expect(words(fresh.updates(sessionId)).at(-1)).toBe("The third answer.");
    },
  );

  clause(
    ["SESS-15", "SESS-16", "BRANCH-02", "BRANCH-03", "BRANCH-04", "BRANCH-21", "BRANCH-22"],
    "the real Codex forks whole and at a turn, while the source goes on",
    async () => {
      await start();
      const { host } = bridge;
      const source = await openWith("FIRST", "SECOND");
      const [first] = said(host.updates(source));
      const turns = [...new Set(said(host.updates(source)).map(({ turnId }) => turnId))];
      const fork = (codex?: object) =>
        host.call(hostRequests.sessionFork.method, {
          ...base(),
          sessionId: source,
          ...(codex && { _meta: { codex } }),
        });

      await host.request(hostRequests.sessionPrompt, { sessionId: source, prompt: [{ type: "text", text: "STALL" }] });
      await host.update(source, (it) => isUpdate("state_update")(it) && it.state === "running");
      const whole = Object(await fork());
      expect(whole._meta.codex).toMatchObject({ forkedFromId: source });
      expect(words(host.updates(whole.sessionId)).slice(0, 4)).toEqual([
        "FIRST",
        "The first answer.",
        "SECOND",
        "The second answer.",
      ]);
      const cut = Object(await fork({ lastTurnId: first?.turnId }));
      expect(words(host.updates(cut.sessionId))).toEqual(["FIRST", "The first answer."]);
      expect(cut._meta.codex).toMatchObject({ forkedFromId: source, forkedAtTurnId: turns[0] });

      const running = Object(codexOf(host.updates(source).at(-1) as Update)).turnId ?? "none";
      const item = host.updates(source).findLast((it) => "messageId" in it);
      for (const lastTurnId of ["no such turn", String(running), String(Object(item).messageId)]) {
        await expect(fork({ lastTurnId }), lastTurnId).rejects.toMatchObject({ code: expect.any(Number) });
      }
      host.notify(hostNotifications.sessionCancel, { sessionId: source });
      await host.idle(source, 3);
      await turn(host, source, "THIRD");
      expect(words(host.updates(source)).at(-1)).toBe("The third answer.");

      await turn(host, cut.sessionId, "SECOND");
      await endFirst();
      second = await startSecondAgent(bridge);
      const again = await second.host.request(hostRequests.sessionResume, {
        ...base(),
        sessionId: cut.sessionId,
        replayFrom: { type: "start" },
      });
      expect(again._meta).toMatchObject({ codex: { forkedFromId: source, forkedAtTurnId: turns[0] } });
    },
  );

  clause(
    ["SESS-10", "SESS-11", "SESS-12", "SESS-13", "SESS-14"],
    "what another Codex holds can be viewed, and is taken over once it is free",
    async () => {
      await start();
      const sessionId = await openWith("FIRST");
      second = await startSecondAgent(bridge);
      const viewer = second.host;
      const resume = () =>
        viewer.request(hostRequests.sessionResume, { ...base(), sessionId, replayFrom: { type: "start" } });
      const viewing = await resume();
      expect(viewing._meta).toMatchObject({ codex: { readOnly: true, reason: "active_writer" } });
      expect(words(viewer.updates(sessionId))).toEqual(["FIRST", "The first answer."]);
      const refused = {
        code: -32600,
        message: "Thread is open in another Codex client",
        data: { codex: { readOnly: true } },
      };
      const prompt = { sessionId, prompt: [{ type: "text" as const, text: "SECOND" }] };
      await expect(viewer.request(hostRequests.sessionPrompt, prompt)).rejects.toMatchObject(refused);
      const option = { sessionId, configId: "mode", type: "id" as const, value: "agent" };
      await expect(viewer.request(hostRequests.sessionSetConfigOption, option)).rejects.toMatchObject(refused);
      const told = viewer.updates(sessionId).length;
      viewer.notify(hostNotifications.sessionCancel, { sessionId });
      await expect(viewer.request(hostRequests.sessionPrompt, prompt)).rejects.toMatchObject(refused);
      expect(viewer.updates(sessionId)).toHaveLength(told);

      await endFirst();
      const taken = await resume();
      expect(taken._meta).not.toHaveProperty(["codex", "readOnly"]);
      await turn(viewer, sessionId, "SECOND");
      expect(words(viewer.updates(sessionId)).at(-1)).toBe("The second answer.");
    },
  );

  clause(["CANCEL-19"], "the record of a turn that still runs comes before the answer, too", async () => {
    await start();
    const { host } = bridge;
    const sessionId = await openWith("FIRST");
    await host.request(hostRequests.sessionPrompt, { sessionId, prompt: [{ type: "text", text: "STALL" }] });
    await host.update(sessionId, (it) => isUpdate("state_update")(it) && it.state === "running");
    // Codex records a prompt once its model has been asked.
    await vi.waitFor(() => expect(bridge.model.requests.some(({ key }) => key === "STALL")).toBe(true), 10_000);
    const heard = host.updates(sessionId).length;
    await host.request(hostRequests.sessionResume, { ...base(), sessionId, replayFrom: { type: "start" } });
    const replayed = beforeAnswer(host, sessionId, host.lastId).slice(heard);
    // Clocks of the running turn may still arrive; they have no content.
    expect(words(replayed.filter((it) => "content" in it))).toEqual(["FIRST", "The first answer.", "STALL"]);
    expect(replayed.filter(isUpdate("state_update")).at(-1)).toMatchObject({ state: "running" });
    host.notify(hostNotifications.sessionCancel, { sessionId });
    await host.update(
      sessionId,
      (it) => isUpdate("state_update")(it) && it.state === "idle" && it.stopReason === "cancelled",
    );
  });

  clause(
    ["BRANCH-12", "BRANCH-13", "BRANCH-20"],
    "a fork into another folder is in the whole list, after a restart too",
    async () => {
      await start();
      const { host, home } = bridge;
      const source = await openWith("FIRST");
      const fork = { sessionId: source, cwd: home.home, mcpServers: [] };
      const { sessionId } = await host.request(hostRequests.sessionFork, fork);
      const listed = async (of: Host, cwd?: string) => {
        const { sessions } = await of.request(hostRequests.sessionList, cwd === undefined ? {} : { cwd });
        return sessions.map((it) => [it.sessionId, Object(it._meta).codex.forkedFromId]).sort();
      };
      const both = [
        [source, null],
        [sessionId, source],
      ].sort();
      expect(await listed(host, home.workspace)).toEqual([[source, null]]);
      expect(await listed(host)).toEqual(both);
      await endFirst();
      second = await startSecondAgent(bridge);
      const files = async () =>
        (await readdir(home.codexHome, { recursive: true })).filter((name) => !/sqlite|^log|tmp/.test(name)).sort();
      const kept = await files();
      expect(await listed(second.host)).toEqual(both);
      expect(await listed(second.host, home.home)).toEqual([[sessionId, source]]);
      expect(await files()).toEqual(kept);
    },
  );

  clause(["CONF-01", "CONF-04"], "the options of a session of the real Codex", async () => {
    await start();
    const { configOptions } = await bridge.host.request(hostRequests.sessionNew, base());
    const of = (id: string) => Object(configOptions?.find(({ configId }) => configId === id));
    const values = (id: string): unknown => of(id).options.map(({ value }: { value: string }) => value);
    expect(of("mode")).toMatchObject({ category: "mode", type: "select", currentValue: "agent" });
    expect(values("mode")).toEqual(["read-only", "agent", "agent-full-access"]);
    expect(of("collaboration_mode")).toMatchObject({
      category: "model_config",
      type: "select",
      currentValue: "default",
    });
    expect(values("collaboration_mode")).toEqual(["default", "plan"]);
  });

  clause(["ROLL-06"], "a deletion that the real Codex made shows every line that went", async () => {
    await start({
      files: { "gone.txt": "hello\nworld\n" },
      env: { INITIAL_AGENT_MODE: "agent-full-access" },
      scripts: [
        {
          key: "DELETE",
          steps: [applyPatch("*** Begin Patch\n*** Delete File: gone.txt\n*** End Patch\n"), message("Deleted.")],
        },
      ],
    });
    const sessionId = await openWith("DELETE");
    const call = bridge.host.updates(sessionId).filter(isUpdate("tool_call_update"));
    const patch = JSON.stringify(call.map(({ content }) => content ?? []));
    for (const line of ["-hello", "-world"]) expect(patch).toContain(line);
  });
});
