import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, vi } from "vitest";
import { installedCodex } from "../../codegen/capture/native-binary.js";
import { startCodexProcess } from "../../src/codex/process-transport.js";
import { hostNotifications } from "../../src/generated/contract/methods.js";
import { applyPatch, execCommand, functionCall, message, type Part } from "../../src/testing/scripted-model/steps.js";
import { clause } from "../support/clause.js";
import { connectUser, handshake } from "../support/codex-rig.js";
import { isUpdate } from "../support/host.js";
import { tinyMcpServer } from "../support/mcp.js";
import { startUpdates, type UpdatesRig } from "./updates-rig.js";

let rig: UpdatesRig;

afterAll(() => rig.bridge.close());

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const patch = `*** Begin Patch
*** Add File: new.txt
+one
*** Update File: old.txt
@@
-before
+after
*** Delete File: gone.txt
*** End Patch`;

const image = { key: "IMAGE", steps: [] as Part[] };

beforeAll(async () => {
  rig = await startUpdates({
    files: { "old.txt": "before\n", "gone.txt": "gone\n" },
    tables: [...tinyMcpServer(), "", "[mcp_servers.broken]", 'command = "/nonexistent/mcp-server"'],
    scripts: [
      { key: "HELLO", steps: [message("Hello.")] },
      { key: "SHELL", steps: [execCommand("printf 'a\\nb\\nc'"), message("Done.")] },
      { key: "CAT", steps: [execCommand("cat old.txt"), message("Done.")] },
      { key: "LIST", steps: [execCommand("ls"), message("Done.")] },
      { key: "GREP", steps: [execCommand("grep -rn before ."), message("Done.")] },
      { key: "PATCH", steps: [applyPatch(patch), message("Done.")] },
      { key: "ECHO", steps: [functionCall("echo", { text: "hello" }, { namespace: "mcp__tiny" }), message("Done.")] },
      { key: "LOOKUP", steps: [functionCall("lookup", { word: "x" }), message("Done.")] },
      image,
      { key: "SLOW", steps: [execCommand("sleep 300", { yield_time_ms: 30_000 }), message("Done.")] },
    ],
  });
  const picture = inside("picture.png");
  await writeFile(picture, Buffer.from(pixel, "base64"));
  image.steps.push(functionCall("view_image", { path: picture }), message("Done."));
});

const decoded = (data: string): string => Buffer.from(data, "base64").toString("utf8");
const inside = (name: string): string => join(rig.bridge.home.workspace, name);

describe("a call of the real Codex", () => {
  clause(
    ["TOOL-01", "TOOL-02", "TOOL-05", "UPD-08"],
    "that runs a command has a terminal under its own id",
    async () => {
      const { ofKind, calls, turn } = await rig.open();
      expect(await turn("SHELL")).toMatchObject({ stopReason: "end_turn" });
      const [first, ...later] = calls();
      const id = first?.toolCallId ?? "";
      expect(first).toMatchObject({
        name: "shell",
        kind: "execute",
        title: expect.stringContaining("printf"),
        status: "in_progress",
        content: [{ type: "terminal", terminalId: id }],
      });
      expect(later.length).toBeGreaterThan(0);
      for (const call of later) {
        const allowed = ["sessionUpdate", "toolCallId", "status", "content", "rawOutput"];
        expect(Object.keys(call).filter((key) => !allowed.includes(key))).toEqual([]);
      }
      const terminals = ofKind("terminal_update");
      const chunks = ofKind("terminal_output_chunk");
      for (const { terminalId } of [...terminals, ...chunks]) expect(terminalId).toBe(id);
      const snapshot = terminals.flatMap(({ output }) => (output ? [output.data] : [])).at(-1);
      const shown = snapshot === undefined ? chunks.map(({ data }) => decoded(data)).join("") : decoded(snapshot);
      expect(shown.replaceAll("\r", "")).toBe("a\nb\nc");
      expect(terminals.at(-1)).toMatchObject({ exitStatus: { exitCode: 0 } });
    },
    60_000,
  );

  clause(
    ["TOOL-06", "TOOL-07"],
    "that only reads, lists or searches says so",
    async () => {
      const first = async (key: string) => {
        const { calls, turn } = await rig.open();
        await turn(key);
        return calls()[0];
      };
      expect(await first("CAT")).toMatchObject({
        name: "read_file",
        kind: "read",
        locations: [{ path: inside("old.txt") }],
      });
      expect(await first("LIST")).toMatchObject({ name: "list_files", kind: "read" });
      expect(await first("GREP")).toMatchObject({ name: "search", kind: "search" });
    },
    60_000,
  );

  clause(
    ["TOOL-08", "TOOL-01", "TOOL-02"],
    "that edits files shows every change, path and the patch",
    async () => {
      const { calls, turn } = await rig.open();
      await turn("PATCH");
      expect(calls()[0]).toMatchObject({
        name: "apply_patch",
        kind: "edit",
        locations: expect.arrayContaining(["new.txt", "old.txt", "gone.txt"].map((name) => ({ path: inside(name) }))),
      });
      expect(calls()[0]?.locations).toHaveLength(3);
      expect(calls().at(-1)).toMatchObject({ status: "completed" });
      for (const call of calls().slice(1)) expect(call).not.toHaveProperty("name");
      const [diff] = calls().flatMap(({ content }) => content ?? []);
      expect(diff).toMatchObject({
        type: "diff",
        changes: expect.arrayContaining([
          { operation: "add", path: inside("new.txt") },
          { operation: "modify", path: inside("old.txt") },
          { operation: "delete", path: inside("gone.txt") },
        ]),
        patch: { format: "git_patch", text: expect.stringContaining("-before\n+after") },
      });
      const { text } = Object(diff).patch;
      for (const line of ["+one", "-before", "+after", "-gone"]) expect(text.split("\n")).toContain(line);
    },
    60_000,
  );

  clause(
    ["TOOL-09", "TOOL-17"],
    "of an MCP server, and of one that does not start",
    async () => {
      const { sessionId, ofKind, calls, turn } = await rig.open();
      await turn("ECHO");
      expect(calls()[0]).toMatchObject({
        name: "mcp",
        kind: "execute",
        title: "tiny: echo",
        rawInput: { text: "hello" },
      });
      expect(calls().at(-1)).toMatchObject({
        status: "completed",
        content: [{ type: "content", content: { type: "text", text: "hello" } }],
      });
      const isStartup = (update: Parameters<ReturnType<typeof isUpdate>>[0]) =>
        isUpdate("tool_call_update")(update) && update.name === "mcp_startup";
      expect(await rig.bridge.host.update(sessionId, isStartup)).toMatchObject({
        kind: "other",
        status: "failed",
        title: expect.stringContaining("broken"),
      });
      expect(ofKind("tool_call_update").filter(isStartup)).toHaveLength(1);
    },
    60_000,
  );

  clause(
    ["TOOL-12"],
    "that looks at an image",
    async () => {
      const { calls, turn } = await rig.open();
      await turn("IMAGE");
      expect(calls()[0]).toMatchObject({
        name: "view_image",
        kind: "read",
        title: "View picture.png",
        locations: [{ path: inside("picture.png") }],
      });
      expect(calls().at(-1)).toMatchObject({ status: "completed" });
    },
    60_000,
  );

  clause(
    ["TOOL-10"],
    "of a tool that another client brought to the thread",
    async () => {
      const { home } = rig.bridge;
      const user = connectUser(
        startCodexProcess({ command: home.env["CODEX_PATH"] ?? installedCodex(), args: ["app-server"], env: home.env }),
      );
      await handshake(user);
      const { thread } = await user.client.threadStart({
        cwd: home.workspace,
        historyMode: "paginated",
        dynamicTools: [
          {
            type: "function",
            name: "lookup",
            description: "Looks up",
            inputSchema: { type: "object", properties: {} },
          },
        ],
      });
      await user.client.turnStart({ threadId: thread.id, input: [{ type: "text", text: "HELLO", text_elements: [] }] });
      await vi.waitFor(() => expect(user.told.map(({ method }) => method)).toContain("turn/completed"), 15_000);
      await user.connection.stop();
      const { calls, turn, resume } = rig.session(thread.id);
      await resume(false);
      expect(await turn("LOOKUP")).toMatchObject({ stopReason: "end_turn" });
      expect(calls()[0]).toMatchObject({
        name: "dynamic_tool",
        kind: "execute",
        title: "lookup",
        rawInput: { word: "x" },
      });
      expect(calls().at(-1)?.status).toBe("failed");
    },
    60_000,
  );

  clause(
    ["TOOL-04"],
    "that is open when its turn is stopped is cancelled ahead of the end",
    async () => {
      const { sessionId, prompt, calls } = await rig.open();
      const { host } = rig.bridge;
      await prompt("SLOW");
      await host.update(sessionId, (update) => isUpdate("tool_call_update")(update) && update.name === "shell");
      host.notify(hostNotifications.sessionCancel, { sessionId });
      expect(await host.idle(sessionId)).toMatchObject({ stopReason: "cancelled" });
      const updates = host.updates(sessionId);
      const end = updates.findIndex((update) => isUpdate("state_update")(update) && update.state === "idle");
      const settled = updates.findIndex(
        (update) => isUpdate("tool_call_update")(update) && update.status === "cancelled",
      );
      expect(settled).toBeGreaterThan(0);
      expect(settled).toBeLessThan(end);
      expect(calls().at(-1)).toMatchObject({ toolCallId: calls()[0]?.toolCallId, status: "cancelled" });
    },
    60_000,
  );
});
