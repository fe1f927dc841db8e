import type { InitializeResponse } from "../generated/codex/types.js";
import type { Clock } from "../runtime/clock.js";
import { type RequestDescriptor, request } from "../runtime/index.js";
import { type CodexClient, createClient, initialized } from "./client.js";
import type { CodexConnection } from "./connection.js";
import { methodsOf } from "./error-text.js";
import { CodexRequestError, CodexSilentError, CodexUnsuitableError } from "./errors.js";
import { knownToLack, testedCodex, versionOfUserAgent, versionWarning } from "./version.js";

export interface HandshakeOptions {
  /** Starts a Codex and connects to it. Called again after a failure or a loss. May throw `CodexNotFoundError`. */
  open(): CodexConnection;
  /** Of this package. */
  readonly version: string;
  readonly clock: Clock;
  /** Notifications that Codex shall not send. */
  readonly optOutNotificationMethods: readonly string[];
  /** Requests the bridge cannot do without; looked for when the version is not a tested one. */
  readonly requiredRequests: readonly string[];
  /** Requests the bridge uses where they are there. Default: none. */
  readonly usedRequests?: readonly string[];
  /** How long Codex has for its first answer, in ms. Default 30,000. */
  readonly timeout?: number;
}

/** A Codex that has been initialized. */
export interface ReadyCodex {
  readonly connection: CodexConnection;
  readonly client: CodexClient;
  readonly response: InitializeResponse;
  /** `0.171.0`; null when the user agent does not tell. */
  readonly version: string | null;
  /** One sentence for the user when the version is not a tested one. */
  readonly warning: string | null;
  /** Of the requests that are used, those that this Codex does not have. */
  readonly lacking: ReadonlySet<string>;
}

export interface Handshake {
  /**
   * The running Codex. Calls share one handshake; one that failed, and a Codex that was lost, are forgotten, so that the
   * next call starts another process. Rejects with what `open` throws, `CodexLostError`, `CodexRequestError`,
   * `CodexSilentError` or `CodexUnsuitableError`.
   */
  ready(): Promise<ReadyCodex>;
}

export function createHandshake(options: HandshakeOptions): Handshake {
  let current: { readonly promise: Promise<ReadyCodex>; connection: CodexConnection | null } | null = null;

  return {
    ready() {
      if (current !== null && (current.connection === null || current.connection.lost === null)) return current.promise;
      const attempt = {
        promise: Promise.resolve().then(async () => {
          const connection = options.open();
          attempt.connection = connection;
          try {
            return await shakeHands(connection, options);
          } catch (error) {
            // The next attempt must not meet this process, nor the locks it holds.
            await connection.stop();
            throw error;
          }
        }),
        connection: null as CodexConnection | null,
      };
      current = attempt;
      attempt.promise.catch(() => {
        if (current === attempt) current = null;
      });
      return attempt.promise;
    },
  };
}

async function shakeHands(connection: CodexConnection, options: HandshakeOptions): Promise<ReadyCodex> {
  const client = createClient(connection);
  const response = await inTime(options, (signal) =>
    client.initialize(
      {
        clientInfo: { name: "codex-acp-kit", title: "Codex ACP Kit", version: options.version },
        capabilities: {
          experimentalApi: true,
          optOutNotificationMethods: [...options.optOutNotificationMethods],
        },
      },
      { signal },
    ),
  );
  connection.notify(initialized, undefined);
  const version = versionOfUserAgent(response.userAgent);
  const warning = versionWarning(version);
  if (warning === null) return { connection, client, response, version, warning, lacking: knownToLack(version) };
  const { requiredRequests: required, usedRequests: used = [] } = options;
  // Nothing is known of this version: it is asked.
  const missing = await inTime(options, (signal) => missingRequests(connection, [...required, ...used], signal));
  const lost = missing.filter((method) => required.includes(method));
  if (lost.length > 0) {
    const install = `Install @openai/codex from ${testedCodex.first} on, below ${testedCodex.end}.`;
    throw new CodexUnsuitableError(version, [...new Set(lost)], install);
  }
  return { connection, client, response, version, warning, lacking: new Set(missing) };
}

async function inTime<T>(
  { clock, timeout = 30_000 }: HandshakeOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const takeBack = clock.after(timeout, () => late.abort(new CodexSilentError(timeout)));
  try {
    return await work(late.signal);
  } finally {
    takeBack();
  }
}

/** No Codex has this method: it answers with the list of those it has, and does nothing. */
const probe: RequestDescriptor<object, unknown> = request<object, unknown>("codex-acp-kit/methods");

/** Those of `required` that the Codex at the other end does not have; none when its answer does not tell. */
export async function missingRequests(
  connection: CodexConnection,
  required: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  try {
    await connection.request(probe, {}, { signal });
  } catch (error) {
    if (!(error instanceof CodexRequestError)) throw error;
    const methods = methodsOf(error);
    return methods === null ? [] : required.filter((method) => !methods.has(method));
  }
  return [];
}
