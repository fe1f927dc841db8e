import { afterEach, beforeEach, describe, expect } from "vitest";
import { notifications, requests } from "../../../src/generated/codex/methods.js";
import { agentNotifications, hostRequests } from "../../../src/generated/contract/methods.js";
import { CodexFailure } from "../../../src/testing/scripted-codex/core.js";
import type { Bridge } from "../../support/bridge.js";
import { startBridge } from "../../support/bridge-agent.js";
import { clause } from "../../support/clause.js";
import { isUpdate } from "../../support/host.js";
import { initialize } from "../handshake/rig.js";
import { rows } from "./rows.js";

let bridge: Bridge;

beforeEach(async () => {
  bridge = startBridge();
  await initialize(bridge);
  await bridge.clock.settle();
});
afterEach(() => bridge.close());

/** Frames that Codex was sent since `from`, without their ids. */
const sent = (from = 0): unknown[] =>
  bridge.codex.log
    .frames("codex", "bridge")
    .slice(from)
    .map(({ frame }) => {
      const { id, ...rest } = Object(frame);
      return rest;
    });
const told = (): number => bridge.host.notifications(agentNotifications.codexSkillsChanged).length;

clause(
  ["PASS-03", "PASS-04", "PASS-05", "PASS-06", "PASS-07", "PASS-09", "PASS-12", "PASS-13", "PASS-14"],
  "each method reaches its own of Codex, and a change that is made is told of once",
  async () => {
    const { host, codex } = bridge;
    for (const row of rows) {
      codex.on(row.codex, () => row.result);
      const from = sent().length;
      const before = told();
      const result = await host.call(row.host.method, row.params);
      const params = "forwarded" in row ? row.forwarded : row.params;
      expect(sent(from)).toEqual([{ method: row.codex.method, ...(params === undefined ? {} : { params }) }]);
      expect(result).toEqual("returned" in row ? row.returned : row.result);
      expect(told() - before).toBe(row.changes ? 1 : 0);
    }
  },
);

clause(["PASS-01"], "what is off Codex's schema goes through as it is, both ways: Codex judges it", async () => {
  const { host, codex, checker } = bridge;
  // The very subject of this test is off schema.
  checker.stop();
  for (const row of rows.filter((it) => !("forwarded" in it))) {
    const odd = { ...Object(row.result), more: [1, { deep: null }] };
    codex.on(row.codex, () => odd);
    const params = { ...row.params, pluginId: 7, cwds: "none", _meta: { a: 1 }, nested: { b: [null] } };
    const from = sent().length;
    const result = await host.call(row.host.method, params);
    expect(sent(from)).toEqual([{ method: row.codex.method, params }]);
    expect(result).toEqual("returned" in row ? row.returned : odd);
  }
});

clause(["PASS-02", "PASS-09"], "Codex's errors are the host's, and nothing is told of them", async () => {
  const { host, codex } = bridge;
  for (const [code, data] of [
    [-32600, undefined],
    [-32602, { field: "x", list: [1] }],
    [-32603, "text"],
    [-32042, null],
  ] as const) {
    for (const row of rows) {
      codex.on(row.codex, () => {
        throw new CodexFailure(code, `no ${row.codex.method} today`, data);
      });
      const answer = await host.call(row.host.method, row.params).catch((error: unknown) => error);
      expect(answer).toMatchObject({ code, message: `no ${row.codex.method} today` });
      expect(Object(answer).data).toEqual(data);
    }
  }
  expect(told()).toBe(0);
});

describe("parameters that the bridge reads itself", () => {
  clause(["INIT-18", "PASS-14"], "of a file search are checked before Codex sees them", async () => {
    const { host } = bridge;
    const from = sent().length;
    const good = { query: "q", roots: ["/home"] };
    for (const [params, path] of [
      [{ roots: [] }, ""],
      [{ query: "q" }, ""],
      [{ ...good, query: 1 }, "/query"],
      [{ ...good, roots: "/home" }, "/roots"],
      [{ ...good, roots: [1] }, "/roots/0"],
      [{ ...good, cancellationToken: 1 }, "/cancellationToken"],
    ] as const) {
      const answer = host.call(hostRequests.codexFuzzyFileSearch.method, params);
      await expect(answer).rejects.toMatchObject({ code: -32602, data: { path } });
    }
    expect(sent(from)).toEqual([]);
  });

  clause(["PASS-14"], "a search's token goes with it", async () => {
    const { host, codex } = bridge;
    codex.on(requests.fuzzyFileSearch, () => ({ files: [] }));
    const search = { query: "", roots: [] };
    await host.request(hostRequests.codexFuzzyFileSearch, { ...search, cancellationToken: "t" });
    await host.request(hostRequests.codexFuzzyFileSearch, { ...search, cancellationToken: null });
    expect(codex.calls(requests.fuzzyFileSearch).map(({ params }) => params)).toEqual([
      { ...search, cancellationToken: "t" },
      { ...search, cancellationToken: null },
    ]);
  });

  clause(["PASS-12", "PASS-13"], "absent params count as none where nothing is asked", async () => {
    const { host, codex } = bridge;
    for (const { host: method, codex: native, result } of rows) {
      if (method !== hostRequests.codexAccountRead && method !== hostRequests.codexRateLimits) continue;
      codex.on(native, () => result);
      expect(await host.call(method.method)).toEqual(result);
    }
    await expect(host.call(hostRequests.codexSkillsList.method)).rejects.toMatchObject({ code: -32602 });
  });
});

describe("what Codex tells", () => {
  const limits = { rateLimits: { limitId: "codex", planType: "plus" as const, secondary: null } };
  const found = { file_name: "q.ts", path: "q.ts", root: "/home/user", score: 3, match_type: "file" as const };

  clause(["PASS-15", "PASS-16"], "reaches the host as it is", async () => {
    const { host, codex, clock } = bridge;
    codex.notify(notifications.accountRateLimitsUpdated, limits);
    codex.notify(notifications.fuzzyFileSearchSessionUpdated, { files: [found], query: "q", sessionId: "f-1" });
    codex.notify(notifications.fuzzyFileSearchSessionCompleted, { sessionId: "f-1" });
    await clock.settle();
    expect(host.notifications(agentNotifications.codexRateLimitsUpdated)).toEqual([limits]);
    expect(host.notifications(agentNotifications.codexFuzzyFileSearchUpdated)).toEqual([
      { files: [found], query: "q", sessionId: "f-1" },
    ]);
    expect(host.notifications(agentNotifications.codexFuzzyFileSearchCompleted)).toEqual([{ sessionId: "f-1" }]);
  });

  clause(["PASS-08", "PASS-10", "PASS-11"], "of its skills is one signal, with or without a session", async () => {
    const { host, codex, clock } = bridge;
    codex.notify(notifications.skillsChanged, {});
    await clock.settle();
    expect(host.notifications(agentNotifications.codexSkillsChanged)).toEqual([{}]);
    const { sessionId } = await host.request(hostRequests.sessionNew, { cwd: "/home/user", mcpServers: [] });
    await clock.settle();
    const commands = () => host.updates(sessionId).filter(isUpdate("available_commands_update")).length;
    const before = commands();
    const skills = codex.calls(requests.skillsList).length;
    await host.request(hostRequests.codexSkillsList, { cwds: ["/home/user"] });
    await clock.settle();
    // A host's own look at the skills announces nothing, and Codex's word does so once.
    expect(commands()).toBe(before);
    codex.notify(notifications.skillsChanged, {});
    await clock.settle();
    expect(host.notifications(agentNotifications.codexSkillsChanged)).toEqual([{}, {}]);
    expect(codex.calls(requests.skillsList).length).toBeGreaterThan(skills);
    const other = host.frames().filter(({ method }) => String(method).startsWith("_codex/"));
    expect(new Set(other.map(({ method }) => method))).toEqual(new Set(["_codex/skills_changed"]));
  });
});
