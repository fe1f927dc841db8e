import { afterEach, describe, expect, test } from "vitest";
import { notifications, requests, serverRequests } from "../../../src/generated/codex/methods.js";
import { hostNotifications, hostRequests } from "../../../src/generated/contract/methods.js";
import { seededPick } from "../../../src/testing/virtual-clock.js";
import { clause } from "../../support/clause.js";
import { isUpdate } from "../../support/host.js";
import { answersTo, askCommand, askMcp, cancelMethod, chosen, ids, type Rig, startRig, withdrawn } from "./rig.js";

let rig: Rig;

afterEach(() => rig.bridge.close());

const forms = { capabilities: { elicitation: { form: {} } } };

const cancel = (): void => rig.bridge.host.notify(hostNotifications.sessionCancel, { sessionId: rig.sessionId });

const resolve = (id: number): void =>
  rig.bridge.codex.notify(notifications.serverRequestResolved, { threadId: rig.turn.threadId, requestId: id });

/** Places of the host's frames that satisfy `fits`. */
const places = (fits: (frame: Readonly<Record<string, unknown>>) => boolean): number[] =>
  rig.bridge.host.frames().flatMap((frame, index) => (fits(frame) ? [index] : []));

const idles = () =>
  rig.bridge.host
    .updates(rig.sessionId)
    .filter(isUpdate("state_update"))
    .flatMap((update) => (update.state === "idle" ? [update] : []));

clause(
  ["CANCEL-01"],
  "a stop interrupts before it answers for the user, so that no answer lets the turn go on",
  async () => {
    rig = await startRig();
    const { codex, host } = rig.bridge;
    codex.on(requests.turnInterrupt, () => ({}));
    const { answer, asked } = askCommand(rig);
    answer.catch(() => undefined);
    await rig.permission();
    await rig.settle();
    cancel();
    await codex.received(requests.turnInterrupt);
    await rig.settle();
    const sent = rig.bridge.log.frames("codex", "bridge").map(({ frame }) => Object(frame));
    const interrupt = sent.findIndex(({ method }) => method === requests.turnInterrupt.method);
    const answered = sent.findIndex(({ id, method }) => id === asked.id && method === undefined);
    expect(interrupt).toBeGreaterThan(-1);
    expect(answered).toBeGreaterThan(interrupt);
    rig.turn.complete("interrupted");
    expect(await host.idle(rig.sessionId)).toMatchObject({ stopReason: "cancelled" });
  },
);

describe("states", () => {
  clause(
    ["STATE-05", "STATE-06"],
    "two open requests require action once, and running follows the last answer",
    async () => {
      rig = await startRig(forms);
      const one = askCommand(rig);
      const two = askMcp(rig, {
        mode: "form",
        requestedSchema: { type: "object", properties: { a: { type: "string" } } },
      });
      const permission = await rig.permission();
      const form = await rig.elicitation();
      await rig.settle();
      expect(rig.states()).toEqual(["running", "requires_action"]);
      permission.answer(chosen("allow_once"));
      await one.answer;
      await rig.settle();
      expect(rig.states()).toEqual(["running", "requires_action"]);
      form.answer({ action: "accept", content: {} });
      await two.answer;
      await rig.settle();
      expect(rig.states()).toEqual(["running", "requires_action", "running"]);
      askCommand(rig);
      (await rig.permission(2)).answer(chosen("decline"));
      await rig.settle();
      expect(rig.states()).toEqual(["running", "requires_action", "running", "requires_action", "running"]);
      const all = rig.bridge.host.updates(rig.sessionId).filter(isUpdate("state_update"));
      expect(all.filter(({ state }) => state === "requires_action")).toHaveLength(2);
    },
  );

  clause(
    ["STATE-12"],
    "a late answer to a question of an earlier turn does not end what the next one waits for",
    async () => {
      rig = await startRig();
      askCommand(rig);
      const old = await rig.permission();
      rig.turn.complete("interrupted");
      await rig.bridge.host.idle(rig.sessionId);
      const turn = await rig.prompt(2);
      const { answer, asked } = askCommand({ bridge: rig.bridge, turn });
      const current = await rig.permission(2);
      await rig.settle();
      const before = rig.states();
      expect(before.at(-1)).toBe("requires_action");
      old.answer(chosen("allow_once"));
      await rig.settle();
      expect(rig.states()).toEqual(before);
      expect(answersTo(rig.bridge, asked.id)).toEqual([]);
      current.answer(chosen("allow_once"));
      expect(await answer).toEqual({ decision: "accept" });
      turn.complete();
      await rig.bridge.host.idle(rig.sessionId, 2);
      expect(rig.states()).toEqual([...before, "running", "idle"]);
    },
  );
});

describe("K-13: an open question", () => {
  const seeds = [1, 2, 3, 4, 5, 6, 7, 8];

  for (const seed of seeds) {
    clause(
      ["STATE-12", "PERM-03"],
      `is taken back on cancel, and a late allow does nothing (interleaving ${seed})`,
      async () => {
        rig = await startRig({ ...forms, pick: seededPick(seed) });
        const command = askCommand(rig);
        const mcp = askMcp(rig, {
          mode: "form",
          requestedSchema: { type: "object", properties: { a: { type: "string" } } },
        });
        const permission = await rig.permission();
        const form = await rig.elicitation();
        cancel();
        permission.answer(chosen("allow_once"));
        const decision = await command.answer;
        // Whichever of the two the bridge read first.
        expect([{ decision: "cancel" }, { decision: "accept" }]).toContainEqual(decision);
        await rig.bridge.codex.received(requests.turnInterrupt);
        expect(await mcp.answer).toEqual({ action: "cancel", content: null, _meta: null });
        form.answer({ action: "accept", content: { a: "late" } });
        rig.turn.complete("interrupted");
        const idle = await rig.bridge.host.idle(rig.sessionId);
        await rig.settle();
        expect(idle).toMatchObject({ stopReason: "cancelled" });
        expect(withdrawn(rig.bridge)).toContain(form.id);
        expect(answersTo(rig.bridge, command.asked.id)).toHaveLength(1);
        expect(answersTo(rig.bridge, mcp.id)).toHaveLength(1);
        expect(rig.bridge.host.updates(rig.sessionId).at(-1)).toBe(idle);
      },
    );

    clause(["CLOSE-11"], `is taken back on close, which does not wait for it (interleaving ${seed})`, async () => {
      rig = await startRig({ pick: seededPick(seed) });
      const { answer, asked } = askCommand(rig);
      const dialog = await rig.permission();
      const { host, codex } = rig.bridge;
      const closing = host.request(hostRequests.sessionClose, { sessionId: rig.sessionId });
      await codex.received(requests.turnInterrupt);
      rig.turn.complete("interrupted");
      expect(await answer).toEqual({ decision: "cancel" });
      await closing;
      const frames = host.frames().length;
      dialog.answer(chosen("allow_once"));
      await rig.settle();
      expect(host.frames()).toHaveLength(frames);
      expect(withdrawn(rig.bridge)).toEqual([dialog.id]);
      expect(answersTo(rig.bridge, asked.id)).toHaveLength(1);
      expect(rig.states().at(-1)).toBe("idle");
    });

    clause(
      ["STATE-05", "PERM-03"],
      `that Codex resolves is taken back, and the turn goes on (interleaving ${seed})`,
      async () => {
        rig = await startRig({ pick: seededPick(seed) });
        const { asked } = askCommand(rig);
        const dialog = await rig.permission();
        resolve(asked.id);
        dialog.answer(chosen("allow_once"));
        rig.turn.message("On.");
        await rig.finish();
        await rig.settle();
        // The answer may have been read before Codex's word.
        const answers = answersTo(rig.bridge, asked.id);
        expect([...answers, ...withdrawn(rig.bridge)]).toHaveLength(1);
        expect(rig.states()).toEqual(["running", "requires_action", "running", "idle"]);
      },
    );

    test(`ends with Codex, and the turn with an error (interleaving ${seed})`, async () => {
      rig = await startRig({ pick: seededPick(seed) });
      askCommand(rig);
      const dialog = await rig.permission();
      rig.bridge.codex.die({ code: 1 });
      const idle = await rig.bridge.host.idle(rig.sessionId);
      dialog.answer(chosen("allow_once"));
      await rig.settle();
      expect(idle).toMatchObject({ stopReason: "error" });
      expect(idles()).toHaveLength(1);
      expect(withdrawn(rig.bridge)).toEqual([dialog.id]);
      expect(rig.bridge.host.updates(rig.sessionId).at(-1)).toBe(idle);
    });
  }

  clause(["PERM-03"], "ends with the turn: taken back before the idle, and no request comes after it", async () => {
    rig = await startRig();
    const first = askCommand(rig);
    const dialog = await rig.permission();
    rig.turn.complete("interrupted");
    await rig.bridge.host.idle(rig.sessionId);
    expect(await first.answer).toEqual({ decision: "cancel" });
    // Codex has ended the turn and asks nevertheless.
    const late = askCommand(rig);
    expect(await late.answer).toEqual({ decision: "cancel" });
    await rig.settle();
    expect(rig.permissions).toHaveLength(1);
    const [taken] = places((frame) => frame["method"] === cancelMethod);
    const [idle] = places((frame) => JSON.stringify(frame).includes('"idle"'));
    expect(withdrawn(rig.bridge)).toEqual([dialog.id]);
    expect(taken).toBeLessThan(idle ?? 0);
  });

  clause(["PERM-03"], "is not put to the host once the turn is being stopped", async () => {
    rig = await startRig();
    cancel();
    await rig.bridge.codex.received(requests.turnInterrupt);
    const { answer } = askCommand(rig);
    expect(await answer).toEqual({ decision: "cancel" });
    rig.turn.complete("interrupted");
    await rig.bridge.host.idle(rig.sessionId);
    expect(rig.permissions).toEqual([]);
    expect(rig.states()).toEqual(["running", "idle"]);
  });

  test("that does not block the turn ends with it too", async () => {
    rig = await startRig(forms);
    const asked = rig.bridge.codex.ask(serverRequests.itemToolRequestUserInput, {
      ...ids(rig.turn),
      itemId: "ask-1",
      isBlocking: false,
      questions: [{ id: "a", header: "A", question: "A?" }],
    });
    const dialog = await rig.elicitation();
    await rig.finish();
    expect(await asked.answer).toEqual({ answers: {} });
    expect(withdrawn(rig.bridge)).toEqual([dialog.id]);
  });

  test("that came while no turn ran is taken back on cancel as well", async () => {
    rig = await startRig(forms);
    await rig.finish();
    const asked = askMcp(rig, {
      mode: "form",
      turnId: null,
      requestedSchema: { type: "object", properties: { a: { type: "string" } } },
    });
    const dialog = await rig.elicitation();
    await rig.settle();
    expect(rig.states()).toEqual(["running", "idle"]);
    cancel();
    expect(await asked.answer).toEqual({ action: "cancel", content: null, _meta: null });
    await rig.settle();
    expect(withdrawn(rig.bridge)).toEqual([dialog.id]);
    expect(rig.states()).toEqual(["running", "idle"]);
  });

  clause(["CLOSE-11"], "does not delay the end of the agent: Codex has its answer, and all is over", async () => {
    rig = await startRig();
    const { answer } = askCommand(rig);
    await rig.permission();
    rig.bridge.host.close();
    expect(await answer).toEqual({ decision: "cancel" });
  });
});

describe("K-15: every request of Codex", () => {
  test("gets its answer under its own id, 0 as well", async () => {
    rig = await startRig();
    const one = askCommand(rig);
    const two = askCommand(rig);
    expect([one.asked.id, two.asked.id]).toEqual([0, 1]);
    await rig.permission(2);
    rig.permissions[1]?.answer(chosen("decline"));
    expect(await two.answer).toEqual({ decision: "decline" });
    rig.permissions[0]?.answer(chosen("allow_once"));
    expect(await one.answer).toEqual({ decision: "accept" });
  });

  test("that is sent again is not asked again", async () => {
    rig = await startRig();
    const { asked, answer, itemId } = askCommand(rig);
    await rig.permission();
    const { method } = serverRequests.itemCommandExecutionRequestApproval;
    const params = { ...ids(rig.turn), itemId, startedAtMs: 1_000 };
    rig.bridge.codex.raw({ id: asked.id, method, params });
    await rig.settle();
    expect(rig.permissions).toHaveLength(1);
    rig.permissions[0]?.answer(chosen("allow_once"));
    expect(await answer).toEqual({ decision: "accept" });
    expect(answersTo(rig.bridge, asked.id)).toHaveLength(1);
  });

  test("for a thread that was never announced is refused unasked", async () => {
    rig = await startRig({ capabilities: { elicitation: { form: {}, url: {} } } });
    const child = { threadId: "child", turnId: "turn-of-child", itemId: "i", startedAtMs: 1 };
    const { codex } = rig.bridge;
    const asked = [
      codex.ask(serverRequests.itemCommandExecutionRequestApproval, child),
      codex.ask(serverRequests.itemFileChangeRequestApproval, child),
      codex.ask(serverRequests.itemPermissionsRequestApproval, { ...child, cwd: "/", permissions: {} }),
      codex.ask(serverRequests.itemToolRequestUserInput, { ...child, isBlocking: true, questions: [] }),
      codex.ask(serverRequests.mcpServerElicitationRequest, {
        ...child,
        serverName: "s",
        mode: "url",
        url: "https://example.org",
        elicitationId: "e",
        message: "m",
      }),
    ];
    expect(await Promise.all(asked.map(({ answer }): Promise<unknown> => answer))).toEqual([
      { decision: "decline" },
      { decision: "decline" },
      { permissions: {}, scope: "turn" },
      { answers: {} },
      { action: "cancel", content: null, _meta: null },
    ]);
    expect([...rig.permissions, ...rig.elicitations]).toEqual([]);
    await rig.finish();
    expect(rig.states()).toEqual(["running", "idle"]);
  });

  test("of a method that nobody knows is an error, and the turn goes on", async () => {
    rig = await startRig();
    rig.bridge.codex.raw({ id: 5, method: "item/later/request", params: ids(rig.turn) });
    await rig.settle();
    expect(answersTo(rig.bridge, 5)).toEqual([expect.objectContaining({ code: -32601 })]);
    await rig.finish();
  });
});
