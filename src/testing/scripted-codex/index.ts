import type { Clock } from "../../runtime/clock.js";
import type { FrameLog } from "../frames.js";
import { createWaits, type Waits } from "../waits.js";
import { createCore, type ScriptedCodex } from "./core.js";
import { installDefaults } from "./defaults.js";

export interface ScriptedCodexOptions {
  readonly log: FrameLog;
  /** Default: waits of 8 s over `log`. */
  readonly waits?: Waits;
  /** For timestamps. */
  readonly clock: Pick<Clock, "now">;
  /** False: it answers only what the test tells it to. Default true. */
  readonly defaults?: boolean;
}

/** A Codex that does what the test says. Connect it with `connectInProcess` or `serveStandIn`. */
export function scriptedCodex(options: ScriptedCodexOptions): ScriptedCodex {
  const { log, waits = createWaits(log), clock, defaults = true } = options;
  const codex = createCore({ log, waits, now: () => clock.now() });
  if (defaults) installDefaults(codex);
  return codex;
}
