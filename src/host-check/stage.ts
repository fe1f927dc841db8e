import type { Scene } from "../conformance/scene.js";
import type { ScriptedAgent } from "./agent.js";
import type { Instructions } from "./driver-format.js";
import type { Driver } from "./ground.js";

/** A request that somebody was asked, by the name that a step gave it. */
export interface Asked<Id, Method = string> {
  readonly id: Id;
  readonly method: Method;
  /** The last entry of the log before it. */
  readonly since: number;
}

/** A running case with a host between its user and our agent. */
export interface HostStage extends Scene {
  readonly driver: Driver;
  readonly agent: ScriptedAgent;
  /** Instructions to the driver. */
  readonly instructed: Map<string, Asked<number, keyof Instructions>>;
  /** Requests of the agent. */
  readonly asks: Map<string, Asked<string>>;
  /** Requests of the host. */
  readonly asked: Map<string, string | number>;
  lastId: number;
}
