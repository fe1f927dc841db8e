import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, vi } from "vitest";
import { installedCodex } from "../../codegen/capture/native-binary.js";
import { startCodexProcess } from "../../src/codex/process-transport.js";
import { hostNotifications, hostRequests } from "../../src/generated/contract/methods.js";
import {
  applyPatch,
  execCommand,
  functionCall,
  message,
  reasoning,
  stall,
  usage,
} from "../../src/testing/scripted-model/steps.js";
import { clause } from "../support/clause.js";
import { connectUser, handshake } from "../support/codex-rig.js";
import { isUpdate, type UpdateOf } from "../support/host.js";
import { tinyMcpServer } from "../support/mcp.js";
import { type RealBridge, startRealBridge } from "../support/real-bridge.js";

let bridge: RealBridge;

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

const image = { key: "IMAGE", steps: [] as ReturnType<typeof functionCall>[] };

beforeAll(async () => {
  bridge = await startRealBridge({
    git: true,
    files: {
      "old.txt": "before\n",
      "gone.txt": "gone\n",
      ".agents/skills/tidy/SKILL.md": "---\nname: tidy\ndescription: Tidies up.\n---\nTidy up.\n",
    },
    env: { INITIAL_AGENT_MODE: "agent-full-access" },
    tables: [...tinyMcpServer(), "", "[mcp_servers.broken]", 'command = "/nonexistent/mcp-server"'],
    scripts: [
      {
        key: "THINK",
        steps: [[reasoning(["Let me see."]), message("One and two."), usage({ inputTokens: 700, outputTokens: 77 })]],
      },
      { key: "SHELL", steps: [execCommand("printf 'a\\nb\\nc'"), message("Done.")] },
      { key: "CAT", steps: [execCommand("cat old.txt"), message("Done.")] },
      { key: "LIST", steps: [execCommand("ls"), message("Done.")] },
      { key: "GREP", steps: [execCommand("grep -rn before ."), message("Done.")] },
      { key: "PATCH", steps: [applyPatch(patch), message("Done.")] },
      { key: "ECHO", steps: [functionCall("echo", { text: "hello" }, { namespace: "mcp__tiny" }), message("Done.")] },
      { key: "LOOKUP", steps: [functionCall("lookup", { word: "x" }), message("Done.")] },
      image,
      { key: "SLOW", steps: [execCommand("sleep 300", { yield_time_ms: 30_000 }), message("Done.")] },
      { key: "STALL", steps: [stall()] },
    ],
  });
  const { host, home } = bridge;
  const picture = join(home.workspace, "picture.png");
  await writeFile(picture, Buffer.from(pixel, "base64"));
  image.steps.push(functionCall("view_image", { path: picture }));
  await host.request(hostRequests.initialize, {
    protocolVersion: 2,
    info: { name: "test", version: "0" },
    capabilities: {},
  });
});

afterAll(() => bridge.close());

async function open() {
  const { host, home } = bridge;
  const { sessionId } = await host.request(hostRequests.sessionNew, { cwd: home.workspace, mcpServers: [] });
  return session(sessionId);
}

function session(sessionId: string) {
  const { host, home } = bridge;
  const ofKind = <Kind extends Parameters<typeof isUpdate>[0]>(kind: Kind): UpdateOf<Kind>[] =>
    host.updates(sessionId).filter(isUpdate(kind));
  const prompt = (text: string) =>
    host.request(hostRequests.sessionPrompt, { sessionId, prompt: [{ type: "text", text }] });
  return {
    sessionId,
    ofKind,
    prompt,
    /** Frames of calls, without those that tell of servers. */
    calls: () => ofKind("tool_call_update").filter(({ toolCallId }) => !toolCallId.startsWith("mcp-startup")),
    async turn(text: string) {
      await prompt(text);
      // A session that was opened anew says once that it is idle, of no turn.
      return host.update(sessionId, (update) => isUpdate("state_update")(update) && "stopReason" in update);
    },
    resume: (replay: boolean) =>
      host.request(hostRequests.sessionResume, {
        sessionId,
        cwd: home.workspace,
        mcpServers: [],
        ...(replay ? { replayFrom: { type: "start" as const } } : {}),
      }),
  };
}

const decoded = (data: string): string => Buffer.from(data, "base64").toString("utf8");
const inside = (name: string): string => join(bridge.home.workspace, name);

describe("the real Codex's words", () => {
  clause(
    ["UPD-01", "UPD-04", "UPD-06", "UPD-11"],
    "stream under its items' ids, and are whole when they are replayed",
    async () => {
      const { sessionId, ofKind, turn, resume } = await open();
      expect(await turn("THINK")).toMatchObject({ stopReason: "end_turn" });
      const chunks = ofKind("agent_message_chunk");
      expect(chunks.length).toBeGreaterThan(1);
      const [said] = chunks;
      expect(new Set(chunks.map(({ messageId }) => messageId)).size).toBe(1);
      expect(chunks.map(({ content }) => Object(content).text).join("")).toBe("One and two.");
      const thoughts = ofKind("agent_thought_chunk");
      expect(thoughts.map(({ content }) => Object(content).text).join("")).toBe("Let me see.");
      expect(ofKind("usage_update").at(-1)).toMatchObject({ used: 777, size: expect.any(Number) });

      const before = bridge.host.updates(sessionId).length;
      await bridge.host.request(hostRequests.sessionClose, { sessionId });
      await resume(true);
      const replayed = bridge.host.updates(sessionId).slice(before);
      expect(replayed.filter(isUpdate("agent_message_chunk"))).toEqual([]);
      expect(replayed.filter(isUpdate("agent_thought_chunk"))).toEqual([]);
      // Codex's own record has them under the ids that were streamed.
      expect(replayed.filter(isUpdate("agent_message"))).toMatchObject([
        { messageId: said?.messageId, content: [{ type: "text", text: "One and two." }] },
      ]);
      expect(replayed.filter(isUpdate("agent_thought"))).toMatchObject([
        { messageId: thoughts[0]?.messageId, content: [{ type: "text", text: "Let me see." }] },
      ]);
    },
    60_000,
  );

  clause(
    ["UPD-14", "UPD-16", "UPD-17"],
    "give the session its title, its commands and its options",
    async () => {
      const { sessionId, ofKind, prompt } = await open();
      const { host } = bridge;
      await host.update(
        sessionId,
        (update) => isUpdate("available_commands_update")(update) && JSON.stringify(update).includes('"name":"$tidy"'),
      );
      const names = ofKind("available_commands_update")
        .at(-1)
        ?.availableCommands.map((command) => Object(command).name);
      expect(names).toEqual(expect.arrayContaining(["plan", "compact", "review", "$tidy"]));

      const { configOptions } = await host.request(hostRequests.sessionSetConfigOption, {
        sessionId,
        configId: "mode",
        type: "id",
        value: "read-only",
      });
      await host.update(sessionId, isUpdate("config_option_update"));
      expect(ofKind("config_option_update").at(-1)).toMatchObject({ configOptions });
      const told = ofKind("config_option_update").length;
      await prompt("/plan");
      await host.idle(sessionId);
      expect(ofKind("config_option_update").length).toBeGreaterThan(told);
      expect(JSON.stringify(ofKind("config_option_update").at(-1))).toMatch(
        /"collaboration_mode"[^}]*"currentValue":"plan"/,
      );

      const other = await open();
      await other.prompt("THINK about it\nand more");
      await host.idle(other.sessionId);
      const titles = () => other.ofKind("session_info_update").flatMap(({ title }) => (title == null ? [] : [title]));
      expect(titles()).toEqual(["THINK about it"]);
      await host.request(hostRequests.codexSessionRename, { sessionId: other.sessionId, name: "Thoughts" });
      await vi.waitFor(() => expect(titles()).toEqual(["THINK about it", "Thoughts"]));
    },
    60_000,
  );
});

describe("a call of the real Codex", () => {
  clause(
    ["TOOL-01", "TOOL-02", "TOOL-05", "UPD-08"],
    "that runs a command has a terminal under its own id",
    async () => {
      const { ofKind, calls, turn } = await open();
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
        const { calls, turn } = await open();
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
      const { calls, turn } = await open();
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
      const { sessionId, ofKind, calls, turn } = await open();
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
      expect(await bridge.host.update(sessionId, isStartup)).toMatchObject({
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
      const { calls, turn } = await open();
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
      const { home } = bridge;
      const user = connectUser(startCodexProcess({ command: installedCodex(), args: ["app-server"], env: home.env }));
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
      await user.client.turnStart({ threadId: thread.id, input: [{ type: "text", text: "THINK", text_elements: [] }] });
      await vi.waitFor(() => expect(user.told.map(({ method }) => method)).toContain("turn/completed"), 15_000);
      await user.connection.stop();
      const { calls, turn, resume } = session(thread.id);
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
      const { sessionId, prompt, calls } = await open();
      const { host } = bridge;
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

clause(
  ["REC-18"],
  "a session that is opened anew while it runs finds its turn, and stops it",
  async () => {
    const { sessionId, prompt, ofKind, resume } = await open();
    const { host } = bridge;
    await prompt("STALL");
    await host.update(
      sessionId,
      (update) => isUpdate("user_message")(update) && Object(update._meta?.["codex"]).messageSentAt !== undefined,
    );
    const before = ofKind("state_update").length;
    await resume(false);
    await host.update(sessionId, () => ofKind("state_update").length > before);
    expect(ofKind("state_update").at(-1)).toMatchObject({ state: "running" });
    host.notify(hostNotifications.sessionCancel, { sessionId });
    expect(await host.idle(sessionId)).toMatchObject({ stopReason: "cancelled" });
  },
  60_000,
);
