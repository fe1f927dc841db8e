/** What the real Codex writes down in its own way, and how it reaches the host. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { hostRequests } from "../../src/generated/contract/methods.js";
import { isShortened } from "../../src/projection/output.js";
import { applyPatch, execCommand, message } from "../../src/testing/scripted-model/steps.js";
import { isUpdate } from "../support/host.js";
import { type RealBridge, startRealBridge } from "../support/real-bridge.js";

let bridge: RealBridge;

const patch = [
  "*** Begin Patch",
  "*** Update File: old-mac.txt",
  "@@",
  "-x",
  "+X",
  "*** Update File: windows.txt",
  "@@",
  " a",
  "-b",
  "+B",
  "*** Update File: unended.txt",
  "*** Move to: moved.txt",
  "@@",
  "-b",
  "+B",
  "*** End Patch",
].join("\n");

beforeAll(async () => {
  bridge = await startRealBridge({
    git: true,
    files: { "old-mac.txt": "p\rq\rr\nx\ns\rt\n", "windows.txt": "a\r\nb\r\nc\r\n", "unended.txt": "a\nb" },
    env: { INITIAL_AGENT_MODE: "agent-full-access" },
    scripts: [
      {
        key: "LONG",
        steps: [execCommand("yes 日本語 | head -c 2400000", { yield_time_ms: 10_000 }), message("Done.")],
      },
      { key: "PATCH", steps: [applyPatch(patch), message("Done.")] },
    ],
  });
  await bridge.host.request(hostRequests.initialize, {
    protocolVersion: 2,
    info: { name: "test", version: "0" },
    capabilities: {},
  });
});

afterAll(() => bridge.close());

async function run(text: string) {
  const { host, home } = bridge;
  const { sessionId } = await host.request(hostRequests.sessionNew, { cwd: home.workspace, mcpServers: [] });
  await host.request(hostRequests.sessionPrompt, { sessionId, prompt: [{ type: "text", text }] });
  expect(await host.idle(sessionId, 1)).toMatchObject({ stopReason: "end_turn" });
  return host.updates(sessionId);
}

test("an output over 1 MiB is known as one whose middle Codex left out", async () => {
  const updates = await run("LONG");
  const outputs = updates.filter(isUpdate("terminal_update")).flatMap(({ output }) => (output ? [output.data] : []));
  expect(outputs).toHaveLength(1);
  const output = Buffer.from(outputs[0] ?? "", "base64").toString();
  // Fewer code units than half of the bytes.
  expect(output.length).toBeLessThan(512 * 1024);
  expect(output.startsWith("日本語\n") && output.endsWith("語\n")).toBe(true);
  expect(isShortened(output)).toBe(true);
});

test("a patch says what git can be told, and names what it cannot", async () => {
  const updates = await run("PATCH");
  const call = updates.filter(isUpdate("tool_call_update")).at(-1);
  const at = (name: string): string => `${bridge.home.workspace}/${name}`;
  const omissions = [{ field: "patch", reason: expect.stringContaining(at("old-mac.txt")) }];
  expect(call?._meta?.["codex"]).toEqual({ omissions });
  const [diff] = call?.content ?? [];
  expect(diff).toMatchObject({ type: "diff", changes: [{}, {}, {}] });
  const sections = Object(Object(diff).patch)
    .text.split(/^(?=diff --git )/m)
    .sort();
  expect(sections).toEqual([
    `diff --git ${at("unended.txt")} ${at("moved.txt")}\nrename from ${at("unended.txt")}\nrename to ${at("moved.txt")}\n` +
      `--- ${at("unended.txt")}\n+++ ${at("moved.txt")}\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+B\n`,
    `diff --git ${at("windows.txt")} ${at("windows.txt")}\n--- ${at("windows.txt")}\n+++ ${at("windows.txt")}\n` +
      "@@ -1,3 +1,3 @@\n a\r\n-b\r\n+B\r\n c\r\n",
  ]);
});
