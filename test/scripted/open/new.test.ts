import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { requests } from "../../../src/generated/codex/methods.js";
import { hostRequests } from "../../../src/generated/contract/methods.js";
import { CodexFailure } from "../../../src/testing/scripted-codex/core.js";
import { recorded } from "../../../src/testing/scripted-codex/recorded.js";
import { clause } from "../../support/clause.js";
import { cwd, type OpenRig, startOpen } from "./rig.js";

let rig: OpenRig;

beforeEach(async () => {
  rig = await startOpen();
});
afterEach(() => rig.bridge.close());

const open = (params: object = {}) =>
  rig.bridge.host.call(hostRequests.sessionNew.method, { cwd, mcpServers: [], ...params });
const started = () => rig.bridge.codex.calls(requests.threadStart);

/** Config of the last thread that was started. */
const config = () => started().at(-1)?.params.config;

const stdio = { type: "stdio", name: "one", command: "/bin/one", args: ["-x"], env: [{ name: "A", value: "1" }] };
const http = { type: "http", name: "two", url: "https://example.org/mcp", headers: [{ name: "X-K", value: "v" }] };

describe("what a new session may not be", () => {
  const rows: readonly (readonly [string, object, string])[] = [
    ["a relative folder", { cwd: "project" }, "/cwd"],
    ["a folder of the host's home", { cwd: "~/project" }, "/cwd"],
    ["no folder", { cwd: "" }, "/cwd"],
    ["a relative directory more", { additionalDirectories: ["/ok", "more"] }, "/additionalDirectories/1"],
    [
      "a seed of the system",
      { _meta: { codex: { seedHistory: [{ role: "system", text: "x" }] } } },
      "/_meta/codex/seedHistory/0/role",
    ],
    ["a seed without text", { _meta: { codex: { seedHistory: [{ role: "user" }] } } }, "/_meta/codex/seedHistory/0"],
    ["a seed that is no list", { _meta: { codex: { seedHistory: {} } } }, "/_meta/codex/seedHistory"],
    ["a server of two kinds of name", { mcpServers: [stdio, { ...http, name: "one" }] }, "/mcpServers/1/name"],
  ];

  clause(["SESS-01", "SESS-23", "SESS-25"], "is refused with its path before Codex hears of it", async () => {
    await rig.bridge.clock.settle();
    const asked = () => rig.bridge.codex.log.frames("codex", "bridge").length;
    const before = asked();
    for (const [what, params, path] of rows) {
      await expect(open(params), what).rejects.toMatchObject({ code: -32602, data: { path } });
    }
    await expect(open({ mcpServers: [{ ...stdio, name: "  " }] })).rejects.toMatchObject({
      code: -32602,
      data: { path: "/mcpServers/0/name" },
    });
    expect(asked()).toBe(before);
  });
});

describe("what a new session may have", () => {
  clause(["SESS-02"], "more directories, each a trusted project", async () => {
    rig.bridge.codex.on(requests.skillsExtraRootsSet, () => ({}));
    await open({ additionalDirectories: ["/home/user/lib", "/srv/data"] });
    expect(config()).toEqual({
      projects: { "/home/user/lib": { trust_level: "trusted" }, "/srv/data": { trust_level: "trusted" } },
      sandbox_workspace_write: { writable_roots: ["/home/user/lib", "/srv/data"] },
    });
  });

  clause(["ROLL-03"], "a record that keeps what is deleted", async () => {
    await open();
    expect(started().map(({ params }) => params.historyMode)).toEqual(["paginated"]);
  });

  clause(["SESS-04", "SESS-05"], "servers of its own, but for those that the user's config has", async () => {
    const { codex } = rig.bridge;
    await open({ mcpServers: [stdio, http] });
    expect(config()).toEqual({
      mcp_servers: {
        one: { command: "/bin/one", args: ["-x"], env: { A: "1" } },
        two: { url: "https://example.org/mcp", http_headers: { "X-K": "v" } },
      },
    });
    const answer = recorded(requests.configRead);
    codex.on(requests.configRead, () => ({
      ...answer,
      config: { ...answer.config, mcp_servers: { one: { command: "/bin/mine" } } },
    }));
    await open({ mcpServers: [stdio, { ...http, name: "two words" }] });
    expect(config()).toEqual({
      mcp_servers: { two_words: { url: "https://example.org/mcp", http_headers: { "X-K": "v" } } },
    });
  });

  clause(["SESS-23"], "a history of its own, put in before anything else", async () => {
    const seedHistory = [
      { role: "user", text: "What is it?" },
      { role: "assistant", text: "It is this." },
    ];
    const { codex } = rig.bridge;
    codex.on(requests.threadInjectItems, () => ({}));
    const answer = await open({ _meta: { codex: { seedHistory } } });
    const { sessionId } = Object(answer);
    expect(codex.calls(requests.threadInjectItems).map(({ params }) => params)).toEqual([
      {
        threadId: sessionId,
        items: [
          { type: "message", role: "user", content: [{ type: "input_text", text: "What is it?" }] },
          { type: "message", role: "assistant", content: [{ type: "output_text", text: "It is this." }] },
        ],
      },
    ]);
    await open({ _meta: { codex: { seedHistory: [] } } });
    expect(codex.calls(requests.threadInjectItems)).toHaveLength(1);
  });

  test("and a thread whose history could not be put in is left", async () => {
    const { codex, clock } = rig.bridge;
    codex.on(requests.threadInjectItems, () => {
      throw new CodexFailure(-32603, "no room");
    });
    const seedHistory = [{ role: "user", text: "x" }];
    await expect(open({ _meta: { codex: { seedHistory } } })).rejects.toMatchObject({ message: /no room/ });
    await clock.settle();
    expect(codex.calls(requests.threadUnsubscribe)).toHaveLength(1);
  });
});
