import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect } from "vitest";
import { agentRequests, hostNotifications, hostRequests } from "../../src/generated/contract/methods.js";
import type { RequestPermissionParams, RequestPermissionResult } from "../../src/generated/contract/types.js";
import { applyPatch, execCommand, functionCall, message, type Part } from "../../src/testing/scripted-model/steps.js";
import { clause } from "../support/clause.js";
import { isUpdate } from "../support/host.js";
import { tinyMcpServer } from "../support/mcp.js";
import { type RealBridge, type RealBridgeOptions, startRealBridge } from "../support/real-bridge.js";

let bridge: RealBridge;

afterEach(() => bridge.close());

/** Starts a session in the mode that asks; each prompt is the key of a script. */
async function start(options: RealBridgeOptions) {
  bridge = await startRealBridge({ git: true, ...options });
  const { host, home } = bridge;
  await host.request(hostRequests.initialize, {
    protocolVersion: 2,
    info: { name: "test", version: "0" },
    capabilities: {},
  });
  const { sessionId } = await host.request(hostRequests.sessionNew, { cwd: home.workspace, mcpServers: [] });
  const asked: RequestPermissionParams[] = [];
  let turns = 0;
  return {
    sessionId,
    asked,
    home,
    /** Runs a turn in which each permission request is answered with the next option; null dismisses it. */
    async turn(key: string, ...answers: (string | null)[]) {
      asked.length = 0;
      turns += 1;
      host.on(agentRequests.requestPermission, (params) => {
        asked.push(params);
        const optionId = answers[asked.length - 1] ?? null;
        return { outcome: optionId === null ? { outcome: "cancelled" } : { outcome: "selected", optionId } };
      });
      await host.request(hostRequests.sessionPrompt, { sessionId, prompt: [{ type: "text", text: key }] });
      const idle = await host.idle(sessionId, turns);
      return "stopReason" in idle ? idle.stopReason : undefined;
    },
    /** Updates of the tool call that the `n`-th question was about. */
    callOf(n = 0) {
      const subject = asked[n]?.subject;
      const id = subject && "toolCall" in subject ? Object(subject.toolCall).toolCallId : undefined;
      return host
        .updates(sessionId)
        .flatMap((update) => (isUpdate("tool_call_update")(update) && update.toolCallId === id ? [update] : []));
    },
    states: () => host.updates(sessionId).flatMap((update) => (isUpdate("state_update")(update) ? [update.state] : [])),
  };
}

const escalated = (cmd: string) =>
  execCommand(cmd, {
    sandbox_permissions: "require_escalated",
    justification: "May I?",
    prefix_rule: [cmd.split(" ")[0] ?? ""],
  });

describe("the real Codex asks for a command", () => {
  clause(
    ["PERM-01", "PERM-02", "PERM-05", "PERM-13", "STATE-05"],
    "and takes each answer",
    async () => {
      const run = await start({
        scripts: ["ONE", "TWO", "THREE", "FOUR", "FIVE"].map((key) => ({
          key,
          steps: [escalated(`touch ${key}`), message(`Done with ${key}.`)],
        })),
      });
      const made = (file: string): boolean => existsSync(join(run.home.workspace, file));

      expect(await run.turn("ONE", "allow_once")).toBe("end_turn");
      expect(run.asked).toHaveLength(1);
      const [question] = run.asked;
      expect(question).toMatchObject({ title: "Run command?", description: "May I?", subject: { type: "tool_call" } });
      for (const { _meta } of question?.options ?? [])
        expect(_meta).toEqual({ codex: { description: expect.any(String) } });
      expect(run.callOf()[0]).toMatchObject({ name: "shell", title: expect.stringContaining("touch ONE") });
      expect(run.callOf().at(-1)).toMatchObject({ status: "completed" });
      expect(made("ONE")).toBe(true);
      expect(run.states()).toEqual(["running", "requires_action", "running", "idle"]);

      // Not among what Codex offered, and so as good as any unknown option: declined, and the turn goes on.
      expect(await run.turn("TWO", "decline")).toBe("end_turn");
      expect(run.callOf().at(-1)).toMatchObject({ status: "cancelled" });
      expect(made("TWO")).toBe(false);

      expect(await run.turn("THREE", "cancel")).toBe("cancelled");
      expect(made("THREE")).toBe(false);

      expect(await run.turn("FOUR", null)).toBe("cancelled");
      expect(made("FOUR")).toBe(false);

      expect(await run.turn("FIVE", "accept_execpolicy_amendment")).toBe("end_turn");
      expect(made("FIVE")).toBe(true);
      expect(await readFile(join(run.home.codexHome, "rules/default.rules"), "utf8")).toContain('["touch"]');
    },
    60_000,
  );
});

describe("the real Codex asks for edits", () => {
  clause(
    ["PERM-01", "PERM-02", "PERM-09", "PERM-13"],
    "outside the workspace, and takes each answer",
    async () => {
      const outside = (name: string): string => join(bridge.home.home, name);
      const names = ["once", "session", "again", "stop"];
      const scripts = names.map((name) => ({ key: name.toUpperCase(), steps: [] as Part[] }));
      const run = await start({ scripts });
      // The paths are known once the folders are.
      for (const [n, name] of names.entries()) {
        const patch = `*** Begin Patch\n*** Add File: ${outside(name)}\n+x\n*** End Patch`;
        scripts[n]?.steps.push(applyPatch(patch), message("Done."));
      }

      expect(await run.turn("ONCE", "allow_once")).toBe("end_turn");
      const [question] = run.asked;
      expect(question).toMatchObject({ title: "Make edits?", subject: { type: "tool_call" } });
      expect(question?.description).toContain(outside("once"));
      expect(question?.options.map(({ optionId }) => optionId)).toEqual(["allow_once", "allow_for_session", "cancel"]);
      expect(run.callOf()[0]).toMatchObject({ name: "apply_patch", locations: [{ path: outside("once") }] });
      expect(existsSync(outside("once"))).toBe(true);

      expect(await run.turn("SESSION", "allow_for_session")).toBe("end_turn");
      expect(existsSync(outside("session"))).toBe(true);

      // Not offered here, and so declined.
      expect(await run.turn("AGAIN", "decline")).toBe("end_turn");
      expect(run.callOf().at(-1)).toMatchObject({ status: "cancelled" });

      expect(await run.turn("STOP", "cancel")).toBe("cancelled");
      expect(run.callOf().at(-1)).toMatchObject({ status: "cancelled" });
      expect([existsSync(outside("again")), existsSync(outside("stop"))]).toEqual([false, false]);
    },
    60_000,
  );
});

describe("the real Codex asks for an MCP tool", () => {
  const mutate = (key: string) => ({
    key,
    steps: [functionCall("mutate", { text: key }, { namespace: "mcp__tiny" }), message("Done.")],
  });

  clause(
    ["PERM-02", "PERM-11"],
    "and takes each answer",
    async () => {
      const run = await start({
        scripts: ["ONE", "TWO", "THREE", "FOUR", "FIVE"].map(mutate),
        tables: tinyMcpServer(),
      });
      expect(await run.turn("ONE", "allow_once")).toBe("end_turn");
      expect(run.asked[0]).toMatchObject({ title: "Allow tool call?", subject: { type: "tool_call" } });
      expect(run.callOf()[0]).toMatchObject({ name: "mcp", title: "tiny: mutate", rawInput: { text: "ONE" } });
      expect(run.callOf().at(-1)).toMatchObject({ status: "completed" });
      expect(await run.turn("TWO", "decline")).toBe("end_turn");
      expect(run.callOf().at(-1)).toMatchObject({ status: "failed" });
      expect(await run.turn("THREE", "cancel")).toBe("end_turn");
      expect(await run.turn("FOUR", "allow_session")).toBe("end_turn");
      expect(run.asked).toHaveLength(1);
      expect(await run.turn("FIVE")).toBe("end_turn");
      expect(run.asked).toHaveLength(0);
    },
    60_000,
  );
});

describe("an open question", () => {
  const script = { key: "ASK", steps: [escalated("touch made"), message("Done.")] };

  clause(
    ["CANCEL-01", "PERM-03"],
    "is taken back on cancel, and the real Codex runs nothing",
    async () => {
      const run = await start({ scripts: [script] });
      const { host } = bridge;
      let late: ((result: RequestPermissionResult) => void) | undefined;
      host.on(agentRequests.requestPermission, () => {
        host.notify(hostNotifications.sessionCancel, { sessionId: run.sessionId });
        return new Promise((resolve) => {
          late = resolve;
        });
      });
      await host.request(hostRequests.sessionPrompt, {
        sessionId: run.sessionId,
        prompt: [{ type: "text", text: "ASK" }],
      });
      expect(await host.idle(run.sessionId)).toMatchObject({ stopReason: "cancelled" });
      const { method } = hostNotifications.cancelRequest;
      expect(host.frames().filter((frame) => frame["method"] === method)).toHaveLength(1);
      const seen = host.updates(run.sessionId).length;
      late?.({ outcome: { outcome: "selected", optionId: "allow_once" } });
      // The next answer shows that the late one has been read.
      await host.request(hostRequests.sessionClose, { sessionId: run.sessionId });
      expect(host.updates(run.sessionId)).toHaveLength(seen);
      expect(existsSync(join(run.home.workspace, "made"))).toBe(false);
    },
    60_000,
  );

  clause(
    ["PERM-01", "PERM-02", "CANCEL-17"],
    "is asked anew when its session is opened anew, since the real Codex still waits",
    async () => {
      const run = await start({ scripts: [script] });
      const { host, waits } = bridge;
      const dialogs: { params: RequestPermissionParams; answer(result: RequestPermissionResult): void }[] = [];
      host.on(agentRequests.requestPermission, (params) => new Promise((answer) => dialogs.push({ params, answer })));
      const { sessionId } = run;
      await host.request(hostRequests.sessionPrompt, { sessionId, prompt: [{ type: "text", text: "ASK" }] });
      await waits.until("the question", () => dialogs[0]);
      await host.request(hostRequests.sessionResume, { sessionId, cwd: run.home.workspace, mcpServers: [] });
      const again = await waits.until("the question again", () => dialogs[1]);
      expect(again.params.subject).toEqual(dialogs[0]?.params.subject);
      const allow: RequestPermissionResult = { outcome: { outcome: "selected", optionId: "allow_once" } };
      again.answer(allow);
      dialogs[0]?.answer(allow);
      expect(await host.idle(sessionId)).toMatchObject({ stopReason: "end_turn" });
      expect(existsSync(join(run.home.workspace, "made"))).toBe(true);
    },
    60_000,
  );
});
