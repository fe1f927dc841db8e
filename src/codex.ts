/**
 * Codex's app-server as a typed client, usable without the bridge.
 *
 * ```ts
 * const { client, connection } = await startCodex({ onNotification: ({ method }) => console.error(method) });
 * const { data } = await client.modelList({});
 * await connection.stop();
 * ```
 */
export type { CodexClient, RequestOptions } from "./codex/client.js";
export type { CodexConnection, NotificationFrame } from "./codex/connection.js";
export { type CodexErrorKind, codexErrorKind } from "./codex/error-text.js";
export { CodexLostError, CodexRequestError, CodexSilentError, CodexUnsuitableError } from "./codex/errors.js";
export type { ReadyCodex } from "./codex/handshake.js";
export { type CodexLaunch, CodexNotFoundError, resolveCodex } from "./codex/resolve.js";
export type { RequestId, ServerRequestFrame } from "./codex/server-requests.js";
export { type StartCodexOptions, startCodex } from "./codex/start.js";
export { type CodexStarter, startCodexAhead } from "./codex/starter.js";
export type { CodexExit, CodexTransport } from "./codex/transport.js";
export { testedCodex } from "./codex/version.js";
export type { ProcessNotifications, ServerRequests, ThreadNotifications } from "./generated/codex/dispatch.js";
/** One descriptor per method of the captured Codex. */
export { notifications, requests, serverRequests } from "./generated/codex/methods.js";
/** Every type of the captured schemas, by its own name: `CodexTypes.ThreadStartParams`. */
export type * as CodexTypes from "./generated/codex/types.js";
/** Checks of every frame that Codex and the bridge exchange; loaded on demand, as they are large. */
export { type CodexValidators, loadCodexValidators } from "./generated/codex/validators/index.js";
export { capturedCodex } from "./generated/codex/version.js";
export type { NotificationDescriptor, ParamsOf, RequestDescriptor, ResultOf } from "./runtime/index.js";
