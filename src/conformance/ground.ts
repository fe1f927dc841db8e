import type { Clock } from "../runtime/clock.js";
import type { FrameLog } from "../testing/frames.js";
import type { CodexDeath } from "../testing/scripted-codex/link.js";
import type { CodexEnd } from "../testing/scripted-codex/serve-stand-in.js";
import type { Waits } from "../testing/waits.js";
import type { CaseCodex } from "./codex.js";
import type { CaseModel } from "./real/model.js";

/** One run of the agent: a case starts it, and its end ends the case. */
export interface Agent {
  /** Writes text to it as it is. */
  write(text: string): void;
  /** Takes each of its lines. Called once, before anything is written. */
  onLine(take: (line: string) => void): void;
  /** Has the host stop reading, or go on. */
  reads(on: boolean): void;
  /** The host goes away. */
  closeInput(): void;
  /** How it ended: exit code or signal. Rejects when it could not be started. */
  readonly ended: Promise<number | string>;
  /** Ends what still runs, and what was started for it. */
  dispose(): Promise<void>;
}

/** What an agent meets where it looks for Codex. All frames, both ways, are in the log. */
export interface CodexSide extends CodexEnd {
  /** True while an agent is connected. */
  readonly running: boolean;
  /** Sends any frame to the agent; the strict checker does not look at it. */
  raw(frame: object): void;
  die(how?: CodexDeath): void;
}

/** What stands behind the agent in one run of a case. */
export interface Behind {
  readonly side: CodexSide;
  /** For the steps that speak for Codex; null where it speaks for itself. */
  readonly codex: CaseCodex | null;
  /** For the steps that speak for the model; null where there is none. */
  readonly model: CaseModel | null;
  /** Over the environment that the agent gets anyway. */
  readonly env: Readonly<Record<string, string>>;
  /** Where sessions work; null: where the run says. */
  readonly cwd: string | null;
  dispose(): Promise<void>;
}

/** Makes what stands behind the agent, for each run of a case a new one. */
export type MakeBehind = (options: BehindOptions) => Promise<Behind>;

export interface BehindOptions {
  readonly log: FrameLog;
  readonly waits: Waits;
}

export interface AgentStart {
  readonly behind: Behind;
  readonly log: FrameLog;
  /** Over the environment that the agent gets anyway; null takes a variable away. */
  readonly env: Readonly<Record<string, string | null>>;
}

/** Where a case runs: what stands behind the agent, how the agent is started, and what time is. */
export interface Ground {
  readonly clock: Clock;
  /** Whether frames of Codex are held to its schemas: they say nothing of another version than their own. */
  readonly codexIsHeld: boolean;
  readonly behind: MakeBehind;
  start(options: AgentStart): Promise<Agent>;
}
