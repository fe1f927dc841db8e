import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { requests } from "../../../src/generated/codex/methods.js";
import type { ThreadStatus } from "../../../src/generated/codex/types.js";
import { hostRequests } from "../../../src/generated/contract/methods.js";
import { CodexFailure } from "../../../src/testing/scripted-codex/core.js";
import { recorded } from "../../../src/testing/scripted-codex/recorded.js";
import { type ListRig, row, startList } from "./rig.js";

let rig: ListRig;

beforeEach(async () => {
  rig = await startList();
  rig.bridge.codex.on(requests.threadUnsubscribe, () => ({ status: "unsubscribed" as const }));
});
afterEach(() => rig.bridge.close());

const status = (sessionId: string) => rig.bridge.host.request(hostRequests.sessionStatus, { sessionId });

function stored(id: string, native: ThreadStatus): void {
  rig.pages.set("", { rows: [row(id, { status: native })], next: null });
}

describe("session/status (R-05)", () => {
  test("an open session has the state of its last frame, and nobody at Codex is asked", async () => {
    const { host, codex, clock } = rig.bridge;
    const { sessionId } = await host.request(hostRequests.sessionNew, { cwd: "/home/user", mcpServers: [] });
    await clock.settle();
    expect(await status(sessionId)).toEqual({ status: "open", state: { state: "idle", background: [] } });
    codex.on(requests.turnStart, () => recorded(requests.turnStart));
    const { messageId } = await host.request(hostRequests.sessionPrompt, {
      sessionId,
      prompt: [{ type: "text", text: "go" }],
    });
    await codex.received(requests.turnStart);
    const before = codex.calls(requests.threadRead).length;
    expect(await status(sessionId)).toEqual({
      status: "open",
      state: { state: "running", background: [], _meta: { alwith: { messageId } } },
    });
    expect(codex.calls(requests.threadRead)).toHaveLength(before);
  });

  test("a session open for viewing is open, in a state that cannot be known", async () => {
    stored("s", { type: "notLoaded" });
    rig.bridge.codex.on(requests.threadResume, () => {
      throw new CodexFailure(-32600, "thread s already has an active writer");
    });
    await rig.bridge.host.request(hostRequests.sessionResume, { sessionId: "s", cwd: "/home/user", mcpServers: [] });
    expect(await status("s")).toEqual({
      status: "open",
      state: { state: "unknown", _meta: { codex: { readOnly: true } } },
    });
  });

  test.each([
    [{ type: "notLoaded" }, { status: "saved" }],
    [{ type: "systemError" }, { status: "saved" }],
    [{ type: "idle" }, { status: "open", state: { state: "idle" } }],
    [
      { type: "active", activeFlags: [] },
      { status: "open", state: { state: "running" } },
    ],
    [
      { type: "active", activeFlags: ["waitingOnApproval"] },
      { status: "open", state: { state: "requires_action" } },
    ],
  ] satisfies [ThreadStatus, object][])("a thread that Codex has as %j", async (native, expected) => {
    stored("s", native);
    expect(await status("s")).toEqual(expected);
  });

  test("an unknown session is named, and every other refusal stays Codex's", async () => {
    await expect(status("nobody")).rejects.toMatchObject({ code: -32002, data: { sessionId: "nobody" } });
    rig.bridge.codex.on(requests.threadRead, () => {
      throw new CodexFailure(-32603, "the disk is on fire");
    });
    await expect(status("nobody")).rejects.toMatchObject({ code: -32603, message: /disk is on fire/ });
  });
});

describe("session/set_title (R-05)", () => {
  test("answers with the title as Codex keeps it", async () => {
    const { host, codex } = rig.bridge;
    codex.on(requests.threadNameSet, ({ name }) => {
      rig.pages.set("", { rows: [row("s", { name: name.trim() })], next: null });
      return {};
    });
    const answer = await host.request(hostRequests.sessionSetTitle, { sessionId: "s", title: "  A title " });
    expect(answer).toEqual({ title: "A title" });
    expect(codex.calls(requests.threadNameSet).map(({ params }) => params)).toEqual([
      { threadId: "s", name: "  A title " },
    ]);
  });

  test("a blank title reaches nobody, and an unknown session is named", async () => {
    const { host, codex } = rig.bridge;
    for (const title of ["", " \n\t"]) {
      const blank = host.request(hostRequests.sessionSetTitle, { sessionId: "s", title });
      await expect(blank).rejects.toMatchObject({ code: -32602, data: { path: "/title" } });
    }
    expect(codex.calls(requests.threadNameSet)).toEqual([]);
    codex.on(requests.threadNameSet, () => {
      throw new CodexFailure(-32600, "thread not found: s");
    });
    const unknown = host.request(hostRequests.sessionSetTitle, { sessionId: "s", title: "t" });
    await expect(unknown).rejects.toMatchObject({ code: -32002, data: { sessionId: "s" } });
  });
});

describe("archiving and unarchiving (R-05)", () => {
  const both = [
    ["session/archive", hostRequests.sessionArchive, hostRequests.codexSessionArchive, requests.threadArchive],
    ["session/unarchive", hostRequests.sessionUnarchive, hostRequests.codexSessionUnarchive, requests.threadUnarchive],
  ] as const;

  test.each(both)("%s does what its twin does, and what is done already stays done", async (...[, ...methods]) => {
    const { host, codex } = rig.bridge;
    const [standard, twin, native] = methods;
    stored("s", { type: "notLoaded" });
    for (const descriptor of [standard, twin]) {
      codex.on(requests.threadArchive, () => ({}));
      codex.on(requests.threadUnarchive, () => ({ thread: row("s") }));
      expect(await host.request(descriptor, { sessionId: "s" })).toEqual({});
      codex.on(native, () => {
        throw new CodexFailure(-32600, "no archived rollout found for thread id s");
      });
      expect(await host.request(descriptor, { sessionId: "s" })).toEqual({});
      const unknown = host.request(descriptor, { sessionId: "nobody" });
      await expect(unknown).rejects.toMatchObject({ code: -32002, data: { sessionId: "nobody" } });
    }
    expect(codex.calls(native)).toHaveLength(6);
  });

  test.each([
    [hostRequests.sessionArchive, requests.threadArchive],
    [hostRequests.sessionUnarchive, requests.threadUnarchive],
  ] as const)(
    "$method says what kept it from looking, not that the session is missing",
    async (...[descriptor, native]) => {
      const { host, codex } = rig.bridge;
      codex.on(native, () => {
        throw new CodexFailure(-32600, "no rollout found for thread id s");
      });
      codex.on(requests.threadRead, () => {
        throw new CodexFailure(-32603, "the disk is on fire");
      });
      const refused = host.request(descriptor, { sessionId: "s" });
      await expect(refused).rejects.toMatchObject({ code: -32603, message: /disk is on fire/ });
      const held = codex.hold(requests.threadRead);
      const lost = host.request(descriptor, { sessionId: "s" });
      lost.catch(() => undefined);
      await held.received();
      codex.die({ code: 1 });
      await expect(lost).rejects.toMatchObject({ data: { reason: "codex_lost" } });
    },
  );

  test("an open thread is no archived one", async () => {
    rig.bridge.codex.on(requests.threadUnarchive, () => {
      throw new CodexFailure(-32600, "thread s already has an active writer");
    });
    expect(await rig.bridge.host.request(hostRequests.sessionUnarchive, { sessionId: "s" })).toEqual({});
  });

  test.each([
    [hostRequests.sessionArchive, requests.threadArchive],
    [hostRequests.sessionDelete, requests.threadDelete],
  ] as const)(
    "$method that is refused leaves a session that is open for viewing as it was",
    async (...[descriptor, native]) => {
      const { host, codex } = rig.bridge;
      const writer = (): never => {
        throw new CodexFailure(-32600, "thread s already has an active writer");
      };
      stored("s", { type: "notLoaded" });
      codex.on(requests.threadResume, writer);
      codex.on(native, writer);
      await host.request(hostRequests.sessionResume, { sessionId: "s", cwd: "/home/user", mcpServers: [] });
      await expect(host.request(descriptor, { sessionId: "s" })).rejects.toMatchObject({ code: -32600 });
      expect(await status("s")).toMatchObject({ status: "open" });
      codex.on(native, () => ({}));
      expect(await host.request(descriptor, { sessionId: "s" })).toEqual({});
      expect(await status("s")).toEqual({ status: "saved" });
      expect(codex.calls(requests.threadUnsubscribe)).toEqual([]);
    },
  );
});
