import { mkdir, mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { requests } from "../../../src/generated/codex/methods.js";
import { hostRequests } from "../../../src/generated/contract/methods.js";
import { nextTurn } from "../../../src/testing/scripted-codex/turn.js";
import { type BridgeProcess, bundledAgent, startBridgeProcess } from "../../support/bridge.js";
import { clause } from "../../support/clause.js";
import { isUpdate } from "../../support/host.js";
import { scratch } from "../../support/places.js";
import { initialize } from "../handshake/rig.js";

let folder: string;

beforeEach(async () => {
  await mkdir(scratch, { recursive: true });
  folder = await mkdtemp(join(scratch, "wire-log-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Runs `work` through an agent that logs, and returns what the log then holds. */
async function logged(work: (bridge: BridgeProcess) => Promise<void>): Promise<string> {
  const logs = join(folder, "new", "logs");
  const bridge = await startBridgeProcess({ env: { APP_SERVER_LOGS: logs } });
  try {
    await work(bridge);
  } finally {
    await bridge.close();
  }
  const [file = "none", ...more] = await readdir(logs);
  expect(more).toEqual([]);
  expect((await stat(join(logs, file))).mode & 0o777).toBe(0o600);
  return await readFile(join(logs, file), "utf8");
}

clause(["LOG-01", "LOG-02"], "keys, headers and environments are not in the log, and everything else is", async () => {
  const text = await logged(async (bridge) => {
    const { host, codex } = bridge;
    await initialize(bridge);
    codex.on(requests.accountLoginStart, () => ({ type: "apiKey" as const }));
    await host.request(hostRequests.authLogin, {
      methodId: "api-key",
      _meta: { "api-key": { apiKey: "secret-key" } },
    });
    await host.request(hostRequests.sessionNew, {
      cwd: "/home/user/plain-folder",
      mcpServers: [
        { type: "stdio", name: "one", command: "/bin/one", args: [], env: [{ name: "FOO", value: "secret-foo" }] },
        {
          type: "http",
          name: "two",
          url: "https://example.org/mcp",
          headers: [{ name: "Authorization", value: "Bearer secret-bearer" }],
        },
      ],
    });
    expect(codex.calls(requests.threadStart)[0]?.params.config).toMatchObject({
      mcp_servers: { one: { env: { FOO: "secret-foo" } } },
    });
  });
  for (const secret of ["secret-key", "secret-foo", "secret-bearer"]) expect(text).not.toContain(secret);
  for (const plain of ["/home/user/plain-folder", "https://example.org/mcp", "thread/start", "[redacted]"])
    expect(text).toContain(plain);
  const frames = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const directions = new Set(frames.flatMap(({ direction }) => direction ?? []));
  expect(directions).toEqual(new Set(["from-host", "to-host", "from-codex", "to-codex"]));
});

clause(["LOG-03"], "text is left as it is: nothing is taken for a secret by its looks", async () => {
  const text = await logged(async (bridge) => {
    await initialize(bridge);
    const { sessionId } = await bridge.host.request(hostRequests.sessionNew, { cwd: "/home/user", mcpServers: [] });
    const prompt = [{ type: "text" as const, text: "go" }];
    await bridge.host.request(hostRequests.sessionPrompt, { sessionId, prompt });
    const turn = await nextTurn(bridge.codex);
    turn.begin();
    bridge.codex.stderr("password=ghi\n");
    turn.command("curl -H 'Authorization: Bearer abc' example.org", { output: "token=def\n" });
    turn.complete();
    await bridge.host.idle(sessionId);
  });
  for (const plain of ["Bearer abc", "token=def", "Codex: password=ghi"]) expect(text).toContain(plain);
});

test("a disk that is full costs the log alone, and is said once", async () => {
  const logs = join(folder, "full");
  // Files of this agent end after 1 KiB at most: every write beyond fails, as on a disk without room.
  const args = ["-c", 'ulimit -f 1 && exec "$@"', "sh", bundledAgent.command, ...bundledAgent.args];
  const command = { command: "/bin/sh", args, env: bundledAgent.env };
  const bridge = await startBridgeProcess({ command, env: { APP_SERVER_LOGS: logs } });
  const { host, codex } = bridge;
  try {
    await initialize(bridge);
    const { sessionId } = await host.request(hostRequests.sessionNew, { cwd: "/home/user", mcpServers: [] });
    const prompt = [{ type: "text" as const, text: "go" }];
    await host.request(hostRequests.sessionPrompt, { sessionId, prompt });
    const turn = await nextTurn(codex);
    turn.begin();
    const words = Array.from({ length: 200 }, (_, n) => `word ${n} `);
    turn.message(words.join(""), { deltas: words });
    turn.complete();
    expect(await host.idle(sessionId)).toMatchObject({ stopReason: "end_turn" });
    const heard = host.updates(sessionId).filter(isUpdate("agent_message_chunk"));
    expect(heard.map(({ content }) => Object(content).text).join("")).toBe(words.join(""));
  } finally {
    await bridge.close();
  }
  expect(bridge.agent.stderr).toMatch(/^codex-acp-kit: The wire log is incomplete: EFBIG.+\n$/);
  const [file = "none"] = await readdir(logs);
  expect((await stat(join(logs, file))).size).toBeLessThanOrEqual(1024);
});

test.each(["/proc/nowhere/logs", "FILE/logs", "FILE"])(
  "a folder that cannot be made, %s, costs the log and no more",
  async (place) => {
    const path = place.replace("FILE", process.execPath);
    const bridge = await startBridgeProcess({ env: { APP_SERVER_LOGS: path } });
    try {
      expect(await initialize(bridge)).toMatchObject({ protocolVersion: 2 });
    } finally {
      await bridge.close();
    }
    expect(bridge.agent.stderr).toMatch(/^codex-acp-kit: No wire log: .+\n$/);
  },
);
