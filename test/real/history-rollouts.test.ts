import { spawn } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { installedCodex } from "../../codegen/capture/native-binary.js";
import { hostRequests } from "../../src/generated/contract/methods.js";
import type { CodexSessionHistoryItemsParams, CodexSessionHistoryParams } from "../../src/generated/contract/types.js";
import { applyPatch, execCommand, message } from "../../src/testing/scripted-model/steps.js";
import { bundledAgent } from "../support/bridge.js";
import { clause } from "../support/clause.js";
import type { CodexUser } from "../support/codex-rig.js";
import { AgentError } from "../support/host.js";
import { startOtherClient } from "../support/other-client.js";
import { type RealBridge, startRealBridge } from "../support/real-bridge.js";
import { greet } from "../support/second-agent.js";

const deleting = (file: string) =>
  applyPatch(["*** Begin Patch", `*** Delete File: ${file}`, "*** End Patch"].join("\n"));

let bridge: RealBridge;
let other: CodexUser;

/** Threads that clients other than the bridge recorded, by kind. */
const threads = { paginated: "", legacy: "", exec: "", archived: "" };
const deleted = {
  paginated: "paginated text\n",
  legacy: "legacy text\n",
  exec: "exec text\n",
  archived: "archived text\n",
};
type Kind = keyof typeof threads;
const kinds = Object.keys(deleted) as Kind[];

async function record(historyMode: "paginated" | "legacy", key: string): Promise<string> {
  const { thread } = await other.client.threadStart({
    cwd: bridge.home.workspace,
    approvalPolicy: "never",
    sandbox: "danger-full-access",
    historyMode,
  });
  const done = other.told.filter(({ method }) => method === "turn/completed").length;
  const ended = new Promise<void>((resolve) => {
    const look = (): void => {
      if (other.told.filter(({ method }) => method === "turn/completed").length > done) resolve();
      else setImmediate(look);
    };
    look();
  });
  await other.client.turnStart({ threadId: thread.id, input: [{ type: "text", text: key, text_elements: [] }] });
  await ended;
  return thread.id;
}

async function exec(prompt: string): Promise<string> {
  const options = ["exec", "--json", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", prompt];
  const child = spawn(bridge.home.env["CODEX_PATH"] ?? installedCodex(), options, {
    cwd: bridge.home.workspace,
    env: bridge.home.env,
    stdio: ["ignore", "pipe", "ignore"],
  });
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  await new Promise((resolve) => child.once("close", resolve));
  const [, id] = /"thread_id":"([^"]+)"/.exec(stdout) ?? [];
  if (id === undefined) throw new Error(`codex exec named no thread: ${stdout.slice(0, 500)}`);
  return id;
}

beforeAll(async () => {
  bridge = await startRealBridge({
    files: Object.fromEntries(kinds.map((kind) => [`${kind}.txt`, deleted[kind]])),
    scripts: kinds.map((kind) => ({
      key: `DO-${kind}`,
      steps: [
        [message({ text: "First.", phase: "commentary" }), execCommand("echo one")],
        deleting(`${kind}.txt`),
        message("Done."),
      ],
    })),
  });
  // One after the other: an older Codex does not start beside another that is making the home's database.
  await greet(bridge.host);
  other = await startOtherClient(bridge);
  threads.paginated = await record("paginated", "DO-paginated");
  threads.legacy = await record("legacy", "DO-legacy");
  threads.archived = await record("paginated", "DO-archived");
  threads.exec = await exec("DO-exec");
  await other.client.threadArchive({ threadId: threads.archived });
  // What is on the disk by then says nothing of what was deleted.
  for (const kind of kinds) await writeFile(join(bridge.home.workspace, `${kind}.txt`), "something else\n");
}, 90_000);

afterAll(async () => {
  await other.connection.stop();
  await bridge.close();
});

const turns = (sessionId: string, params: Partial<CodexSessionHistoryParams> = {}) =>
  bridge.host.request(hostRequests.codexSessionHistory, { sessionId, ...params });
const items = (sessionId: string, params: Partial<CodexSessionHistoryItemsParams> = {}) =>
  bridge.host.request(hostRequests.codexSessionHistoryItems, { sessionId, ...params });

describe("threads of other clients, archived and closed ones too", () => {
  clause(["HIST-05", "HIST-03", "HIST-01"], "are read in both modes, and stay as they are", async () => {
    for (const kind of kinds) {
      for (const mode of ["browse", "export"] as const) {
        const page = await turns(threads[kind], { mode, itemsView: "full" });
        expect(page, kind).toMatchObject({ title: `DO-${kind}`, running: null, complete: true });
        expect(page.turns).toHaveLength(1);
        expect(JSON.stringify(page.turns[0]?.updates)).toContain("Done.");
      }
    }
    const { data } = await other.client.threadList({ archived: true, modelProviders: [] });
    expect(data.map(({ id }) => id)).toEqual([threads.archived]);
  });

  clause(["ROLL-07", "ROLL-08", "ROLL-10"], "have the text of deleted files, from Codex's record alone", async () => {
    for (const kind of kinds) {
      const page = await turns(threads[kind], { mode: "export", itemsView: "full", includeNative: true });
      const path = join(bridge.home.workspace, `${kind}.txt`);
      expect(page.turns[0]?._meta?.codex.items, kind).toContainEqual(
        expect.objectContaining({ changes: [{ path, kind: { type: "delete" }, diff: deleted[kind] }] }),
      );
      expect(JSON.stringify(page.turns[0]?.updates), kind).toContain(`-${deleted[kind].trim()}`);
      expect(page.turns[0]?.omissions, kind).toEqual([]);
    }
  });

  clause(["HIST-09", "HIST-68"], "are paged by items, but for the legacy kind, which says so", async () => {
    for (const kind of ["paginated", "exec", "archived"] as const) {
      const page = await items(threads[kind]);
      expect(page.items.map(({ updates }) => updates.at(-1)?.sessionUpdate)).toContain("tool_call_update");
    }
    const error = await items(threads.legacy).catch((it: unknown) => it);
    expect(error).toBeInstanceOf(AgentError);
    expect(error).toMatchObject({
      code: -32601,
      data: { reason: "history_unsupported", retryable: false, native: { code: -32601 } },
    });
  });

  test("are exported from the command line, deleted text and all", async () => {
    for (const kind of kinds) {
      const file = join(bridge.home.home, `${kind}.jsonl`);
      const { command, args, env } = bundledAgent;
      const child = spawn(command, [...args, "history", threads[kind], "--native", "--export", file], {
        env: { ...env, ...bridge.home.env },
        stdio: ["ignore", "ignore", "inherit"],
      });
      expect(await new Promise((resolve) => child.once("close", resolve)), kind).toBe(0);
      const [session, turn, ...more] = (await readFile(file, "utf8")).trimEnd().split("\n");
      expect(JSON.parse(session ?? "")).toMatchObject({ type: "session", sessionId: threads[kind] });
      expect(turn).toContain(JSON.stringify(deleted[kind]));
      expect(more).toEqual([]);
    }
  });

  test("lose the text of a deleted file only where Codex never kept it, and then by name", async () => {
    const empty = join(bridge.home.workspace, "paginated.txt");
    await rm(empty);
    await writeFile(empty, "");
    const id = await record("paginated", "DO-paginated");
    const page = await turns(id, { itemsView: "full" });
    expect(page.turns[0]?.omissions).toEqual([
      { itemId: expect.any(String), field: "changes", reason: expect.stringContaining(empty) },
    ]);
  });
});
