/**
 * Both ends of the bridge for tests: a scripted model for the real Codex, a scripted Codex for the bridge, folders for a
 * real Codex, one ordered log of all frames with a checker of each against the schemas, and a clock that tests turn.
 */
/** What `codex-acp-kit host-check` and a host's driver say to each other. */
export type * as hostDriver from "./host-check/driver-format.js";
export { type Clock, systemClock } from "./runtime/clock.js";
export {
  createFrameLog,
  type FrameLog,
  isFrame,
  type LogEntry,
  type LoggedFrame,
  type Party,
  type Wire,
} from "./testing/frames.js";
export { loggedTransport } from "./testing/logged-transport.js";
export { type CodexHome, type CodexHomeOptions, makeCodexHome } from "./testing/real-codex.js";
export { AnswerError, type Asked } from "./testing/scripted-codex/asks.js";
export { type Call, CodexFailure, type Held, type ScriptedCodex } from "./testing/scripted-codex/core.js";
export { connectInProcess } from "./testing/scripted-codex/in-process.js";
export { type ScriptedCodexOptions, scriptedCodex } from "./testing/scripted-codex/index.js";
/** Thread items with every field that Codex sends: `codexItems.agentMessage({ id: "msg_1" })`. */
export * as codexItems from "./testing/scripted-codex/items.js";
export { type StandIn, serveStandIn } from "./testing/scripted-codex/serve-stand-in.js";
export { nextTurn, type TurnIds, type TurnScript, turnOf, turnScript } from "./testing/scripted-codex/turn.js";
export {
  type ModelRequest,
  type ScriptedModel,
  type ScriptedModelOptions,
  startScriptedModel,
} from "./testing/scripted-model/server.js";
/** The parts of a scripted model's answers: `modelSteps.message("Hello")`. */
export * as modelSteps from "./testing/scripted-model/steps.js";
export {
  type Check,
  createStrictChecker,
  FrameFault,
  type MethodChecks,
  type StrictChecker,
  type StrictOptions,
  type WireSchemas,
} from "./testing/strict.js";
export {
  createVirtualClock,
  seededPick,
  type VirtualClock,
  type VirtualClockOptions,
} from "./testing/virtual-clock.js";
export { createWaits, type Waits } from "./testing/waits.js";
export { loadWireSchemas } from "./testing/wire-schemas.js";
