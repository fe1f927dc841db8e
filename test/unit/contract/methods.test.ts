import { describe, expect, test } from "vitest";
import type { MethodRow } from "../../../codegen/model/contract.js";
import {
  acpConstants,
  acpDefinitions,
  capabilities,
  clauseIds,
  codexDefinitions,
  codexRequests,
  contractDefinitions,
  decisionIds,
  decisionsIn,
  dispositions,
  errors,
  meta,
  methods,
  repeated,
} from "./contract-files.js";

const of = (direction: MethodRow["direction"], kind: MethodRow["kind"], standard: boolean): string[] =>
  methods
    .filter((row) => row.direction === direction && row.kind === kind && row.handler !== "sdk")
    .filter((row) => (row.standard !== "extension") === standard)
    .map((row) => row.method)
    .sort();

describe("what is served", () => {
  test("INIT-15 and what R-05 adds", () => {
    const contract =
      "initialize auth/login auth/logout providers/list providers/set providers/disable session/new session/resume session/fork session/list session/close session/delete session/set_config_option session/prompt";
    const added = "session/archive session/unarchive session/set_title session/status auth/status terminal/cancel";
    expect(of("host-to-agent", "request", true)).toEqual(`${contract} ${added}`.split(" ").sort());
  });

  test("INIT-16: the one notification", () => {
    expect(of("host-to-agent", "notification", true)).toEqual(["session/cancel"]);
    expect(of("host-to-agent", "notification", false)).toEqual([]);
  });

  test("INIT-17: the extension requests", () => {
    const listed =
      "session_list session_history session_history_items session_archive session_unarchive session_rename skills_list skills_config_write plugin_list plugin_installed plugin_install plugin_uninstall plugin_set_enabled plugin_read marketplace_add marketplace_remove marketplace_upgrade account_read rate_limits fuzzy_file_search";
    const expected = listed.split(" ").map((name) => `_codex/${name}`);
    expect(expected).toHaveLength(20);
    expect(of("host-to-agent", "request", false)).toEqual(expected.sort());
  });

  test("INIT-19: twelve of them only want an object", () => {
    const plain = methods.filter((row) => row.params === "object");
    expect(plain).toHaveLength(12);
    expect(plain.every((row) => row.handler === "pass-through")).toBe(true);
  });

  test("INIT-21: what the host is sent", () => {
    const updates = "skills_changed rate_limits_updated fuzzy_file_search_updated fuzzy_file_search_completed";
    expect(of("agent-to-host", "notification", false)).toEqual(
      updates
        .split(" ")
        .map((it) => `_codex/${it}`)
        .sort(),
    );
    expect(of("agent-to-host", "request", false)).toEqual(["_alwith/tool/call"]);
    expect(of("agent-to-host", "request", true)).toEqual(["elicitation/create", "session/request_permission"]);
    expect(of("agent-to-host", "notification", true)).toEqual([
      "auth/status_update",
      "elicitation/complete",
      "session/update",
    ]);
  });

  test("INIT-22: what can be cancelled; signing in too, since it waits for a person", () => {
    const cancellable = methods.filter((row) => row.cancellable && row.direction === "host-to-agent");
    expect(cancellable.map((row) => row.method).sort()).toEqual(
      [
        "session/new",
        "session/resume",
        "session/fork",
        "_codex/session_history",
        "_codex/session_history_items",
        "auth/login",
      ].sort(),
    );
  });
});

describe("rows hang together", () => {
  const refs: Record<string, (name: string) => boolean> = {
    acp: (name) => acpDefinitions.has(name),
    codex: (name) => codexDefinitions.has(name),
    contract: (name) => contractDefinitions.has(name),
  };
  const resolves = (ref: string): boolean => {
    if (ref === "object" || ref === "empty") return true;
    const [space = "", name = ""] = ref.split(":");
    return refs[space]?.(name) ?? false;
  };
  const updateKinds = acpConstants("SessionUpdate", "sessionUpdate");
  const sent = new Set(methods.filter((row) => row.direction === "agent-to-host").map((row) => row.name));
  const errorNames = new Set(errors.map((row) => row.name));
  const carriers = new Map(meta.carriers.map((row) => [row.carrier, row.direction]));

  test("names and wire names are unique", () => {
    expect(repeated(methods.map((row) => row.name))).toEqual([]);
    expect(repeated(methods.map((row) => row.method))).toEqual([]);
    expect(methods.filter((row) => !/^[a-z][A-Za-z]*$/.test(row.name))).toEqual([]);
  });

  test.each(methods)("$method", (row) => {
    expect([row.params, ...(row.result === null ? [] : [row.result])].filter((ref) => !resolves(ref))).toEqual([]);
    expect(row.result === null, "only notifications have no result").toBe(row.kind === "notification");
    expect(row.errors.filter((name) => !errorNames.has(name))).toEqual([]);
    expect(row.clauses.filter((id) => !clauseIds.has(id))).toEqual([]);
    expect(row.clauses.length, "a clause asks for it").toBeGreaterThan(0);
    expect(repeated(row.clauses)).toEqual([]);
    expect(decisionsIn(row.doc).filter((id) => !decisionIds.has(id))).toEqual([]);
    expect((row.emits ?? []).filter((name) => !updateKinds.has(name) && !sent.has(name))).toEqual([]);
    expect((row.codex ?? []).filter((name) => !codexRequests.has(name))).toEqual([]);
    const other = row.direction === "host-to-agent" ? "agent-to-host" : "host-to-agent";
    if (row.metaParams !== undefined) expect(carriers.get(row.metaParams)).toBe(row.direction);
    if (row.metaResult !== undefined) expect(carriers.get(row.metaResult)).toBe(other);
  });

  test("every `<method> params` and `<method> result` carrier belongs to a row", () => {
    const used = new Set(methods.flatMap((row) => [row.metaParams, row.metaResult]));
    const named = [...carriers.keys()].filter((name) => / (params|result)$/.test(name));
    expect(named.filter((name) => !used.has(name))).toEqual([]);
  });

  test("a pass-through names the Codex request that codex.json passes through, and nothing else does", () => {
    const wanted = new Map(dispositions.requests.map((row) => [row.method, row.use]));
    const rows = methods.filter((row) => row.direction === "host-to-agent");
    for (const row of rows)
      expect([row.method, row.passThrough !== undefined]).toEqual([row.method, row.handler === "pass-through"]);
    const passed = rows.flatMap((row) => (row.passThrough === undefined ? [] : [row.passThrough]));
    expect(passed.filter((it) => !codexRequests.has(it.codex))).toEqual([]);
    expect(passed.filter((it) => it.notifies !== undefined && it.notifies !== "_codex/skills_changed")).toEqual([]);
    const passing = [...wanted].filter(([, use]) => use === "pass-through").map(([method]) => method);
    expect(passing.filter((method) => !passed.some((it) => it.codex === method))).toEqual([]);
    const sentByPolicy = rows.flatMap((row) => row.codex ?? []);
    expect([...passed.map((it) => it.codex), ...sentByPolicy].filter((it) => wanted.get(it) === "unused")).toEqual([]);
  });

  test("PASS-09: what changes the catalogs says so", () => {
    const changing = methods.filter((row) => row.emits?.includes("codexSkillsChanged")).map((row) => row.method);
    expect(changing.sort()).toEqual(
      [
        "_codex/marketplace_add",
        "_codex/marketplace_remove",
        "_codex/marketplace_upgrade",
        "_codex/plugin_install",
        "_codex/plugin_set_enabled",
        "_codex/plugin_uninstall",
        "_codex/skills_config_write",
      ].sort(),
    );
  });

  test("a capability is advertised, and its methods are there", () => {
    const advertised = (path: string): boolean => {
      let at: unknown = capabilities.capabilities;
      for (const key of path.split(".")) at = typeof at === "object" && at !== null ? Reflect.get(at, key) : undefined;
      return at !== undefined;
    };
    const claimed = methods.flatMap((row) => (row.capability === undefined ? [] : [row.capability]));
    expect(claimed.length).toBeGreaterThan(30);
    expect(claimed.filter((path) => !advertised(path))).toEqual([]);
    expect(claimed).toEqual(
      expect.arrayContaining(["auth.status", "session.archive", "session.status", "session.title"]),
    );
    const missing = methods.filter((row) => row.capability !== undefined && !row.implemented).map((row) => row.method);
    expect(missing).toEqual([]);
  });
});
