import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openWireLog, type WireLog, withWireLog } from "../../../src/log/wire-log.js";
import { type Clock, systemClock } from "../../../src/runtime/clock.js";
import { gone, memoryTransport } from "../codex/memory-transport.js";

const clock: Clock = { ...systemClock, now: () => Date.UTC(2026, 11, 1, 12, 0, 0, 5) };
const time = "2026-12-01T12:00:00.005Z";

let folder: string;
let warnings: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "wire-log-"));
  warnings = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

async function open(where = folder): Promise<WireLog> {
  const log = await openWireLog({ folder: where, clock, warn: (line) => void warnings.push(line), pid: 7 });
  if (log === null) throw new Error(warnings.join());
  return log;
}

async function linesOf(log: WireLog): Promise<unknown[]> {
  await log.close();
  return readFileSync(log.path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

const SECRET = "s3cr3t-value";

/** Frames as they are on the wire, with `SECRET` where a secret stands, and what the log must still tell. */
const secretFrames: readonly { readonly name: string; readonly frame: object; readonly kept: readonly string[] }[] = [
  {
    name: "session/new with MCP servers (LOG-02: a variable of any name)",
    frame: {
      jsonrpc: "2.0",
      id: 1,
      method: "session/new",
      params: {
        cwd: "/w",
        mcpServers: [
          { name: "files", command: "mcp", args: ["--root", "/w"], env: [{ name: "FOO", value: SECRET }] },
          { type: "http", name: "web", url: "https://h/mcp", headers: [{ name: "X-Any", value: SECRET }] },
        ],
      },
    },
    kept: ["--root", "https://h/mcp"],
  },
  {
    name: "providers/set headers",
    frame: {
      jsonrpc: "2.0",
      id: "a",
      method: "providers/set",
      params: { providerId: "main", apiType: "openai", baseUrl: "https://gw/v1", headers: { "X-Key": SECRET } },
    },
    kept: ["https://gw/v1", "main"],
  },
  {
    name: "auth/login with a key in _meta",
    frame: {
      jsonrpc: "2.0",
      id: 2,
      method: "auth/login",
      params: { methodId: "api-key", _meta: { "api-key": { apiKey: SECRET } } },
    },
    kept: ["auth/login"],
  },
  {
    name: "account/login/start with a key",
    frame: { id: 3, method: "account/login/start", params: { type: "apiKey", apiKey: SECRET } },
    kept: ["account/login/start"],
  },
  {
    name: "account/login/start with tokens",
    frame: {
      id: 3,
      method: "account/login/start",
      params: { type: "chatgptAuthTokens", accessToken: SECRET, chatgptAccountId: "acc" },
    },
    kept: ["acc"],
  },
  {
    name: "the answer to account/chatgptAuthTokens/refresh",
    frame: { id: 0, result: { accessToken: SECRET, chatgptAccountId: "acc" } },
    kept: ["acc"],
  },
  {
    name: "thread/start with a config",
    frame: {
      id: 4,
      method: "thread/start",
      params: {
        cwd: "/w",
        config: {
          mcp_servers: {
            files: { command: "mcp", env: { FOO: SECRET } },
            web: { url: "u", http_headers: { A: SECRET }, bearer_token: SECRET },
          },
          model_providers: {
            gw: { base_url: "https://gw", experimental_bearer_token: SECRET, http_headers: { Authorization: SECRET } },
          },
          shell_environment_policy: { set: { BAR: SECRET } },
          "mcp_servers.dotted.env.FOO": SECRET,
          "mcp_servers.dotted.env": { FOO: SECRET },
        },
      },
    },
    kept: ["https://gw", "/w"],
  },
  {
    name: "config/value/write of a secret path",
    frame: {
      id: 5,
      method: "config/value/write",
      params: { keyPath: "mcp_servers.files.env", value: { FOO: SECRET }, mergeStrategy: "upsert" },
    },
    kept: ["mcp_servers.files.env", "upsert"],
  },
  {
    name: "config/batchWrite",
    frame: {
      id: 6,
      method: "config/batchWrite",
      params: {
        edits: [
          { keyPath: "model_providers.gw.experimental_bearer_token", value: SECRET, mergeStrategy: "replace" },
          { keyPath: "model", value: "gpt-5.5", mergeStrategy: "replace" },
          { keyPath: "mcp_servers.files", value: { command: "mcp", env: { FOO: SECRET } }, mergeStrategy: "replace" },
        ],
      },
    },
    kept: ["experimental_bearer_token", "gpt-5.5"],
  },
  {
    name: "the answer to getAuthStatus",
    frame: { id: 7, result: { authMethod: "apikey", authToken: SECRET, requiresOpenaiAuth: true } },
    kept: ["apikey", "requiresOpenaiAuth"],
  },
  {
    name: "command/exec with an environment",
    frame: { id: 8, method: "command/exec", params: { command: ["ls"], env: { FOO: SECRET, BAR: null } } },
    kept: ["ls"],
  },
  {
    name: "an error with a cookie",
    frame: { id: 9, error: { code: -32603, message: "upstream", data: { Cookie: SECRET, "set-cookie": [SECRET] } } },
    kept: ["upstream"],
  },
];

describe("openWireLog", () => {
  it.each(secretFrames)("takes the secrets out of $name (LOG-01, LOG-02)", async ({ frame, kept }) => {
    const log = await open();
    log.frame("from-host", frame);
    await log.close();
    const text = readFileSync(log.path, "utf8");
    expect(text).not.toContain(SECRET);
    for (const part of kept) expect(text).toContain(part);
  });

  it("does not touch the frame itself", async () => {
    const frame = { params: { edits: [{ keyPath: "env", value: SECRET }], apiKey: SECRET } };
    const log = await open();
    log.frame("to-codex", frame);
    await log.close();
    expect(frame).toEqual({ params: { edits: [{ keyPath: "env", value: SECRET }], apiKey: SECRET } });
  });

  it("guesses nothing: text in arguments, output and ordinary fields stays (LOG-03)", async () => {
    const frames = [
      {
        method: "item/completed",
        params: { item: { command: "curl -H 'token: abc'", aggregatedOutput: "OPENAI_API_KEY=sk-1" } },
      },
      { method: "thread/tokenUsage/updated", params: { tokenUsage: { last: { totalTokens: 5, inputTokens: 4 } } } },
      { method: "account/read", params: { refreshToken: false }, id: 1 },
      { method: "fuzzyFileSearch", params: { cancellationToken: null, query: "env" }, id: 2 },
      {
        method: "x",
        params: { environmentId: "local", environments: ["e"], keyPath: "model", value: 1, headers: null },
      },
    ];
    const log = await open();
    for (const frame of frames) log.frame("from-codex", frame);
    expect(await linesOf(log)).toEqual(frames.map((frame) => ({ time, direction: "from-codex", frame })));
  });

  it("writes whole frames, however long and deep, in order, as they were when they passed", async () => {
    const long = { params: { items: Array.from({ length: 5000 }, (_, n) => n) } };
    let deep: unknown = "bottom";
    for (let i = 0; i < 200; i++) deep = [{ deep }];
    const changing = { n: 0 };
    const log = await open();
    log.frame("from-codex", long);
    log.frame("from-codex", { deep });
    for (let n = 0; n < 2000; n++) {
      changing.n = n;
      log.frame("to-host", changing);
    }
    log.note("over");
    const lines = await linesOf(log);
    expect(lines.slice(0, 2)).toEqual([long, { deep }].map((frame) => ({ time, direction: "from-codex", frame })));
    expect(lines.slice(2, -1)).toEqual(
      Array.from({ length: 2000 }, (_, n) => ({ time, direction: "to-host", frame: { n } })),
    );
    expect(lines.at(-1)).toEqual({ time, note: "over" });
  });

  it("takes any value for a frame", async () => {
    const odd = [null, 7, "text", [1, { token: SECRET }], JSON.parse('{"__proto__":{"apiKey":"x"}}')];
    const log = await open();
    for (const frame of odd) log.frame("from-codex", frame);
    const lines = await linesOf(log);
    expect(lines).toHaveLength(odd.length);
    expect(JSON.stringify(lines)).not.toContain(SECRET);
    expect(lines.slice(0, 3)).toMatchObject([{ frame: null }, { frame: 7 }, { frame: "text" }]);
  });

  it("is a file of this process, for its user alone, in a folder that it makes", async () => {
    const log = await open(join(folder, "a", "b"));
    await log.close();
    expect(readdirSync(join(folder, "a", "b"))).toEqual(["codex-acp-kit-2026-12-01T12-00-00.005Z-7.jsonl"]);
    if (process.platform !== "win32") expect(statSync(log.path).mode & 0o777).toBe(0o600);
  });

  it("warns once, and the bridge goes on, when the folder cannot be written", async () => {
    const file = join(folder, "file");
    writeFileSync(file, "");
    const log = await openWireLog({ folder: join(file, "logs"), clock, warn: (line) => void warnings.push(line) });
    expect(log).toBeNull();
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/^No wire log: .*\S$/);
  });
});

describe("withWireLog", () => {
  it("logs what passes, both ways, and passes it on", async () => {
    const inner = memoryTransport();
    const log = await open();
    const transport = withWireLog(inner, log);
    const heard: unknown[] = [];
    transport.start({
      frame: (frame) => void heard.push(frame),
      batchEnd: () => void heard.push("batch end"),
      unreadable: (line) => void heard.push(line),
      closed: (exit) => void heard.push(exit),
    });
    transport.send({ id: 1, method: "account/login/start", params: { apiKey: SECRET } });
    inner.sink().frame({ id: 1, result: {} });
    inner.sink().batchEnd();
    inner.sink().unreadable({ kind: "not-json", text: `{"apiKey":"${SECRET}` });
    transport.pause();
    await transport.stop();
    expect(inner.sent).toEqual([{ id: 1, method: "account/login/start", params: { apiKey: SECRET } }]);
    expect(inner.calls).toEqual(["pause", "stop"]);
    expect(heard).toEqual([
      { id: 1, result: {} },
      "batch end",
      { kind: "not-json", text: `{"apiKey":"${SECRET}` },
      gone,
    ]);
    expect(await linesOf(log)).toEqual([
      {
        time,
        direction: "to-codex",
        frame: { id: 1, method: "account/login/start", params: { apiKey: "[redacted]" } },
      },
      { time, direction: "from-codex", frame: { id: 1, result: {} } },
      { time, note: "A line from Codex was not readable: no JSON, 23 characters" },
      { time, note: 'Codex is gone: {"code":1,"signal":null}' },
    ]);
  });
});
