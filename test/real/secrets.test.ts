import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect } from "vitest";
import { hostRequests } from "../../src/generated/contract/methods.js";
import { functionCall, message } from "../../src/testing/scripted-model/steps.js";
import { clause } from "../support/clause.js";
import { codexes } from "../support/codexes.js";
import { isUpdate } from "../support/host.js";
import { tinyMcpServerOfHost } from "../support/mcp.js";
import { type RealBridge, startRealBridge } from "../support/real-bridge.js";
import { greet } from "../support/second-agent.js";

let bridge: RealBridge;

afterEach(() => bridge.close());

const secret = "s3cr3t-of-the-host";

/** Names of the regular files beneath `folder` that hold `text`. */
async function holding(folder: string, text: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((it) => it.isFile()).map((it) => join(it.parentPath, it.name));
  const found = await Promise.all(
    // Codex removes files of its own while they are looked through.
    files.map(async (path) => ((await readFile(path).catch(() => "")).includes(text) ? [path] : [])),
  );
  return found.flat();
}

describe.each(codexes)("Codex $version", (codex) => {
  clause(["LOG-02"], "what an MCP server is told in its environment gets there, and into no file", async () => {
    const logs = "logs";
    bridge = await startRealBridge({
      codex,
      scripts: [
        {
          key: "ASK",
          steps: [functionCall("digest", { name: "ANY_NAME" }, { namespace: "mcp__tiny" }), message("Done.")],
        },
      ],
      env: { APP_SERVER_LOGS: logs },
    });
    const { host, home } = bridge;
    await greet(host);
    const servers = [{ ...tinyMcpServerOfHost(), env: [{ name: "ANY_NAME", value: secret }] }];
    const base = { cwd: home.workspace, mcpServers: servers };
    const { sessionId } = await host.request(hostRequests.sessionNew, base);
    await host.request(hostRequests.sessionPrompt, { sessionId, prompt: [{ type: "text", text: "ASK" }] });
    await host.idle(sessionId);
    const calls = JSON.stringify(host.updates(sessionId).filter(isUpdate("tool_call_update")));
    expect(calls).toContain(createHash("sha256").update(secret).digest("hex"));
    await host.request(hostRequests.sessionClose, { sessionId });
    await host.request(hostRequests.sessionResume, { ...base, sessionId });

    host.close();
    await bridge.waits.within("the agent to end", bridge.agent.exited);
    const root = join(home.workspace, "..");
    expect(await holding(root, "ANY_NAME")).not.toEqual([]);
    expect(await holding(root, secret)).toEqual([]);
    expect(await readdir(join(home.workspace, logs))).toHaveLength(1);
  });
});
