import { afterEach, beforeEach, expect, test } from "vitest";
import { requests } from "../../../src/generated/codex/methods.js";
import { hostRequests } from "../../../src/generated/contract/methods.js";
import { recorded } from "../../../src/testing/scripted-codex/recorded.js";
import { clause } from "../../support/clause.js";
import { cwd, type OpenRig, startOpen } from "./rig.js";

let rig: OpenRig;

beforeEach(async () => {
  rig = await startOpen();
  rig.threads.set("s", { turns: [] });
  rig.threads.set("f", { turns: [] });
  const { thread, ...settings } = recorded(requests.threadStart);
  rig.bridge.codex.on(requests.threadFork, () => ({
    ...settings,
    thread: { ...thread, id: "f", sessionId: "f", cwd },
  }));
});
afterEach(() => rig.bridge.close());

/** The three ways to open, and what Codex is asked in each. */
const ways = [
  [hostRequests.sessionNew, requests.threadStart, {}],
  [hostRequests.sessionResume, requests.threadResume, { sessionId: "s" }],
  [hostRequests.sessionFork, requests.threadFork, { sessionId: "s" }],
] as const;

const open = (method: string, params: object) => rig.bridge.host.call(method, { cwd, mcpServers: [], ...params });

clause(
  ["HOST-01"],
  "the host's own instructions are Codex's developer instructions, however a session opens",
  async () => {
    const { codex } = rig.bridge;
    for (const [{ method }, native, params] of ways) {
      await open(method, { ...params, _meta: { alwith: { appendSystemPrompt: "Speak plainly." } } });
      const asked = codex.calls<typeof requests.threadStart>(native as typeof requests.threadStart).at(-1)?.params;
      expect(asked, method).toMatchObject({ developerInstructions: "Speak plainly." });
      expect(asked, method).not.toHaveProperty("baseInstructions");
    }
  },
);

test("a system prompt of the draft stands before the host's own instructions (R-05)", async () => {
  const { codex } = rig.bridge;
  const text = (words: string) => ({ type: "text", text: words });
  const systemPrompt = { mode: "append", content: [text("Be brief."), text("Be kind.")] };
  for (const [{ method }, native, params] of ways) {
    await open(method, { ...params, systemPrompt, _meta: { alwith: { appendSystemPrompt: "Speak plainly." } } });
    const asked = codex.calls<typeof requests.threadStart>(native as typeof requests.threadStart).at(-1)?.params;
    expect(asked, method).toMatchObject({ developerInstructions: "Be brief.\n\nBe kind.\n\nSpeak plainly." });
    await open(method, { ...params, systemPrompt: null });
    const without = codex.calls<typeof requests.threadStart>(native as typeof requests.threadStart).at(-1)?.params;
    expect(without, method).not.toHaveProperty("developerInstructions");
  }
});

test("a system prompt that cannot be applied opens nothing (R-05)", async () => {
  const { codex } = rig.bridge;
  const text = { type: "text", text: "Be brief." };
  const rows = [
    [{ mode: "override", content: [text] }, "/systemPrompt/mode"],
    [{ mode: "_other", content: [text] }, "/systemPrompt/mode"],
    [{ mode: "append", content: [] }, "/systemPrompt/content"],
    [
      { mode: "append", content: [text, { type: "image", data: "", mimeType: "image/png" }] },
      "/systemPrompt/content/1",
    ],
    [{ mode: "append", content: [{ type: "_future" }] }, "/systemPrompt/content/0"],
  ] as const;
  for (const [{ method }, native, params] of ways)
    for (const [systemPrompt, path] of rows) {
      const answer = open(method, { ...params, systemPrompt });
      await expect(answer, method).rejects.toMatchObject({
        code: -32602,
        data: { path: expect.stringContaining(path) },
      });
      expect(codex.calls<typeof requests.threadStart>(native as typeof requests.threadStart)).toEqual([]);
    }
});

clause(
  ["HOST-04"],
  "the host's mode is what Codex is told, however a session opens, and beats the process's",
  async () => {
    const { codex } = rig.bridge;
    const told = {
      "read-only": { approvalPolicy: "on-request", sandbox: "read-only" },
      agent: { approvalPolicy: "on-request", sandbox: "workspace-write" },
      "agent-full-access": { approvalPolicy: "never", sandbox: "danger-full-access" },
    };
    for (const [mode, policy] of Object.entries(told))
      for (const [{ method }, native, params] of ways) {
        await open(method, { ...params, _meta: { codex: { mode } } });
        const asked = codex.calls<typeof requests.threadStart>(native as typeof requests.threadStart).at(-1)?.params;
        expect(asked, `${method} ${mode}`).toMatchObject(policy);
      }
  },
);

clause(["HOST-05"], "a mode that does not exist is refused before Codex is asked for a thread", async () => {
  const { codex } = rig.bridge;
  for (const [{ method }, , params] of ways)
    for (const mode of ["yolo", "", "Agent", null, 1]) {
      await expect(open(method, { ...params, _meta: { codex: { mode } } }), `${method} ${mode}`).rejects.toMatchObject({
        code: -32602,
        data: { path: "/_meta/codex/mode" },
      });
    }
  const asked = [requests.threadStart, requests.threadResume, requests.threadFork].flatMap((it) =>
    codex.calls<typeof requests.threadStart>(it as typeof requests.threadStart),
  );
  expect(asked).toEqual([]);
});
