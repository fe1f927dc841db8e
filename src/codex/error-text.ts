/** What a message of Codex means. Codex gives nearly all of its errors the code -32600, so only their text tells. */
export type CodexErrorKind =
  | "thread-not-found"
  | "turn-not-found"
  | "thread-archived"
  | "thread-empty"
  | "history-unsupported"
  | "active-writer"
  | "no-active-turn"
  | "other-active-turn"
  | "turn-not-steerable"
  | "provider-fixed"
  | "provider-not-default"
  | "provider-not-configured"
  | "provider-reserved"
  | "fork-depends"
  | "invalid-cursor"
  | "invalid-params"
  | "unknown-method"
  | "needs-experimental"
  | "not-initialized"
  | "already-initialized";

export interface CodexErrorPattern {
  readonly kind: CodexErrorKind;
  readonly pattern: RegExp;
}

/** First match wins. Each row has its exact texts, by Codex version, in `test/unit/codex/error-text.test.ts`. */
export const codexErrorPatterns: readonly CodexErrorPattern[] = [
  { kind: "thread-not-found", pattern: /^thread not (?:loaded|found): / },
  { kind: "thread-not-found", pattern: /^no (?:archived )?rollout found for thread id / },
  { kind: "thread-not-found", pattern: /^invalid (?:thread|session) id: / },
  { kind: "turn-not-found", pattern: /^turn not found: / },
  { kind: "thread-archived", pattern: /^session \S+ is archived\b/ },
  { kind: "thread-empty", pattern: /\bis not materialized yet\b/ },
  { kind: "history-unsupported", pattern: /^\S+ is not supported yet$/ },
  { kind: "active-writer", pattern: /\balready has an active writer\b/ },
  { kind: "no-active-turn", pattern: /^no active turn to (?:interrupt|steer)\b/ },
  { kind: "other-active-turn", pattern: /^expected active turn id \S+ but found \S+/ },
  { kind: "turn-not-steerable", pattern: /^cannot steer a (?:review|compact) turn\b/ },
  {
    kind: "provider-fixed",
    pattern: /^(?:failed to load configuration: )?Cannot change this thread's model provider from /,
  },
  { kind: "provider-not-configured", pattern: /\bModel provider \S+ not found$/ },
  { kind: "provider-reserved", pattern: /\breserved built-in provider IDs\b/ },
  { kind: "fork-depends", pattern: /\bforked history still references it\b/ },
  { kind: "invalid-cursor", pattern: /^invalid cursor: / },
  { kind: "invalid-cursor", pattern: /^cursor\.itemId does not identify an item\b/ },
  { kind: "unknown-method", pattern: /^Invalid request: unknown variant `[^`]*`, expected one of `initialize`/ },
  { kind: "needs-experimental", pattern: /\brequires experimentalApi capability$/ },
  { kind: "not-initialized", pattern: /^Not initialized$/ },
  { kind: "already-initialized", pattern: /^Already initialized$/ },
  { kind: "invalid-params", pattern: /^Invalid request: / },
];

/** `error.data` where it says more than the text. */
const dataKinds: ReadonlyMap<unknown, CodexErrorKind> = new Map([
  ["modelProviderMismatch", "provider-not-default"],
  ["modelProviderNotConfigured", "provider-not-configured"],
]);

const member = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;

/** The kind of an error that Codex answered with; null when it is none of these. */
export function codexErrorKind(error: { readonly message: string; readonly data?: unknown }): CodexErrorKind | null {
  const kind = dataKinds.get(member(error.data, "type"));
  if (kind !== undefined) return kind;
  if (member(member(error.data, "codexErrorInfo"), "activeTurnNotSteerable") !== undefined) return "turn-not-steerable";
  return codexErrorPatterns.find(({ pattern }) => pattern.test(error.message))?.kind ?? null;
}

/** The turn that runs, from "expected active turn id `a` but found `b`". */
export function activeTurnId(message: string): string | null {
  return /^expected active turn id \S+ but found `?([^\s`]+)`?/.exec(message)?.[1] ?? null;
}

/** Whether Codex does not have the method. Its answer lists all it has, which is no text for a host. */
export function lacksMethod(error: { readonly code: number; readonly message: string }): boolean {
  return codexErrorKind({ message: error.message }) === "unknown-method";
}

/** The methods that such an answer lists; null when it is another error. */
export function methodsOf(error: { readonly message: string }): ReadonlySet<string> | null {
  if (codexErrorKind({ message: error.message }) !== "unknown-method") return null;
  const list = error.message.slice(error.message.indexOf("expected one of"));
  return new Set(Array.from(list.matchAll(/`([^`]+)`/g), (match) => match[1] ?? ""));
}
