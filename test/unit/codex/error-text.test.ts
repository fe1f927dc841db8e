import { describe, expect, it } from "vitest";
import {
  activeTurnId,
  type CodexErrorKind,
  codexErrorKind,
  codexErrorPatterns,
  lacksMethod,
  methodsOf,
} from "../../../src/codex/error-text.js";

const id = "019a0000-0000-7000-8000-000000000000";

/** Texts that Codex was seen to send; 0.171.0 unless a version is given. */
const rows: readonly {
  readonly kind: CodexErrorKind | null;
  readonly message: string;
  readonly data?: unknown;
  readonly codex?: string;
}[] = [
  { kind: "thread-not-found", message: `thread not loaded: ${id}` },
  { kind: "thread-not-found", message: `thread not found: ${id}` },
  { kind: "thread-not-found", message: `no rollout found for thread id ${id}` },
  { kind: "thread-not-found", message: `no archived rollout found for thread id ${id}` },
  {
    kind: "thread-not-found",
    message:
      "invalid thread id: invalid character: expected an optional prefix of `urn:uuid:` followed by [0-9a-fA-F-], found `z` at 1",
  },
  {
    kind: "thread-not-found",
    message:
      "invalid session id: invalid character: expected an optional prefix of `urn:uuid:` followed by [0-9a-fA-F-], found `z` at 1",
  },
  { kind: "turn-not-found", message: `turn not found: ${id}` },
  {
    kind: "thread-archived",
    message: `session ${id} is archived. Run \`codex unarchive ${id}\` to unarchive it first.`,
  },
  {
    kind: "thread-empty",
    message: `thread ${id} is not materialized yet; thread/turns/list is unavailable before first user message`,
  },
  { kind: "history-unsupported", message: "thread/items/list is not supported yet" },
  { kind: "history-unsupported", message: "list_turns is not supported yet" },
  { kind: "active-writer", message: `thread ${id} already has an active writer` },
  { kind: "no-active-turn", message: "no active turn to interrupt" },
  { kind: "no-active-turn", message: "no active turn to steer" },
  { kind: "other-active-turn", message: "expected active turn id `a` but found `b`" },
  {
    kind: "turn-not-steerable",
    message: "cannot steer a review turn",
    data: { codexErrorInfo: { activeTurnNotSteerable: { turnKind: "review" } } },
  },
  {
    kind: "turn-not-steerable",
    message: "some other text",
    data: { codexErrorInfo: { activeTurnNotSteerable: { turnKind: "compact" } } },
  },
  { kind: "provider-fixed", message: "Cannot change this thread's model provider from `mock` to `mock2` on resume." },
  {
    kind: "provider-fixed",
    message:
      "failed to load configuration: Cannot change this thread's model provider from `scripted` to `gwa` on resume.",
  },
  {
    kind: "provider-not-default",
    message: "any text",
    data: { type: "modelProviderMismatch", modelProvider: "a", currentModelProvider: "b" },
    codex: "0.166.0",
  },
  { kind: "provider-not-configured", message: "Model provider `gw` not found", codex: "0.161.0" },
  { kind: "provider-not-configured", message: "failed to load configuration: Model provider `gw` not found" },
  {
    kind: "provider-not-configured",
    message:
      "This chat uses model provider “gw”, which is no longer configured. Restore this provider’s configuration to continue.",
    data: { type: "modelProviderNotConfigured", modelProvider: "gw" },
  },
  {
    kind: "provider-reserved",
    message:
      "failed to load configuration: model_providers contains reserved built-in provider IDs: `openai`. Built-in providers cannot be overridden. Rename your custom provider (for example, `openai-custom`).\nin `model_providers`\n",
  },
  { kind: "invalid-params", message: "Invalid request: unknown variant `sideways`, expected `asc` or `desc`" },
  { kind: "needs-experimental", message: "collaborationMode/list requires experimentalApi capability" },
  { kind: "fork-depends", message: `cannot delete thread ${id}: forked history still references it` },
  { kind: "invalid-cursor", message: "invalid cursor: nonsense" },
  { kind: "invalid-cursor", message: "cursor.itemId does not identify an item in the requested history scope" },
  {
    kind: "unknown-method",
    message:
      "Invalid request: unknown variant `no/such`, expected one of `initialize`, `server/diagnostics`, `thread/start`",
  },
  { kind: "invalid-params", message: "Invalid request: missing field `threadId`" },
  { kind: "invalid-params", message: "Invalid request: unknown variant `sideways`, expected one of `asc`, `desc`" },
  { kind: "needs-experimental", message: "thread/start.historyMode requires experimentalApi capability" },
  { kind: "not-initialized", message: "Not initialized" },
  { kind: "already-initialized", message: "Already initialized" },
  { kind: null, message: "thread name must not be empty" },
  { kind: null, message: "" },
];

describe("codexErrorKind", () => {
  it.each(rows)("$kind: $message", ({ kind, message, data }) => {
    expect(codexErrorKind({ message, data })).toBe(kind);
  });

  it("has a text for every pattern", () => {
    const unused = codexErrorPatterns.filter(({ pattern }) => !rows.some(({ message }) => pattern.test(message)));
    expect(unused).toEqual([]);
  });
});

describe("lacksMethod", () => {
  const unknown = "Invalid request: unknown variant `no/such`, expected one of `initialize`, `thread/start`";
  it("knows Codex's answer to an unknown method from one to a bad value", () => {
    expect(lacksMethod({ code: -32600, message: unknown })).toBe(true);
    expect(lacksMethod({ code: -32600, message: "Invalid request: unknown variant `x`, expected one of `asc`" })).toBe(
      false,
    );
  });
  it("gives the methods that Codex has", () => {
    expect(methodsOf({ message: unknown })).toEqual(new Set(["initialize", "thread/start"]));
    expect(methodsOf({ message: "Not initialized" })).toBeNull();
  });
});

describe("activeTurnId", () => {
  it.each([
    ["expected active turn id `a` but found `b-1`", "b-1"],
    ["expected active turn id a but found b", "b"],
    ["no active turn to steer", null],
  ])("%s", (message, want) => expect(activeTurnId(message)).toBe(want));
});
