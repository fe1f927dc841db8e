import { describe, expect, test } from "vitest";
import {
  acpConstants,
  clauseIds,
  codexNotifications,
  codexRequests,
  codexServerRequests,
  decisionIds,
  decisionsIn,
  dispositions,
  repeated,
  tables,
} from "./contract-files.js";

describe("tables.json", () => {
  test("cites what exists", () => {
    const rows = Object.values(tables).filter(Array.isArray).flat();
    expect(rows.length).toBeGreaterThan(40);
    const cited = rows.flatMap((row: { clauses: string[] }) => row.clauses);
    expect(cited.filter((id) => !clauseIds.has(id))).toEqual([]);
    expect(rows.filter((row: { clauses: string[] }) => row.clauses.length === 0)).toEqual([]);
    expect(decisionsIn(JSON.stringify(tables)).filter((id) => !decisionIds.has(id))).toEqual([]);
  });

  test("CONF-01 to CONF-05: the options", () => {
    const categories = acpConstants("SessionConfigOptionCategory");
    expect(tables.configOptions.filter((row) => !categories.has(row.category))).toEqual([]);
    expect(tables.configOptions.map((row) => [row.configId, row.category, row.type])).toEqual([
      ["mode", "mode", "select"],
      ["model", "model", "select"],
      ["effort", "thought_level", "select"],
      ["collaboration_mode", "model_config", "select"],
      ["fast_mode", "model_config", "boolean"],
    ]);
  });

  test("R-15: a mode does what its name says", () => {
    const modes = tables.configOptions.find((row) => row.configId === "mode")?.values ?? [];
    expect(Object.fromEntries(modes.map((row) => [row.value, row.codex]))).toEqual({
      "read-only": { approvalPolicy: "on-request", approvalsReviewer: "user", sandbox: "read-only" },
      agent: { approvalPolicy: "on-request", approvalsReviewer: "user", sandbox: "workspace-write" },
      "agent-full-access": { approvalPolicy: "never", approvalsReviewer: "user", sandbox: "danger-full-access" },
    });
  });

  test("TOOL-05 to TOOL-18: names and kinds", () => {
    const kinds = acpConstants("ToolKind");
    expect(repeated(tables.toolCalls.map((row) => row.name))).toEqual([]);
    expect(tables.toolCalls.filter((row) => !kinds.has(row.kind))).toEqual([]);
    expect(Object.fromEntries(tables.toolCalls.map((row) => [row.name, row.kind]))).toMatchObject({
      shell: "execute",
      read_file: "read",
      list_files: "read",
      search: "search",
      apply_patch: "edit",
      mcp: "execute",
      dynamic_tool: "execute",
      web_search: "fetch",
      view_image: "read",
      image_generation: "other",
      subagent: "other",
      collab: "other",
      fuzzy_file_search: "search",
      guardian_review: "think",
      mcp_startup: "other",
      plan_review: "switch_mode",
    });
  });

  test("a tool call comes from an item or a notification, and every item that becomes one has a row", () => {
    const items = new Map(dispositions.items.map((row) => [row.type, row]));
    const sources = new Set(tables.toolCalls.map((row) => row.codex));
    const unknown = [...sources].filter((it) => it !== "*" && !items.has(it) && !codexNotifications.has(it));
    expect(unknown).toEqual([]);
    const becoming = [...items.values()].filter((row) => row.update === "tool_call_update");
    expect(becoming.map((row) => row.type).filter((type) => !sources.has(type))).toEqual([]);
    for (const item of becoming) {
      const rows = tables.toolCalls.filter((row) => row.codex === item.type).map((row) => row.name);
      if (item.tools !== undefined) expect([item.type, [...item.tools].sort()]).toEqual([item.type, rows.sort()]);
      const unconditional = tables.toolCalls.filter((row) => row.codex === item.type && row.when === undefined);
      expect([item.type, rows.length === 1 || unconditional.length === 0]).toEqual([item.type, true]);
    }
  });

  test("permissions: requests exist, titles are unique, options tell yes from no", () => {
    const requests = tables.permissions.map((row) => row.request);
    expect(requests.filter((it) => it !== "plan" && !codexServerRequests.has(it))).toEqual([]);
    expect(repeated(tables.permissions.map((row) => row.title))).toEqual([]);
    const kinds = acpConstants("PermissionOptionKind");
    for (const row of tables.permissions) {
      expect(row.options.filter((it) => !kinds.has(it.kind) || it.name === "")).toEqual([]);
      expect(repeated(row.options.map((it) => `${it.optionId} ${it.kind}`))).toEqual([]);
      expect([row.title, row.options.some((it) => it.kind.startsWith("reject_"))]).toEqual([row.title, true]);
      const plain = row.options.filter((it) => typeof it.decision === "string");
      expect(
        plain.filter(
          (it) => /^(decline|cancel|fail|revise)$/.test(String(it.decision)) !== it.kind.startsWith("reject_"),
        ),
      ).toEqual([]);
    }
  });

  test("PERM-09 to PERM-12: the options of each question", () => {
    const ids = (title: string): string[] =>
      tables.permissions.find((row) => row.title === title)?.options.map((it) => it.optionId) ?? [];
    expect(ids("Make edits?")).toEqual(["allow_once", "allow_for_session", "cancel"]);
    expect(ids("Grant permissions?")).toEqual([
      "allow_permissions_turn",
      "allow_permissions_turn_strict_auto_review",
      "allow_permissions_session",
      "reject_permissions",
    ]);
    expect(ids("Allow tool call?")).toEqual([
      "allow_once",
      "accept",
      "allow_session",
      "allow_always",
      "decline",
      "cancel",
    ]);
    expect(ids("Implement this plan?")).toEqual(["implement_plan", "revise_plan"]);
  });

  test("A-31: five stop reasons, none selected by two error kinds", () => {
    const reasons = ["end_turn", "cancelled", "max_tokens", "refusal", "error"];
    expect(tables.stopReasons.map((row) => row.stopReason)).toEqual(reasons);
    expect(repeated(tables.stopReasons.flatMap((row) => row.codexErrorInfo ?? []))).toEqual([]);
    const known = acpConstants("IdleStateUpdate", "stopReason");
    expect(reasons.filter((reason) => !known.has(reason))).toEqual([]);
  });

  test("slash commands are unique and use requests that Codex has", () => {
    expect(repeated(tables.slashCommands.map((row) => row.name))).toEqual([]);
    const used = tables.slashCommands.flatMap((row) => (row.codex === null ? [] : [row.codex]));
    expect(used.filter((it) => !codexRequests.has(it))).toEqual([]);
  });
});
