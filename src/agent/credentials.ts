import type { CodexTransport } from "../codex/transport.js";
import { notifications } from "../generated/codex/methods.js";
import { withoutSecrets } from "../session/routing/gateway.js";

/** Notifications in which Codex may quote what a gateway answered, or what it was given itself. */
const quoting: ReadonlySet<unknown> = new Set([
  notifications.error.method,
  notifications.turnCompleted.method,
  notifications.warning.method,
  notifications.configWarning.method,
  notifications.deprecationNotice.method,
]);

/** Where errors stand in results: the stored turns, and the one that was just started. */
const holdsErrors: ReadonlySet<string> = new Set(["data", "turns", "thread", "turn"]);

type Fields = { readonly [key: string]: unknown };

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function cleaned(value: unknown, secrets: ReadonlySet<string>): unknown {
  if (typeof value === "string") return withoutSecrets(value, secrets);
  if (Array.isArray(value)) return value.map((it: unknown) => cleaned(it, secrets));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, it]) => [key, cleaned(it, secrets)]));
}

/** Only errors: what was said and done in a conversation is its record, whatever it holds. */
function withCleanErrors(value: unknown, secrets: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((it: unknown) => withCleanErrors(it, secrets));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, it]): [string, unknown] => {
    if (key === "error") return [key, cleaned(it, secrets)];
    return [key, holdsErrors.has(key) ? withCleanErrors(it, secrets) : it];
  });
  return Object.fromEntries(entries);
}

function cleanFrame(frame: unknown, secrets: ReadonlySet<string>): unknown {
  if (!isObject(frame)) return frame;
  if ("error" in frame) return { ...frame, error: cleaned(frame["error"], secrets) };
  if ("result" in frame) return { ...frame, result: withCleanErrors(frame["result"], secrets) };
  if (!quoting.has(frame["method"])) return frame;
  const { method, params } = frame;
  return {
    ...frame,
    params: method === notifications.turnCompleted.method ? withCleanErrors(params, secrets) : cleaned(params, secrets),
  };
}

/** `transport`, whose errors quote no credential of a gateway. Costs nothing while there is none. */
export function withoutCredentials(transport: CodexTransport, secrets: ReadonlySet<string>): CodexTransport {
  return {
    ...transport,
    start: (sink) =>
      transport.start({
        ...sink,
        frame: (frame) => sink.frame(secrets.size === 0 ? frame : cleanFrame(frame, secrets)),
      }),
  };
}
