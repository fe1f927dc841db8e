/**
 * The agent as a library: serve a host from your own process, with policy modules of your own.
 *
 * ```ts
 * const agent = createAgent({
 *   codex: startCodexAhead().start,
 *   settings: settingsFromEnv(process.env),
 *   policies: {
 *     prompt: (services, find) => {
 *       const prompt = defaultPolicies.prompt(services, find);
 *       return { ...prompt, sessionPrompt: (params, context) => prompt.sessionPrompt(audited(params), context) };
 *     },
 *   },
 * });
 * await agent.connect(createStdioTransport(process.stdin, process.stdout, systemClock)).closed;
 * ```
 */
export { type Agent, type AgentConnection, type AgentOptions, createAgent } from "./agent/create-agent.js";
export { settingsFromEnv } from "./agent/settings.js";
export { type CodexStarter, startCodexAhead } from "./codex/starter.js";
export type { CodexTransport, TransportSink } from "./codex/transport.js";
/** Receipts of slash commands, kept where `codex-acp-kit` itself keeps them: `createReceiptStore(receiptFiles, stateFolder(env))`. */
export {
  type CommandReceipt,
  createReceiptStore,
  type ReceiptFiles,
  type ReceiptStore,
  receiptFiles,
} from "./files/receipts.js";
export { stateFolder } from "./files/state-folder.js";
/** The handlers that each policy module must have, by area. */
export type { PolicyModules } from "./generated/agent/handlers.js";
export { createStdioTransport } from "./host/stdio-transport.js";
export type { HostSink, HostTransport } from "./host/transport.js";
export { defaultPolicies, type Policies, type Policy } from "./policy/index.js";
export type { Asked, Questions, Reply } from "./policy/question.js";
export { defaultQuestions } from "./policy/questions.js";
export type { AgentSettings, CodexService, HostService, OpenSession, Services } from "./policy/services.js";
export { type Clock, systemClock } from "./runtime/clock.js";
export { ContractError, type HandlerContext } from "./runtime/index.js";
export { version } from "./version.js";
