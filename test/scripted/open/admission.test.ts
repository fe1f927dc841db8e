import { afterEach, describe, expect } from "vitest";
import { requests } from "../../../src/generated/codex/methods.js";
import { hostRequests } from "../../../src/generated/contract/methods.js";
import { CodexFailure } from "../../../src/testing/scripted-codex/core.js";
import { recorded } from "../../../src/testing/scripted-codex/recorded.js";
import { clause } from "../../support/clause.js";
import { cwd, fromStart, type OpenRig, startOpen } from "./rig.js";

let rig: OpenRig;

afterEach(() => rig.bridge.close());

describe("admission", () => {
  clause(
    ["CACHE-13", "CACHE-14", "CACHE-15"],
    "a cancelled resume answers at once, holds its session until Codex has answered, and leaves it",
    async () => {
      rig = await startOpen();
      rig.threads.set("s", { turns: [] });
      const { codex, host, clock } = rig.bridge;
      const held = codex.hold(requests.threadResume);
      const cancelled = rig.resume("s");
      await clock.settle();
      host.rawFrames({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: host.lastId } });
      await expect(cancelled).rejects.toMatchObject({ code: -32800 });
      await expect(rig.resume("s")).rejects.toMatchObject({ code: -32600 });
      const { thread, ...settings } = recorded(requests.threadStart);
      held.answer({ ...settings, thread: { ...thread, id: "s", sessionId: "s", cwd } });
      await clock.settle();
      expect(codex.calls(requests.threadUnsubscribe).map(({ params }) => params.threadId)).toEqual(["s"]);
      await expect(
        host.request(hostRequests.sessionPrompt, { sessionId: "s", prompt: [{ type: "text", text: "hi" }] }),
      ).rejects.toMatchObject({ code: -32602 });
      await rig.resume("s");
    },
  );

  clause(
    ["CACHE-13", "CACHE-14", "CACHE-16"],
    "a cancelled session/new answers at once, and its late thread is left",
    async () => {
      rig = await startOpen();
      const { codex, host, clock } = rig.bridge;
      const held = codex.hold(requests.threadStart);
      const cancelled = host.request(hostRequests.sessionNew, { cwd, mcpServers: [] });
      await clock.settle();
      host.rawFrames({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: host.lastId } });
      await expect(cancelled).rejects.toMatchObject({ code: -32800 });
      const late = recorded(requests.threadStart);
      held.answer(late);
      await clock.settle();
      expect(codex.calls(requests.threadUnsubscribe)).toHaveLength(1);
      // What Codex has done is not undone: the thread is there for whoever finds it.
      expect(codex.calls(requests.threadDelete)).toEqual([]);
      expect(codex.calls(requests.threadArchive)).toEqual([]);
      rig.threads.set(late.thread.id, { turns: [] });
      await rig.resume(late.thread.id);
    },
  );

  clause(["CLOSE-12"], "a timed-out unsubscribe keeps the thread shut until it is answered", async () => {
    rig = await startOpen();
    rig.threads.set("s", { turns: [] });
    await rig.resume("s");
    const { codex, host, clock } = rig.bridge;
    const held = codex.hold(requests.threadUnsubscribe);
    const closed = host.request(hostRequests.sessionClose, { sessionId: "s" });
    await clock.settle();
    await clock.advance(5000);
    expect(await closed).toMatchObject({ _meta: { codex: { close: { remoteUnsubscribe: "timed_out" } } } });
    await expect(rig.resume("s")).rejects.toMatchObject({ code: -32600 });
    await expect(host.request(hostRequests.sessionFork, { sessionId: "s", cwd, mcpServers: [] })).rejects.toMatchObject(
      { code: -32600 },
    );
    held.answer({ status: "unsubscribed" });
    await clock.settle();
    await rig.resume("s");
  });

  clause(["CLOSE-14"], "an open that fails after Codex opened the thread lets go of it", async () => {
    rig = await startOpen();
    rig.threads.set("s", { turns: [] });
    const { codex } = rig.bridge;
    codex.on(requests.threadTurnsList, () => {
      throw new CodexFailure(-32603, "history is broken");
    });
    await expect(rig.resume("s", fromStart)).rejects.toMatchObject({
      message: expect.stringContaining("history is broken"),
    });
    await rig.bridge.clock.settle();
    expect(codex.calls(requests.threadUnsubscribe).map(({ params }) => params.threadId)).toEqual(["s"]);
  });

  clause(["REC-19"], "a history that repeats a cursor is refused", async () => {
    rig = await startOpen();
    rig.bridge.codex.on(requests.threadTurnsList, () => ({ data: [], nextCursor: "again", backwardsCursor: null }));
    await expect(rig.resume("s", fromStart)).rejects.toMatchObject({
      message: expect.stringContaining("thread/turns/list"),
    });
    expect(rig.bridge.codex.calls(requests.threadTurnsList)).toHaveLength(2);
  });
});
