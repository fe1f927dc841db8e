import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { installedCodex } from "../../codegen/capture/native-binary.js";
import { startCodexProcess } from "../../src/codex/process-transport.js";
import { hostNotifications, hostRequests } from "../../src/generated/contract/methods.js";
import type { SessionPromptParams } from "../../src/generated/contract/types.js";
import { cut, execCommand, httpError, message, stall } from "../../src/testing/scripted-model/steps.js";
import { clause } from "../support/clause.js";
import { connectUser, handshake } from "../support/codex-rig.js";
import { isUpdate, type UpdateOf } from "../support/host.js";
import { type RealBridge, startRealBridge } from "../support/real-bridge.js";

let bridge: RealBridge;

const bytes = 1_000_000;
const emojiAtTheCap = "head -c 16383 /dev/zero | tr '\\0' a; printf '\\360\\237\\230\\200b'";
const bigFile = "0123456789abcdef".repeat(2000);

beforeAll(async () => {
  bridge = await startRealBridge({
    git: true,
    files: { "big.txt": bigFile },
    env: { INITIAL_AGENT_MODE: "agent-full-access" },
    scripts: [
      { key: "HELLO", steps: [message({ text: "Hello to you.", phase: "final_answer" })] },
      { key: "STALL", steps: [stall()] },
      { key: "TURNED", steps: [message("Turned around.")] },
      { key: "REFUSED", steps: [httpError(400, { error: { code: "no_such_thing", message: "not like this" } })] },
      { key: "CUT", steps: [cut()] },
      { key: "LOUD", steps: [execCommand(`head -c ${bytes} /dev/zero | tr '\\0' x`), message("Done.")] },
      { key: "EMOJI", steps: [execCommand(emojiAtTheCap), message("Done.")] },
      { key: "READ", steps: [execCommand("cat big.txt"), message("Done.")] },
      { key: "OUTLIVE", steps: [execCommand("sleep 300", { yield_time_ms: 250 }), message("Left running.")] },
      { key: "HALF", steps: [execCommand("sleep 301", { yield_time_ms: 250 }), stall()] },
    ],
  });
  await bridge.host.request(hostRequests.initialize, {
    protocolVersion: 2,
    info: { name: "test", version: "0" },
    capabilities: {},
  });
});

afterAll(() => bridge.close());

/** A session of its own for each test, all at one Codex. */
async function open() {
  const { host, home } = bridge;
  const { sessionId } = await host.request(hostRequests.sessionNew, { cwd: home.workspace, mcpServers: [] });
  const ofKind = <Kind extends Parameters<typeof isUpdate>[0]>(kind: Kind): UpdateOf<Kind>[] =>
    host.updates(sessionId).filter(isUpdate(kind));
  return {
    sessionId,
    ofKind,
    prompt: (text: string, meta?: NonNullable<SessionPromptParams["_meta"]>) =>
      host.request(hostRequests.sessionPrompt, {
        sessionId,
        prompt: [{ type: "text", text }],
        ...(meta === undefined ? {} : { _meta: meta }),
      }),
    cancel: () => host.notify(hostNotifications.sessionCancel, { sessionId }),
    idle: (n = 1) => host.idle(sessionId, n),
    /** Resolves once Codex has the turn's user message: from then on it can be steered and stopped. */
    started: () =>
      host.update(
        sessionId,
        (update) => isUpdate("user_message")(update) && Object(update._meta?.["codex"]).messageSentAt !== undefined,
      ),
  };
}

const owned = (messageId: string) => ({ alwith: { messageId } });

describe("a turn of the real Codex", () => {
  clause(
    ["PROMPT-01", "PROMPT-06", "PROMPT-13", "STATE-01", "STATE-04", "STATE-07", "STATE-08", "UPD-05"],
    "belongs to its prompt from the first state to the last",
    async () => {
      const { sessionId, prompt, idle, ofKind } = await open();
      expect(await prompt("HELLO", owned("first"))).toEqual({ messageId: "first" });
      const frames = bridge.host.frames();
      const shown = frames.findIndex((frame) => JSON.stringify(frame).includes('"messageId":"first","content"'));
      expect(shown).toBeGreaterThan(0);
      expect(shown).toBeLessThan(frames.findIndex(({ result }) => Object(result).messageId === "first"));
      expect(await idle()).toMatchObject({ stopReason: "end_turn", usage: { totalTokens: 15 }, _meta: owned("first") });
      expect(ofKind("state_update")[0]).toMatchObject({ state: "running", _meta: owned("first") });
      await prompt("HELLO", owned("second"));
      expect(await idle(2)).toMatchObject({
        stopReason: "end_turn",
        usage: { totalTokens: 15 },
        _meta: owned("second"),
      });
      const turns = ofKind("user_message").map((update) => Object(update._meta?.["codex"]).turnId);
      expect(new Set(turns.filter((id) => id !== undefined)).size).toBe(2);
      expect(bridge.host.updates(sessionId).filter((it) => isUpdate("user_message")(it) && it.content)).toHaveLength(2);
    },
  );

  clause(["PROMPT-10", "PROMPT-11", "PROMPT-07"], "takes in a prompt that comes while it runs", async () => {
    const { prompt, idle, started, ofKind } = await open();
    await prompt("STALL", owned("stalled"));
    await started();
    const steered = await prompt("TURNED", owned("more"));
    expect(steered).toEqual({ messageId: "more", _meta: { codex: { steered: expect.any(String) } } });
    expect(await idle()).toMatchObject({ stopReason: "end_turn", _meta: owned("stalled") });
    expect(ofKind("agent_message").at(-1)).toMatchObject({
      content: [{ type: "text", text: "Turned around." }],
      _meta: { codex: { turnId: steered._meta?.codex?.steered } },
    });
    expect(ofKind("state_update").filter(({ state }) => state === "idle")).toHaveLength(1);
  });

  clause(
    ["CANCEL-01", "REPLAY-12", "REPLAY-13", "REPLAY-26"],
    "can be stopped, and its prompt says so ever after",
    async () => {
      const { prompt, cancel, idle, ofKind } = await open();
      const about = () => ofKind("user_message").filter(({ messageId }) => messageId === "stopped");
      const sentAt = Date.now() - 1000;
      await prompt("STALL", { ...owned("stopped"), codex: { messageSentAt: sentAt } });
      // At once: before Codex would take the interrupt.
      cancel();
      expect(await idle()).toMatchObject({ stopReason: "cancelled", _meta: owned("stopped") });
      expect(about().at(-1)).toMatchObject({ _meta: { codex: { turnInterrupted: true, messageSentAt: sentAt } } });
      const count = about().length;
      await prompt("HELLO");
      expect(await idle(2)).toMatchObject({ stopReason: "end_turn" });
      expect(about()).toHaveLength(count);
    },
  );

  clause(
    ["STATE-09", "STATE-10", "STATE-11", "REC-13", "REC-14", "REC-15"],
    "that the model refuses fails once, with all that Codex says of it",
    async () => {
      const { sessionId, prompt, idle } = await open();
      await prompt("REFUSED");
      const end = await idle();
      expect(end).toMatchObject({
        stopReason: "error",
        error: {
          code: expect.any(Number),
          message: expect.any(String),
          data: { codex: { category: "other", retryable: false } },
        },
      });
      expect(bridge.host.updates(sessionId).at(-2)).toMatchObject({
        sessionUpdate: "agent_message_chunk",
        _meta: { codex: { error: { category: "other", retryable: false, codexErrorInfo: "other" } } },
      });
      expect(bridge.model.requests.filter(({ key }) => key === "REFUSED")).toHaveLength(1);
      await prompt("HELLO");
      expect(await idle(2)).toMatchObject({ stopReason: "end_turn" });
      expect(bridge.model.requests.filter(({ key }) => key === "REFUSED")).toHaveLength(1);
    },
  );

  clause(["UPD-15"], "that is tried again says so, and takes it back at its end", async () => {
    const { prompt, idle, ofKind } = await open();
    await prompt("CUT");
    expect(await idle()).toMatchObject({ stopReason: "error" });
    const retries = ofKind("session_info_update").flatMap((update) => (update._meta ? [update._meta["codex"]] : []));
    expect(retries[0]).toMatchObject({ retry: { message: expect.stringContaining("1/") } });
    expect(retries.at(-1)).toEqual({});
  });

  clause(["PROMPT-08", "REC-01"], "says the same when it is replayed", async () => {
    const { sessionId, prompt, idle, ofKind } = await open();
    await prompt("HELLO", owned("kept"));
    await idle();
    const answers = () => ofKind("agent_message").map(({ messageId, content }) => ({ messageId, content }));
    const [live] = answers();
    expect(live?.content).toEqual([{ type: "text", text: "Hello to you." }]);
    const before = bridge.host.updates(sessionId).length;
    await bridge.host.request(hostRequests.sessionClose, { sessionId });
    await bridge.host.request(hostRequests.sessionResume, {
      sessionId,
      cwd: bridge.home.workspace,
      mcpServers: [],
      replayFrom: { type: "start" },
    });
    const replayed = bridge.host.updates(sessionId).slice(before);
    expect(replayed.filter(isUpdate("user_message"))).toMatchObject([{ messageId: "kept" }]);
    expect(replayed.filter(isUpdate("agent_message"))).toMatchObject([{ ...live }]);
  });
});

clause(["PROMPT-09"], "a message that another client wrote is replayed under Codex's own id", async () => {
  const { home, host } = bridge;
  const user = connectUser(
    startCodexProcess({ command: home.env["CODEX_PATH"] ?? installedCodex(), args: ["app-server"], env: home.env }),
  );
  await handshake(user);
  const { thread } = await user.client.threadStart({ cwd: home.workspace, historyMode: "paginated" });
  await user.client.turnStart({ threadId: thread.id, input: [{ type: "text", text: "HELLO", text_elements: [] }] });
  await vi.waitFor(() => expect(user.told.map(({ method }) => method)).toContain("turn/completed"), 15_000);
  await user.connection.stop();
  const written = user.told
    .filter(({ method }) => method === "item/completed")
    .map(({ params }) => Object(params).item)
    .find(({ type }) => type === "userMessage");
  await host.request(hostRequests.sessionResume, {
    sessionId: thread.id,
    cwd: home.workspace,
    mcpServers: [],
    replayFrom: { type: "start" },
  });
  expect(host.updates(thread.id).filter(isUpdate("user_message"))).toMatchObject([{ messageId: written.id }]);
});

const decoded = (data: string): string => Buffer.from(data, "base64").toString("utf8");

describe("a command's output", () => {
  async function run(key: string) {
    const session = await open();
    await session.prompt(key);
    expect(await session.idle()).toMatchObject({ stopReason: "end_turn" });
    const terminal = session.ofKind("terminal_output_chunk").map(({ data }) => decoded(data));
    const snapshots = session.ofKind("terminal_update").flatMap(({ output }) => (output ? [decoded(output.data)] : []));
    const call = session.ofKind("tool_call_update").at(-1);
    return {
      call,
      /** What a host holds in the end: the snapshot replaces what was streamed. */
      shown: snapshots.at(-1) ?? terminal.join(""),
      raw: String(Object(call?.rawOutput).output),
      meta: call?._meta?.["codex"],
    };
  }

  clause(["REC-07", "REC-08", "REC-10"], "is whole on the terminal, and capped in the raw output", async () => {
    const { shown, raw, meta, call } = await run("LOUD");
    expect(shown.length).toBe(bytes);
    expect(raw.length).toBe(16_384);
    expect(meta).toMatchObject({ outputTruncated: true, outputCharacters: bytes, terminalId: call?.toolCallId });
  });

  clause(["REC-09"], "is never cut within a character", async () => {
    const { shown, raw } = await run("EMOJI");
    expect(shown.endsWith("😀b")).toBe(true);
    expect(raw).toBe("a".repeat(16_383));
  });

  clause(["REC-08", "REC-10"], "of a file that is read is whole in the call's content", async () => {
    const { call, raw, meta } = await run("READ");
    expect(raw.length).toBe(16_384);
    expect(meta).toMatchObject({ outputTruncated: true, outputCharacters: bigFile.length });
    expect(meta).not.toHaveProperty("terminalId");
    expect(call?.content).toMatchObject([{ content: { type: "text", text: bigFile } }]);
  });
});

describe("a command that outlives its turn (R-07)", () => {
  test("is listed as running with every state from then on", async () => {
    const { prompt, idle, ofKind } = await open();
    await prompt("OUTLIVE");
    const end = await idle();
    const [call] = ofKind("tool_call_update");
    expect(end).toMatchObject({
      stopReason: "end_turn",
      background: [{ type: "terminal", terminalId: call?.toolCallId }],
    });
    expect(ofKind("tool_call_update").at(-1)).toMatchObject({
      status: "completed",
      _meta: { codex: { reconciled: true } },
    });
    expect(ofKind("terminal_update").some(({ exitStatus }) => exitStatus !== undefined)).toBe(false);
  });

  test("ends with a turn that is stopped", async () => {
    const { sessionId, prompt, cancel, idle, ofKind } = await open();
    await prompt("HALF");
    await bridge.host.update(sessionId, isUpdate("tool_call_update"));
    cancel();
    expect(await idle()).toMatchObject({ stopReason: "cancelled", background: [] });
    expect(ofKind("tool_call_update").at(-1)).toMatchObject({ status: "cancelled" });
    expect(ofKind("terminal_update").at(-1)).toHaveProperty("exitStatus");
  });
});
