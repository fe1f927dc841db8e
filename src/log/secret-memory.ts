import { REDACTED } from "./secret-fields.js";

/** Shorter values are words rather than credentials, and the log would not be readable without them. */
const shortest = 12;

/** Environments hold folders and addresses, which stand everywhere. */
const isPlace = (value: string): boolean => /^(?:[/~.\\]|[A-Za-z]:[\\/])|:\/\//.test(value);

/** More than a connection has; the oldest go first. */
const most = 200;

/**
 * Credentials that stood in fields which the log does not show. An error may quote one elsewhere, as when a gateway
 * answers with the key that it refuses.
 */
export function createSecretMemory() {
  /** As they stand inside a JSON string. */
  const known = new Set<string>();

  function remember(value: unknown): void {
    if (typeof value === "string") {
      if (value.length < shortest || isPlace(value)) return;
      const text = JSON.stringify(value).slice(1, -1);
      known.delete(text);
      known.add(text);
      const [oldest] = known;
      if (known.size > most && oldest !== undefined) known.delete(oldest);
    } else if (typeof value === "object" && value !== null) {
      // A list of `{name, value}`: the names are no secrets.
      if ("name" in value && "value" in value) remember(value.value);
      else for (const it of Object.values(value)) remember(it);
    }
  }

  return {
    /** Takes note of a value that was left out, with everything in it. */
    remember,
    /** A line of JSON without what is remembered. */
    takeOut(line: string): string {
      let rest = line;
      for (const text of known) if (rest.includes(text)) rest = rest.replaceAll(text, REDACTED);
      return rest;
    },
  };
}
