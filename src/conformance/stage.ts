import type { TurnScript } from "../testing/scripted-codex/turn.js";
import type { CaseCodex } from "./codex.js";
import type { Agent, CodexSide } from "./ground.js";
import type { CaseModel } from "./real/model.js";
import type { Scene } from "./scene.js";
import type { Trap } from "./steps/trap.js";

/** A running case with an agent between our host and what stands for Codex. */
export interface Stage extends Scene {
  readonly side: CodexSide;
  /** Throws where Codex is the real one. */
  readonly codex: CaseCodex;
  /** Throws where there is no model. */
  readonly model: CaseModel;
  readonly agent: Agent;
  /** Host requests by name. */
  readonly asks: Map<string, { readonly id: number; readonly method: string }>;
  /** Agent's requests to the host, by the name that a watch gave. */
  readonly asked: Map<string, string | number>;
  /** Requests of Codex by name. */
  readonly codexAsks: Map<string, { readonly id: number; readonly method: string }>;
  readonly turns: Map<string, TurnScript>;
  /** How many of the model's requests have been seen by a step. */
  modelCursor: number;
  /** `turn/start` requests whose turn has been taken. */
  turnsTaken: number;
  lastId: number;
  readonly traps: Trap[];
  /** What is to be done when the case is over, the last first. */
  readonly cleanups: (() => Promise<unknown>)[];
}
