import { existsSync } from "node:fs";
import { join } from "node:path";
import type {
  ClientConnection,
  RequestPermissionRequest,
  SessionNotification,
  SessionUpdate,
} from "@agentclientprotocol/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { applyPatch, execCommand, message, reasoning, stall } from "../../src/testing/scripted-model/steps.js";
import { type RealGround, startRealGround } from "../support/real-bridge.js";
import { schemasV1 } from "../support/schemas-v1.js";
import { connectSdkClient } from "../support/sdk-client.js";

/** The real Codex, the bundled agent, and the SDK's own client of version 1. */
let ground: RealGround;
let connection: ClientConnection;
const notified: SessionNotification[] = [];
const asked: RequestPermissionRequest[] = [];
const answers: string[] = [];

const patch = [
  "*** Begin Patch",
  "*** Add File: made.txt",
  "+one",
  "*** Update File: kept.txt",
  "@@",
  "-old",
  "+new",
  "*** End Patch",
].join("\n");

beforeAll(async () => {
  ground = await startRealGround({
    held: schemasV1,
    git: true,
    files: { "kept.txt": "top\nold\nend\n" },
    scripts: [
      { key: "HELLO", steps: [[reasoning(["Hm."]), message({ text: "Hello to you.", phase: "final_answer" })]] },
      { key: "STALL", steps: [stall()] },
      { key: "TURNED", steps: [message("Turned around.")] },
      { key: "RUN", steps: [execCommand("echo out; echo more; exit 3"), message("Ran.")] },
      {
        key: "ASK",
        steps: [
          execCommand("touch asked.txt", { sandbox_permissions: "require_escalated", justification: "May I?" }),
          message("Asked."),
        ],
      },
      { key: "PATCH", steps: [applyPatch(patch), message("Patched.")] },
    ],
  });
  connection = connectSdkClient(ground.agent.wire, ground.log, (app) =>
    app
      .onNotification("session/update", ({ params }) => void notified.push(params))
      .onRequest("session/request_permission", ({ params }) => {
        asked.push(params);
        const optionId = answers.shift();
        return { outcome: optionId === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId } };
      }),
  );
  await connection.agent.request("initialize", {
    protocolVersion: 1,
    clientInfo: { name: "sdk", version: "1" },
    clientCapabilities: { session: { notices: {} } },
  });
});

afterAll(() => ground.close());

async function open() {
  const { sessionId } = await connection.agent.request("session/new", { cwd: ground.home.workspace, mcpServers: [] });
  const updates = (): SessionUpdate[] => notified.flatMap((it) => (it.sessionId === sessionId ? [it.update] : []));
  return {
    sessionId,
    updates,
    said: (kind = "agent_message_chunk") =>
      updates()
        .flatMap((update) =>
          update.sessionUpdate === kind && "content" in update ? [Object(update.content).text] : [],
        )
        .join(""),
    calls: () => updates().filter(({ sessionUpdate }) => sessionUpdate.startsWith("tool_call")),
    prompt: (text: string) =>
      connection.agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] }),
  };
}

describe("the SDK's client of version 1, with the real Codex", () => {
  test("has a turn, with thoughts and usage", async () => {
    const session = await open();
    expect(await session.prompt("HELLO")).toMatchObject({ stopReason: "end_turn", usage: { totalTokens: 15 } });
    expect(session.said()).toBe("Hello to you.");
    expect(session.said("agent_thought_chunk")).toBe("Hm.");
  });

  test("steers a turn; both prompts are answered with its end", async () => {
    const session = await open();
    const first = session.prompt("STALL");
    await ground.waits.until("the turn", () =>
      ground.model.requests.find((it) => JSON.stringify(it).includes("STALL")),
    );
    const second = session.prompt("TURNED");
    expect(await Promise.all([first, second])).toMatchObject([{ stopReason: "end_turn" }, { stopReason: "end_turn" }]);
    expect(session.said()).toBe("Turned around.");
  });

  test("cancels a turn", async () => {
    const session = await open();
    const answer = session.prompt("STALL");
    await connection.agent.notify("session/cancel", { sessionId: session.sessionId });
    expect(await answer).toMatchObject({ stopReason: "cancelled" });
  });

  test("sees a command, its output and its end", async () => {
    const session = await open();
    await session.prompt("RUN");
    const [call, ...later] = session.calls();
    expect(call).toMatchObject({ sessionUpdate: "tool_call", kind: "execute", status: "in_progress" });
    expect(later.findLast((update) => "content" in update)).toMatchObject({
      content: [{ type: "content", content: { type: "text", text: "```\nout\nmore\n```" } }],
    });
    expect(later.at(-1)).toMatchObject({ status: "failed", rawOutput: { exitCode: 3 } });
  });

  test("is asked, and its answer counts", async () => {
    const session = await open();
    answers.push("allow_once");
    expect(await session.prompt("ASK")).toMatchObject({ stopReason: "end_turn" });
    expect(asked.at(-1)).toMatchObject({
      toolCall: {
        title: expect.stringContaining("touch asked.txt"),
        content: [{ content: { text: expect.stringContaining("May I?") } }],
      },
    });
    expect(existsSync(join(ground.home.workspace, "asked.txt"))).toBe(true);
  });

  test("sees a patch as diffs, and all of it again when it loads the session", async () => {
    const session = await open();
    await connection.agent.request("session/set_mode", { sessionId: session.sessionId, modeId: "agent-full-access" });
    await session.prompt("PATCH");
    const diffs = [
      expect.objectContaining({
        type: "diff",
        path: join(ground.home.workspace, "made.txt"),
        oldText: null,
        newText: "one\n",
      }),
      expect.objectContaining({
        type: "diff",
        path: join(ground.home.workspace, "kept.txt"),
        oldText: "top\nold\nend\n",
        newText: "top\nnew\nend\n",
      }),
    ];
    const shown = session.calls().findLast((update) => "content" in update);
    expect(shown).toMatchObject({ content: expect.arrayContaining(diffs) });
    await connection.agent.request("session/close", { sessionId: session.sessionId });
    const before = notified.length;
    await connection.agent.request("session/load", {
      sessionId: session.sessionId,
      cwd: ground.home.workspace,
      mcpServers: [],
    });
    const replayed = notified.slice(before).map(({ update }) => update);
    expect(replayed.find(({ sessionUpdate }) => sessionUpdate === "user_message_chunk")).toMatchObject({
      content: { text: "PATCH" },
    });
    expect(replayed.find(({ sessionUpdate }) => sessionUpdate === "tool_call")).toMatchObject({
      content: expect.arrayContaining(diffs),
    });
    expect(await session.prompt("HELLO")).toMatchObject({ stopReason: "end_turn" });
  });
});
