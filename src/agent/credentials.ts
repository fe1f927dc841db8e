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

/** The same value, not a copy, where nothing in it changes: its text can then be passed on as it was written. */
function changed(value: unknown, change: (value: unknown, key: string) => unknown): unknown {
  if (Array.isArray(value)) {
    const list = value.map((it: unknown) => change(it, ""));
    return list.every((it, index) => it === value[index]) ? value : list;
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, it]): [string, unknown] => [key, change(it, key)]);
  return entries.every(([key, it]) => it === value[key]) ? value : Object.fromEntries(entries);
}

function cleaned(value: unknown, secrets: ReadonlySet<string>): unknown {
  if (typeof value === "string") return withoutSecrets(value, secrets);
  return changed(value, (it) => cleaned(it, secrets));
}

/** Only errors: what was said and done in a conversation is its record, whatever it holds. */
function withCleanErrors(value: unknown, secrets: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return changed(value, (it) => withCleanErrors(it, secrets));
  return changed(value, (it, key) => {
    if (key === "error") return cleaned(it, secrets);
    return holdsErrors.has(key) ? withCleanErrors(it, secrets) : it;
  });
}

function cleanFrame(frame: unknown, secrets: ReadonlySet<string>): unknown {
  if (!isObject(frame)) return frame;
  const { method } = frame;
  // The way of every delta.
  if (method !== undefined && !quoting.has(method)) return frame;
  const inErrors = method === notifications.turnCompleted.method;
  return changed(frame, (it, key) => {
    switch (key) {
      case "error":
        return cleaned(it, secrets);
      case "result":
        return withCleanErrors(it, secrets);
      case "params":
        return inErrors ? withCleanErrors(it, secrets) : cleaned(it, secrets);
      default:
        return it;
    }
  });
}

/** `transport`, whose errors quote no credential of a gateway. Costs nothing while there is none. */
export function withoutCredentials(transport: CodexTransport, secrets: ReadonlySet<string>): CodexTransport {
  return {
    ...transport,
    start: (sink) =>
      transport.start({
        ...sink,
        frame(frame, text) {
          const clean = secrets.size === 0 ? frame : cleanFrame(frame, secrets);
          sink.frame(clean, clean === frame ? text : undefined);
        },
      }),
  };
}
