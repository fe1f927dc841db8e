import { systemClock } from "../runtime/clock.js";
import { version } from "../version.js";
import { type CodexConnection, createConnection, type NotificationFrame } from "./connection.js";
import { createHandshake, type ReadyCodex } from "./handshake.js";
import { startCodexProcess } from "./process-transport.js";
import { type CodexLaunch, resolveCodex, systemHost } from "./resolve.js";
import type { ServerRequestFrame } from "./server-requests.js";
import type { CodexExit } from "./transport.js";

export interface StartCodexOptions {
  /** Default: the one that `resolveCodex` finds. */
  readonly launch?: CodexLaunch;
  /** The whole environment of Codex, and where `CODEX_PATH` is looked for. Default: ours. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Every notification, in order, while its frame is read. */
  readonly onNotification?: (notification: NotificationFrame) => void;
  /** A request of Codex's own; answer it through `connection.respond`. Without this each is refused with `-32601`. */
  readonly onServerRequest?: (request: ServerRequestFrame, connection: CodexConnection) => void;
  /** Codex is gone: every pending call has been rejected. */
  readonly onLost?: (exit: CodexExit) => void;
  /** A line of Codex's stderr. */
  readonly onStderr?: (line: string) => void;
  /** Notifications that Codex shall not send. */
  readonly optOutNotificationMethods?: readonly string[];
  /** Requests to look for when the version is not a tested one. */
  readonly requiredRequests?: readonly string[];
}

/**
 * Starts Codex's app-server as a child process and shakes hands with it: for use without the bridge. End it with
 * `connection.stop()`.
 *
 * @throws {CodexNotFoundError | CodexLostError | CodexRequestError | CodexSilentError | CodexUnsuitableError}
 */
export async function startCodex(options: StartCodexOptions = {}): Promise<ReadyCodex> {
  const env = options.env ?? process.env;
  const launch = options.launch ?? resolveCodex(systemHost(env));
  const open = (): CodexConnection => {
    const transport = startCodexProcess({
      command: launch.command,
      args: [...launch.args, "app-server"],
      env: { ...env },
      onStderr: options.onStderr,
    });
    const connection = createConnection(transport, {
      onNotification: (notification) => options.onNotification?.(notification),
      onServerRequest(request) {
        if (options.onServerRequest) options.onServerRequest(request, connection);
        else connection.respondError(request.id, -32601, `${request.method} is not served by this client`);
      },
      onBatchEnd: () => undefined,
      // A line that is no frame, and a frame nobody waits for, are for a log: this client keeps none.
      onUnreadable: () => undefined,
      onStray(stray) {
        // A fault of the caller's own code must not vanish; nor may it keep frames from being read.
        if (stray.kind !== "handler-threw") return;
        queueMicrotask(() => {
          throw stray.error;
        });
      },
      onLost: (exit) => options.onLost?.(exit),
    });
    return connection;
  };
  return createHandshake({
    open,
    version,
    clock: systemClock,
    optOutNotificationMethods: options.optOutNotificationMethods ?? [],
    requiredRequests: options.requiredRequests ?? [],
  }).ready();
}
