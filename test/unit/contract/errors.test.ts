import { describe, expect, test } from "vitest";
import { clauseIds, decisionIds, decisionsIn, errors, methods, repeated } from "./contract-files.js";

/** What any request can meet, so that no row names it. */
const general = [
  "parse_error",
  "invalid_request",
  "not_initialized",
  "method_not_found",
  "not_implemented",
  "internal_error",
  "codex_lacks_method",
];

/** The codes a host may rely on. A change here is a change of the contract. */
const codes: Readonly<Record<string, string>> = {
  "-32700": "parse_error",
  "-32601": "method_not_found",
  "-32602":
    "invalid_params unknown_auth_method no_api_key prompt_session_not_found unsupported_replay_cursor mcp_server_unsupported mcp_server_duplicate invalid_cursor unknown_config_option invalid_config_value terminal_not_found empty_prompt image_not_supported message_id_reused provider_unknown provider_protocol_unsupported provider_id_reserved model_catalog_unreadable provider_model_clash provider_model_native tool_set_duplicate_name plugin_params_expected plugin_fields_expected plugin_remote_id_expected history_invalid_params history_invalid_cursor",
  "-32600":
    "invalid_request not_initialized codex_lacks_method session_busy switch_in_progress unsubscribe_pending read_only_session session_archived session_not_loaded provider_turn_running provider_work_active provider_session_empty provider_fixed routing_stale gateway_removed gateway_missing gateways_unsupported plugin_overridden plugin_remote_unsupported history_busy history_changed history_page_too_large history_cancelled command_history_incomplete",
  "-32603":
    "not_implemented internal_error codex_error codex_not_found codex_too_old codex_failed_to_start codex_crash_loop codex_no_answer codex_lost environment_invalid login_failed repeated_cursor turn_failed provider_switch_failed tool_call_id_conflict tool_set_revision_unknown tool_result_invalid tool_result_too_large plugin_sign_in_required plugin_backend_unsupported plugin_credentials_unavailable plugin_remote_failed plugin_remote_unreachable plugin_not_confirmed plugin_not_synchronized history_not_found history_unsupported history_unavailable history_source_error history_incomplete history_invalid_page",
  "-32000": "auth_required",
  "-32002": "session_not_found",
  "-32022": "unsupported_protocol_version",
  "-32800": "request_cancelled login_cancelled",
};

describe("errors.json", () => {
  test("codes are pinned", () => {
    const pinned = Object.entries(codes).flatMap(([code, names]) =>
      names.split(" ").map((name) => [name, Number(code)]),
    );
    expect(Object.fromEntries(errors.map((row) => [row.name, row.code]))).toEqual(Object.fromEntries(pinned));
  });

  test("names are unique and snake_case", () => {
    expect(repeated(errors.map((row) => row.name))).toEqual([]);
    expect(errors.filter((row) => !/^[a-z]+(_[a-z]+)*$/.test(row.name))).toEqual([]);
  });

  test("every error belongs to a method, or to any", () => {
    const used = new Set(methods.flatMap((row) => row.errors));
    expect(errors.map((row) => row.name).filter((name) => !used.has(name))).toEqual(general);
  });

  test.each(errors)("$name cites what exists and promises nothing twice", (row) => {
    expect(row.clauses.filter((id) => !clauseIds.has(id))).toEqual([]);
    expect(decisionsIn(row.doc).filter((id) => !decisionIds.has(id))).toEqual([]);
    const placeholders = (text: string): string[] => text.match(/\{[^}]*\}/g) ?? [];
    const all = [...placeholders(row.message), ...placeholders(Object.values(row.data ?? {}).join(" "))];
    expect(all.filter((it) => !/^\{[a-z][A-Za-z]*\}$/.test(it))).toEqual([]);
    const codex = row.data?.["codex"];
    if (typeof codex === "object" && codex !== null && "retryable" in codex && row.name !== "turn_failed") {
      expect(codex.retryable).toBe(row.retryable);
    }
  });

  test("HIST-66 to HIST-76: reason and retryability", () => {
    const reasons = errors.filter((row) => row.data !== undefined && "retryable" in row.data);
    for (const row of reasons) {
      expect(row.data).toMatchObject({ reason: row.name });
      expect([row.name, row.data?.["retryable"]]).toEqual([row.name, row.retryable]);
    }
    expect(Object.fromEntries(reasons.map((row) => [row.name, row.retryable]))).toEqual({
      history_invalid_params: false,
      history_invalid_cursor: false,
      history_busy: true,
      history_changed: true,
      history_not_found: false,
      history_unsupported: false,
      history_unavailable: true,
      history_source_error: null,
      history_incomplete: false,
      history_invalid_page: false,
      history_page_too_large: true,
      history_cancelled: false,
      command_history_incomplete: null,
    });
  });

  test("the texts that the contract quotes", () => {
    const messages = new Map(errors.map((row) => [row.name, row.message]));
    expect(messages.get("read_only_session")).toBe("Thread is open in another Codex client");
    expect(messages.get("plugin_params_expected")).toBe("Expected pluginId and enabled");
    expect(messages.get("plugin_fields_expected")).toBe("Expected a non-empty pluginId and boolean enabled");
    expect(messages.get("plugin_remote_id_expected")).toBe("Expected a non-empty remotePluginId");
    expect(messages.get("plugin_overridden")).toBe(
      "Plugin enablement is overridden by a higher-priority configuration",
    );
    expect(messages.get("plugin_sign_in_required")).toBe("Sign in to ChatGPT to change remote plugins");
    expect(messages.get("plugin_backend_unsupported")).toBe("Unsupported ChatGPT backend for remote plugins");
    expect(messages.get("plugin_credentials_unavailable")).toBe(
      "ChatGPT credentials are unavailable; sign in again to change remote plugins",
    );
    expect(messages.get("plugin_remote_failed")).toBe("Remote plugin {action} failed (HTTP {status})");
    expect(messages.get("plugin_not_confirmed")).toBe(
      "Remote plugin service did not confirm the requested enabled state",
    );
    expect(messages.get("plugin_not_synchronized")).toBe(
      "Remote plugin state could not be synchronized; refresh the plugin catalog",
    );
  });
});
