import { afterEach, describe, expect, test } from "vitest";
import { notifications, requests } from "../../../src/generated/codex/methods.js";
import { agentNotifications, hostRequests } from "../../../src/generated/contract/methods.js";
import { nextTurn } from "../../../src/testing/scripted-codex/turn.js";
import { clause } from "../../support/clause.js";
import { type ConfigRig, efforts, fast, model, option, startConfig, values, workspace } from "./rig.js";

let rig: ConfigRig;

afterEach(() => rig.bridge.close());

const smart = model({ id: "smart", supportedReasoningEfforts: efforts("low", "high", "xhigh"), serviceTiers: fast });
const plain = model({
  id: "plain",
  supportedReasoningEfforts: efforts("low", "medium"),
  defaultReasoningEffort: "medium",
});
const hidden = model({ id: "hidden", hidden: true });

const prompt = async (sessionId: string, n = 1) => {
  await rig.bridge.host.request(hostRequests.sessionPrompt, { sessionId, prompt: [{ type: "text", text: "go" }] });
  const turn = await nextTurn(rig.bridge.codex, n);
  turn.begin();
  turn.complete();
  await rig.bridge.host.idle(sessionId, n);
  return rig.bridge.codex.received(requests.turnStart, n);
};

describe("the option list", () => {
  clause(["CONF-02", "CONF-03", "CONF-05"], "follows the catalog and the model", async () => {
    rig = await startConfig([smart, plain, hidden]);
    const { options } = await rig.open("smart", "high");
    expect(options.map(({ configId, category, type }) => ({ configId, category, type }))).toEqual([
      { configId: "mode", category: "mode", type: "select" },
      { configId: "model", category: "model", type: "select" },
      { configId: "effort", category: "thought_level", type: "select" },
      { configId: "collaboration_mode", category: "model_config", type: "select" },
      { configId: "fast_mode", category: "model_config", type: "boolean" },
    ]);
    expect(values(option(options, "model"))).toEqual(["smart", "plain"]);
    expect(option(options, "effort")).toMatchObject({ currentValue: "high" });
    expect(values(option(options, "effort"))).toEqual(["low", "high", "xhigh"]);
    expect(option(options, "fast_mode")).toMatchObject({ currentValue: false });
  });

  clause(["CONF-02"], "has the current model whatever the catalog says", async () => {
    rig = await startConfig([smart]);
    const { options } = await rig.open("own-model");
    expect(option(options, "model")).toMatchObject({ currentValue: "own-model" });
    expect(values(option(options, "model"))).toEqual(["own-model", "smart"]);
    expect(option(options, "effort")).toBeUndefined();
  });

  clause(["CONF-05"], "has no fast mode for a model without the tier", async () => {
    rig = await startConfig([plain]);
    const { options } = await rig.open("plain");
    expect(option(options, "fast_mode")).toBeUndefined();
  });

  test("names a model by its catalog id, and Codex hears its name", async () => {
    rig = await startConfig([plain, model({ id: "catalog-id", model: "wire-name" })]);
    const { sessionId, options } = await rig.open("plain");
    expect(values(option(options, "model"))).toContain("catalog-id");
    const changed = await rig.set(sessionId, "model", "catalog-id");
    expect(option(changed, "model")).toMatchObject({ currentValue: "catalog-id" });
    expect(await prompt(sessionId)).toMatchObject({ model: "wire-name" });
  });
});

describe("a change", () => {
  clause(["UPD-17"], "is the result and an update, and goes with the next turn alone", async () => {
    rig = await startConfig([smart, plain]);
    const { sessionId } = await rig.open("smart", "low");
    const changed = await rig.set(sessionId, "mode", "agent-full-access");
    await rig.bridge.clock.settle();
    const updates = rig.bridge.host.updates(sessionId).filter((it) => it.sessionUpdate === "config_option_update");
    expect(updates).toEqual([{ sessionUpdate: "config_option_update", configOptions: changed }]);
    expect(await prompt(sessionId)).toMatchObject({
      approvalPolicy: "never",
      sandboxPolicy: { type: "dangerFullAccess" },
    });
    const second = await prompt(sessionId, 2);
    expect(second).not.toHaveProperty("approvalPolicy");
    expect(second).not.toHaveProperty("sandboxPolicy");
  });

  clause(["CONF-06", "CONF-07"], "of the model takes along only what the new one supports", async () => {
    rig = await startConfig([smart, plain]);
    const { sessionId } = await rig.open("smart", "xhigh");
    await rig.set(sessionId, "fast_mode", true);
    const changed = await rig.set(sessionId, "model", "plain");
    expect(option(changed, "effort")).toMatchObject({ currentValue: "medium" });
    expect(option(changed, "fast_mode")).toBeUndefined();
    const sent = await prompt(sessionId);
    expect(sent).toMatchObject({ model: "plain", effort: "medium" });
    expect(sent).not.toHaveProperty("serviceTier");
  });

  test("of fast mode has a name for off", async () => {
    rig = await startConfig([smart]);
    const { sessionId } = await rig.open("smart", "low");
    await rig.set(sessionId, "fast_mode", true);
    expect(await prompt(sessionId)).toMatchObject({ serviceTier: "priority" });
    await rig.set(sessionId, "fast_mode", false);
    expect(await prompt(sessionId, 2)).toMatchObject({ serviceTier: "default" });
  });

  test("between the prompt and the turn still counts", async () => {
    rig = await startConfig([smart]);
    const { sessionId } = await rig.open("smart", "low");
    const { codex, host, clock } = rig.bridge;
    await clock.settle();
    codex.notify(notifications.skillsChanged, {});
    const skills = codex.hold(requests.skillsList);
    await host.request(hostRequests.sessionPrompt, { sessionId, prompt: [{ type: "text", text: "go" }] });
    await clock.settle();
    await rig.set(sessionId, "effort", "high");
    skills.answer({ data: [] });
    expect(await codex.received(requests.turnStart)).toMatchObject({ effort: "high" });
    const turn = await nextTurn(codex);
    turn.begin();
    turn.complete();
    await host.idle(sessionId);
  });

  test.each([
    { configId: "colour", value: "red", want: /colour.*mode, model/s },
    { configId: "mode", value: "root", want: /read-only, agent, agent-full-access/ },
    { configId: "effort", value: "bogus", want: /low, high, xhigh/ },
    { configId: "fast_mode", value: "yes", want: /true, false/ },
    { configId: "mode", value: true, want: /read-only/ },
  ])("to $configId $value is refused, names what there is, and changes nothing", async ({ configId, value, want }) => {
    rig = await startConfig([smart]);
    const { sessionId, options } = await rig.open("smart", "low");
    const refused = rig.set(sessionId, configId, value);
    await expect(refused).rejects.toMatchObject({ code: -32602, message: expect.stringMatching(want) });
    expect(await rig.set(sessionId, "mode", "agent")).toEqual(
      options.map((it) => (it.configId === "mode" ? { ...it, currentValue: "agent" } : it)),
    );
  });

  test("to what only looks like a value as text is refused", async () => {
    rig = await startConfig([smart]);
    const { sessionId } = await rig.open("smart", "low");
    for (const value of [["agent"], { toString: 1 }, [["agent"]], null, 0]) {
      const params = { sessionId, configId: "mode", type: "later", value };
      const refused = rig.bridge.host.call(hostRequests.sessionSetConfigOption.method, params);
      await expect(refused).rejects.toMatchObject({ code: -32602, message: expect.stringMatching(/read-only, agent/) });
    }
  });

  test("of an unknown session is refused by its id", async () => {
    rig = await startConfig([smart]);
    await expect(rig.set("nobody", "mode", "agent")).rejects.toMatchObject({
      code: -32002,
      data: { sessionId: "nobody" },
    });
  });
});

describe("what changes elsewhere", () => {
  clause(["CACHE-12"], "an account that changes brings the options anew", async () => {
    rig = await startConfig([smart]);
    const { sessionId } = await rig.open("smart", "low");
    rig.bridge.codex.on(requests.modelList, () => ({ data: [smart, plain], nextCursor: null }));
    rig.bridge.codex.notify(notifications.accountUpdated, { authMode: "chatgpt", planType: null });
    const update = await rig.bridge.host.update(sessionId, (it) => it.sessionUpdate === "config_option_update");
    expect(JSON.stringify(update)).toContain('"plain"');
  });

  test("another client's settings are followed, and those of our own turn say nothing new", async () => {
    rig = await startConfig([smart, plain]);
    const { sessionId } = await rig.open("smart", "low");
    const { codex, host, clock } = rig.bridge;
    const settings = (effort: string) => ({
      threadId: sessionId,
      threadSettings: {
        approvalPolicy: "on-request" as const,
        approvalsReviewer: "user" as const,
        collaborationMode: { mode: "default" as const, settings: { model: "smart" } },
        cwd: "/home/user/project",
        effort,
        model: "smart",
        modelProvider: "openai",
        sandboxPolicy: workspace,
      },
    });
    codex.notify(notifications.threadSettingsUpdated, settings("low"));
    await clock.settle();
    const seen = () => host.updates(sessionId).filter((it) => it.sessionUpdate === "config_option_update");
    expect(seen()).toEqual([]);
    codex.notify(notifications.threadSettingsUpdated, settings("high"));
    await clock.settle();
    expect(seen()).toHaveLength(1);
    expect(JSON.stringify(seen()[0])).toMatch(/"effort".*?"currentValue":"high"/);
    expect(host.notifications(agentNotifications.sessionUpdate).length).toBeGreaterThan(0);
    expect(await prompt(sessionId)).not.toHaveProperty("effort");
  });
});
