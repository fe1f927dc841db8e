/**
 * Secrets in every place where one can come in, and a scan of every byte that goes out: the agent as a host starts it,
 * with its log on. Frames to Codex that must carry a secret are the only place where one may stand.
 */

import { mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { requests } from "../../../src/generated/codex/methods.js";
import { hostRequests } from "../../../src/generated/contract/methods.js";
import { CodexFailure } from "../../../src/testing/scripted-codex/core.js";
import { turnOf, turnScript } from "../../../src/testing/scripted-codex/turn.js";
import { type BridgeProcess, startBridgeProcess } from "../../support/bridge.js";
import { scratch } from "../../support/places.js";
import { findSecrets } from "../../support/secret-scan.js";
import { initialize } from "../handshake/rig.js";

let folder: string;

beforeEach(async () => {
  await mkdir(scratch, { recursive: true });
  folder = await mkdtemp(join(scratch, "secrets-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Makes secrets that are told apart, and keeps them. Quotes and line ends are where careless redaction ends. */
function marker() {
  const secrets: string[] = [];
  const secret = (place: string): string => {
    const made = `S3CR3T-${place}-"q"\n\\x`;
    secrets.push(`S3CR3T-${place}-`);
    return made;
  };
  return { secrets, secret };
}

/** What takes a key or an MCP server's configuration to Codex. */
const carriers: ReadonlySet<unknown> = new Set(
  [requests.accountLoginStart, requests.threadStart, requests.threadResume, requests.threadFork].map(
    ({ method }) => method,
  ),
);

async function run(env: Readonly<Record<string, string>>, work: (bridge: BridgeProcess) => Promise<void>) {
  const bridge = await startBridgeProcess({
    env: { APP_SERVER_LOGS: join(folder, "logs"), XDG_STATE_HOME: join(folder, "state"), ...env },
  });
  try {
    await work(bridge);
  } finally {
    await bridge.close();
  }
  const { log, agent, standIn } = bridge;
  expect(JSON.stringify(standIn.args)).not.toContain("S3CR3T");
  return { log, stderr: agent.stderr, folders: [folder] };
}

/** As a header of HTTP, or a part of a line, may hold it. */
const oneLine = (text: string): string => text.replaceAll("\n", " ");

const cwd = "/home/user/project";

/** MCP servers of both kinds, with a secret wherever they take one. */
const servers = (secret: (place: string) => string, of: string) => [
  {
    type: "stdio",
    name: "one",
    command: "/bin/one",
    args: [],
    env: [{ name: "PLAIN_NAME", value: secret(`${of}-env`) }],
  },
  {
    type: "http",
    name: "two",
    url: "https://example.org/mcp",
    headers: [
      { name: "Authorization", value: `Bearer ${secret(`${of}-bearer`)}` },
      { name: "X-Plain-Name", value: secret(`${of}-header`) },
    ],
  },
];

test("what comes in as it should goes to Codex, and nowhere else", async () => {
  const { secrets, secret } = marker();
  const config = {
    mcp_servers: {
      three: {
        command: "three",
        env: { PLAIN: secret("config-env") },
        http_headers: { "X-Plain": secret("config-header") },
        bearer_token: secret("config-bearer"),
      },
    },
    model_providers: {
      gateway: {
        experimental_bearer_token: secret("provider-token"),
        http_headers: { "X-Plain": secret("provider-header") },
      },
    },
    shell_environment_policy: { set: { PLAIN: secret("shell-env") } },
  };
  const env = {
    CODEX_API_KEY: secret("codex-key"),
    OPENAI_API_KEY: secret("openai-key"),
    CODEX_CONFIG: JSON.stringify(config),
    SOME_TOKEN: secret("inherited"),
  };
  const produced = await run(env, async (bridge) => {
    const { host, codex } = bridge;
    codex.on(requests.accountLoginStart, () => ({ type: "apiKey" as const }));
    codex.on(requests.reviewStart, ({ threadId }) => ({ reviewThreadId: threadId, turn: turnOf("review-1") }));
    codex.on(requests.accountLogout, () => ({}));
    codex.on(requests.getAuthStatus, () => ({
      authMethod: "apikey" as const,
      authToken: secret("auth-token"),
      requiresOpenaiAuth: true,
    }));
    await initialize(bridge);
    const login = hostRequests.authLogin.method;
    await host.call(login, { methodId: "api-key" });
    await host.call(login, { methodId: "api-key", _meta: { "api-key": { apiKey: secret("given-key") } } });
    await host.call(hostRequests.providersSet.method, {
      providerId: "openai",
      apiType: "openai",
      baseUrl: "https://gate.example/v1",
      headers: {
        Authorization: `Bearer ${oneLine(secret("gateway-bearer"))}`,
        "X-Plain": oneLine(secret("gateway-header")),
      },
    });
    const opened = await host.call(hostRequests.sessionNew.method, { cwd, mcpServers: servers(secret, "new") });
    const { sessionId } = opened as { sessionId: string };
    for (const { method } of [hostRequests.sessionResume, hostRequests.sessionFork])
      await host.call(method, { sessionId, cwd, mcpServers: servers(secret, method) }).catch(() => undefined);
    // A command leaves a receipt on the disk.
    await host.call(hostRequests.sessionPrompt.method, { sessionId, prompt: [{ type: "text", text: "/review" }] });
    await codex.answered(requests.reviewStart);
    const turn = turnScript(codex, { threadId: sessionId, turnId: "review-1" });
    turn.begin();
    turn.complete();
    await host.idle(sessionId);
    await host.call(hostRequests.authLogout.method, {});
  });
  const carried = JSON.stringify(produced.log.frames("codex", "bridge").map(({ frame }) => frame));
  for (const place of [
    "codex-key",
    "given-key",
    "config-env",
    "config-header",
    "new-env",
    "new-bearer",
    "new-header",
    "gateway-bearer",
    "gateway-header",
  ])
    expect(carried).toContain(`S3CR3T-${place}-`);
  const carries = ({ frame }: { frame: unknown }) => carriers.has(Object(frame).method);
  expect(await findSecrets({ ...produced, secrets, carries })).toEqual([]);
  // There is a log and a receipt to look through.
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const modes = await Promise.all(
    files.map(async (file) => [
      file.isFile(),
      ((await stat(join(file.parentPath, file.name))).mode & 0o777).toString(8),
    ]),
  );
  expect(new Set(modes.filter(([isFile]) => isFile).map(([, mode]) => mode))).toEqual(new Set(["600"]));
  expect(modes.filter(([isFile]) => isFile).length).toBeGreaterThan(1);
  expect(new Set(modes.filter(([isFile]) => !isFile).map(([, mode]) => mode))).toEqual(new Set(["700"]));
  expect(await findSecrets({ ...produced, secrets: [cwd], carries })).not.toEqual([]);
});

test("what is off, refused or lost is told of without it", async () => {
  const { secrets, secret } = marker();
  const produced = await run({ OPENAI_API_KEY: secret("openai-key") }, async (bridge) => {
    const { host, codex } = bridge;
    await initialize(bridge);
    const refused = async (method: string, params: unknown) => {
      await expect(host.call(method, params)).rejects.toHaveProperty("code");
    };
    const [stdio, http] = servers(secret, "off");
    const { method } = hostRequests.sessionNew;
    await refused(method, { cwd, mcpServers: [{ ...stdio, env: { [secret("name")]: secret("map") } }] });
    await refused(method, { cwd, mcpServers: [{ ...stdio, env: [{ name: "A", value: { deep: secret("deep") } }] }] });
    await refused(method, { cwd, mcpServers: [{ ...http, headers: [{ name: "A", value: [secret("list")] }] }] });
    await refused(method, { cwd, mcpServers: [{ ...http, headers: secret("text") }] });
    await refused(method, { cwd: 5, mcpServers: servers(secret, "beside") });
    const login = hostRequests.authLogin.method;
    await refused(login, { methodId: "api-key", _meta: { "api-key": { apiKey: { key: secret("no-text") } } } });
    await refused(hostRequests.providersSet.method, { providerId: 5, headers: { Authorization: secret("provider") } });
    codex.on(requests.accountLoginStart, () => {
      throw new CodexFailure(-32600, "API key login is disabled");
    });
    await refused(login, { methodId: "api-key", _meta: { "api-key": { apiKey: secret("refused-key") } } });
    // A line that is no JSON is quoted nowhere, nor is one of Codex.
    host.raw(`{"jsonrpc":"2.0","id":77,"method":"auth/login","params":{"apiKey":"${oneLine(secret("half-a-line"))}`);
    codex.rawText(`{"id":1,"result":{"authToken":"${oneLine(secret("half-a-frame"))}\n`);
    await host.frame("the refusal of the line", ({ id }) => id === null);
    // Codex dies with a session's configuration in its hands.
    codex.on(requests.threadStart, () => {
      codex.die({ signal: "SIGSEGV" });
      return new Promise(() => undefined);
    });
    await refused(method, { cwd, mcpServers: servers(secret, "crash") });
  });
  const carries = ({ frame }: { frame: unknown }) => carriers.has(Object(frame).method);
  expect(await findSecrets({ ...produced, secrets, carries })).toEqual([]);
});

test.each(["CODEX_CONFIG", "INITIAL_AGENT_MODE"])("a %s that cannot be read is not quoted", async (variable) => {
  const { secrets, secret } = marker();
  const produced = await run({ [variable]: `{"env":"${secret("variable")}` }, async (bridge) => {
    bridge.host.rawFrames({
      jsonrpc: "2.0",
      id: 1,
      method: hostRequests.initialize.method,
      params: { protocolVersion: 2, info: { name: "test", version: "0" }, capabilities: {} },
    });
    await bridge.host.frame("an answer", ({ id }) => id === 1);
    await expect(bridge.host.call(hostRequests.sessionNew.method, { cwd, mcpServers: [] })).rejects.toHaveProperty(
      "code",
    );
  });
  expect(await findSecrets({ ...produced, secrets })).toEqual([]);
});
