import { afterEach, describe, expect, test } from "vitest";
import { notifications, requests } from "../../../src/generated/codex/methods.js";
import type { SkillMetadata } from "../../../src/generated/codex/types.js";
import { agentNotifications, hostNotifications, hostRequests } from "../../../src/generated/contract/methods.js";
import { recorded } from "../../../src/testing/scripted-codex/recorded.js";
import { nextTurn, turnOf } from "../../../src/testing/scripted-codex/turn.js";
import type { Bridge } from "../../support/bridge.js";
import { startBridge } from "../../support/bridge-agent.js";
import { clause } from "../../support/clause.js";
import { isUpdate } from "../../support/host.js";

let bridge: Bridge;

afterEach(() => bridge.close());

const skill = (name: string, fields: Partial<SkillMetadata> = {}): SkillMetadata => ({
  name,
  description: `${name} does things`,
  enabled: true,
  path: `/home/user/skills/${name}/SKILL.md`,
  scope: "user",
  ...fields,
});

let skills: SkillMetadata[] = [];

async function start(): Promise<void> {
  bridge = startBridge();
  skills = [skill("alpha")];
  bridge.codex.on(requests.skillsList, ({ cwds }) => ({
    data: (cwds ?? []).map((cwd) => ({ cwd, errors: [], skills })),
  }));
  bridge.codex.on(requests.skillsExtraRootsSet, () => ({}));
  bridge.codex.on(requests.accountLogout, () => ({}));
  let threads = 0;
  bridge.codex.on(requests.threadStart, ({ cwd }) => {
    threads += 1;
    const answer = recorded(requests.threadStart);
    const id = `thread-${threads}`;
    return { ...answer, thread: { ...answer.thread, id, sessionId: id, cwd: cwd ?? answer.thread.cwd } };
  });
  await bridge.host.request(hostRequests.initialize, {
    protocolVersion: 2,
    info: { name: "test", version: "0" },
    capabilities: {},
  });
}

async function open(additionalDirectories: string[] = [], cwd = "/home/user/project"): Promise<string> {
  const { sessionId } = await bridge.host.request(hostRequests.sessionNew, {
    cwd,
    additionalDirectories,
    mcpServers: [],
  });
  await bridge.clock.settle();
  return sessionId;
}

const commands = (sessionId: string) => bridge.host.updates(sessionId).filter(isUpdate("available_commands_update"));
const names = (sessionId: string) =>
  commands(sessionId)
    .at(-1)
    ?.availableCommands.map(({ name }) => name);
const lists = () => bridge.codex.calls(requests.skillsList).length;
const rootsSet = () => bridge.codex.calls(requests.skillsExtraRootsSet).map(({ params }) => params.extraRoots);

async function prompt(sessionId: string): Promise<void> {
  await bridge.host.request(hostRequests.sessionPrompt, { sessionId, prompt: [{ type: "text", text: "go" }] });
  await bridge.clock.settle();
}

async function turn(sessionId: string, n: number): Promise<void> {
  await prompt(sessionId);
  const script = await nextTurn(bridge.codex, n);
  script.begin();
  script.complete();
  await bridge.clock.settle();
}

describe("commands", () => {
  test("come after the response: the built-in ones, then one for each enabled skill", async () => {
    await start();
    skills = [skill("alpha"), skill("off", { enabled: false }), skill("alpha"), skill("has space")];
    const sessionId = await open();
    expect(names(sessionId)).toEqual([
      ...["review", "review-branch", "review-commit", "compact", "plan", "status", "mcp", "skills", "logout"],
      "$alpha",
    ]);
    const { host } = bridge;
    const order = host.frames().map((frame) => ("result" in frame ? "result" : JSON.stringify(frame)));
    expect(order.findIndex((it) => it.includes("available_commands_update"))).toBeGreaterThan(
      order.lastIndexOf("result"),
    );
  });

  clause(["CACHE-01"], "are not read again while nothing changed", async () => {
    await start();
    const sessionId = await open();
    const before = lists();
    await turn(sessionId, 1);
    await turn(sessionId, 2);
    expect(lists()).toBe(before);
    expect(commands(sessionId)).toHaveLength(1);
  });

  clause(["CACHE-02", "CACHE-03", "PASS-08"], "are read again when Codex says that skills changed", async () => {
    await start();
    const here = await open();
    const before = lists();
    skills = [skill("alpha"), skill("beta")];
    bridge.codex.notify(notifications.skillsChanged, {});
    await bridge.clock.settle();
    expect(lists()).toBe(before + 1);
    expect(names(here)).toContain("$beta");
    expect(bridge.host.notifications(agentNotifications.codexSkillsChanged)).toEqual([{}]);
  });

  clause(
    ["CACHE-03", "CACHE-04"],
    "of a session under other roots wait for its next prompt, and roots are not switched",
    async () => {
      await start();
      const here = await open();
      const there = await open(["/home/user/extra"]);
      await turn(here, 1);
      const before = { sets: rootsSet().length, there: commands(there).length };
      skills = [skill("alpha"), skill("beta")];
      bridge.codex.notify(notifications.skillsChanged, {});
      await bridge.clock.settle();
      expect(names(here)).toContain("$beta");
      expect(commands(there)).toHaveLength(before.there);
      expect(rootsSet()).toHaveLength(before.sets);
      await turn(there, 2);
      expect(names(there)).toContain("$beta");
    },
  );
});

describe("skill roots", () => {
  clause(["CACHE-06"], "are switched for a turn, and what was known under the old ones is not believed", async () => {
    await start();
    const here = await open();
    const there = await open(["/home/user/extra"]);
    expect(rootsSet()).toEqual([["/home/user/extra/.agents/skills", "/home/user/extra/.codex/skills"]]);
    const before = lists();
    await turn(here, 1);
    expect(rootsSet().at(-1)).toEqual([]);
    expect(lists()).toBe(before + 1);
    await turn(there, 2);
    expect(rootsSet()).toHaveLength(3);
    expect(lists()).toBe(before + 2);
  });

  clause(["CACHE-05"], "are kept until the start is acknowledged, not until the turn ends", async () => {
    await start();
    const here = await open();
    const there = await open(["/home/user/extra"]);
    const held = bridge.codex.hold(requests.turnStart);
    await prompt(here);
    const before = rootsSet().length;
    await prompt(there);
    expect(bridge.codex.calls(requests.turnStart)).toHaveLength(1);
    expect(rootsSet()).toHaveLength(before);
    held.answer({ turn: { id: "turn-here", items: [], itemsView: "notLoaded", status: "inProgress", error: null } });
    await bridge.clock.settle();
    expect(bridge.codex.calls(requests.turnStart)).toHaveLength(2);
    expect(rootsSet()).toHaveLength(before + 1);
  });

  clause(["CACHE-07"], "are also those of a session whose prompt goes into its running turn", async () => {
    await start();
    const there = await open(["/home/user/extra"]);
    const here = await open();
    await prompt(there);
    const running = await nextTurn(bridge.codex, 1);
    running.begin();
    await bridge.clock.settle();
    const extra = rootsSet().at(-1);

    const starting = bridge.codex.hold(requests.turnStart);
    await prompt(here);
    expect(rootsSet().at(-1)).toEqual([]);
    const steering = bridge.codex.hold(requests.turnSteer);
    const steered = bridge.host.request(hostRequests.sessionPrompt, {
      sessionId: there,
      prompt: [{ type: "text", text: "and this" }],
    });
    await bridge.clock.settle();
    expect(bridge.codex.calls(requests.turnSteer)).toEqual([]);
    starting.answer({
      turn: { id: "turn-here", items: [], itemsView: "notLoaded", status: "inProgress", error: null },
    });
    await bridge.clock.settle();
    expect(rootsSet().at(-1)).toEqual(extra);
    expect(bridge.codex.calls(requests.turnSteer)).toHaveLength(1);

    // Nor are they switched before Codex has taken it in.
    const before = rootsSet().length;
    const opening = open(["/home/user/other"], "/home/user/elsewhere");
    await bridge.clock.settle();
    expect(rootsSet()).toHaveLength(before);
    const { result } = await bridge.codex.answered(requests.turnStart);
    steering.answer({ turnId: result.turn.id });
    await steered;
    await opening;
    expect(rootsSet()).toHaveLength(before + 1);
  });

  test("keep a prompt that is stopped while it waits for them from being sent", async () => {
    await start();
    const there = await open(["/home/user/extra"]);
    const here = await open();
    await prompt(there);
    const running = await nextTurn(bridge.codex, 1);
    running.begin();
    await bridge.clock.settle();
    bridge.codex.on(requests.turnInterrupt, () => ({}));
    const starting = bridge.codex.hold(requests.turnStart);
    await prompt(here);
    const text = { sessionId: there, prompt: [{ type: "text" as const, text: "and this" }] };
    const steered = bridge.host.request(hostRequests.sessionPrompt, text);
    await bridge.clock.settle();
    bridge.host.notify(hostNotifications.sessionCancel, { sessionId: there });
    await bridge.clock.settle();
    starting.answer({
      turn: { id: "turn-here", items: [], itemsView: "notLoaded", status: "inProgress", error: null },
    });
    expect(await steered).toEqual({ messageId: expect.any(String) });
    running.complete("interrupted");
    expect(await bridge.host.idle(there)).toMatchObject({ stopReason: "cancelled" });
    expect(bridge.codex.calls(requests.turnSteer)).toEqual([]);
  });

  clause(["CACHE-08"], "are left as they are for a turn that Codex starts by itself", async () => {
    await start();
    const there = await open(["/home/user/extra"]);
    await open();
    await turn(there, 1);
    const here = await open();
    const before = rootsSet().length;
    const own = turnOf("own", { status: "inProgress" });
    bridge.codex.notify(notifications.turnStarted, { threadId: there, turn: own });
    bridge.codex.notify(notifications.turnStarted, { threadId: here, turn: { ...own, id: "other" } });
    await bridge.clock.settle();
    expect(rootsSet()).toHaveLength(before);
  });

  test("are set again for a Codex that was started anew", async () => {
    await start();
    await open(["/home/user/extra"]);
    expect(rootsSet()).toHaveLength(1);
    bridge.codex.die();
    await bridge.clock.advance(60_000);
    await open(["/home/user/extra"]);
    expect(bridge.codex.starts).toBe(2);
    expect(rootsSet()).toHaveLength(2);
  });

  clause(
    ["CANCEL-20"],
    "and skills that are still pending when the turn is stopped keep it from being sent",
    async () => {
      await start();
      const sessionId = await open();
      bridge.codex.notify(notifications.skillsChanged, {});
      const held = bridge.codex.hold(requests.skillsList);
      await prompt(sessionId);
      bridge.host.notify(hostNotifications.sessionCancel, { sessionId });
      const idle = await bridge.host.idle(sessionId);
      expect(idle).toMatchObject({ stopReason: "cancelled" });
      held.answer({ data: [] });
      await bridge.clock.settle();
      expect(bridge.codex.calls(requests.turnStart)).toEqual([]);
      await turn(sessionId, 1);
    },
  );
});

describe("the model catalog", () => {
  clause(["CACHE-09"], "is shared for 30 seconds", async () => {
    await start();
    await open();
    await open();
    expect(bridge.codex.calls(requests.modelList)).toHaveLength(1);
    await bridge.clock.advance(30_000);
    await open();
    expect(bridge.codex.calls(requests.modelList)).toHaveLength(2);
  });

  clause(["CACHE-09"], "is shared for no longer when the day is set back", async () => {
    await start();
    await open();
    bridge.clock.jump(-86_400_000);
    await bridge.clock.advance(30_000);
    await open();
    expect(bridge.codex.calls(requests.modelList)).toHaveLength(2);
  });

  clause(["CACHE-10"], "is read again when the account changed", async () => {
    await start();
    await open();
    bridge.codex.notify(notifications.accountUpdated, { authMode: "apikey", planType: null });
    await bridge.clock.settle();
    expect(bridge.codex.calls(requests.modelList)).toHaveLength(2);
    await bridge.host.request(hostRequests.authLogout, {});
    await open();
    expect(bridge.codex.calls(requests.modelList)).toHaveLength(3);
  });

  clause(["REC-19"], "that repeats a cursor is refused instead of read for ever", async () => {
    await start();
    bridge.codex.on(requests.modelList, () => ({ data: [], nextCursor: "again" }));
    const refused = bridge.host.request(hostRequests.sessionNew, { cwd: "/home/user/project", mcpServers: [] });
    await expect(refused).rejects.toMatchObject({ message: expect.stringContaining("model/list") });
    expect(bridge.codex.calls(requests.modelList)).toHaveLength(2);
  });
});
