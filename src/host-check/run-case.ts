import type { CaseFault } from "../conformance/outcome.js";
import { type CaseRun, type Culprit, playCase } from "../conformance/play-case.js";
import { createScene } from "../conformance/scene.js";
import { listen, sendAway } from "../conformance/subject.js";
import { createTimeline } from "../conformance/timeline.js";
import { createCaseWaits } from "../conformance/waits.js";
import { isObject } from "../runtime/index.js";
import { createStrictChecker, type FrameFault, type HeldWires } from "../testing/strict.js";
import { createScriptedAgent } from "./agent.js";
import type { HostGround } from "./ground.js";
import type { HostStage } from "./stage.js";
import { runHostStep } from "./steps/index.js";
import { refusal } from "./steps/user.js";
import { hostQuiet } from "./steps/watching.js";
import type { LoadedHostCase } from "./suite.js";

export interface HostCaseOptions {
  readonly ground: HostGround;
  readonly schemas: HeldWires;
  /** Longest wait of one step, in milliseconds. */
  readonly deadlineMs: number;
  /** An empty folder for sessions to work in; not looked at. */
  readonly cwd: string;
}

/** Runs one case on one run of the driver. Rejects only for what is no result, as a ground that cannot be made. */
export async function runHostCase(one: LoadedHostCase, options: HostCaseOptions): Promise<CaseRun> {
  const { ground, schemas, deadlineMs, cwd } = options;
  const { clock } = ground;
  const timeline = createTimeline(clock, "host");
  const checker = createStrictChecker({ log: timeline.log, schemas });
  const waits = createCaseWaits({ timeline, clock, deadlineMs });
  const agent = createScriptedAgent({ log: timeline.log, waits });
  const driver = await ground.start({ agent, log: timeline.log });
  const stage: HostStage = {
    ...createScene({ timeline, clock, deadlineMs, bindings: { cwd } }),
    driver,
    agent,
    instructed: new Map(),
    asks: new Map(),
    asked: new Map(),
    lastId: 0,
  };
  listen(stage, driver, "user", "driver");
  return playCase({
    scene: stage,
    steps: one.steps,
    checker,
    run: (step) => runHostStep(stage, step),
    finish: () => finish(stage),
    dispose: () => driver.dispose(),
    failure: () => driverFault(stage),
    culprit,
  });
}

/** An instruction that its driver could not carry out, whether or not a step awaits the answer. */
function driverFault({ timeline }: HostStage): CaseFault | null {
  for (const { frame, seq } of timeline.fromTested("user", -1)) {
    if (!isObject(frame) || !("error" in frame)) continue;
    const { id, error } = frame;
    const given = timeline.log.frames("user", "user").find((one) => isObject(one.frame) && one.frame["id"] === id);
    return refusal(String(Object(given?.frame).method ?? "nothing"), error, seq);
  }
  return null;
}

/** The user and the agent are ours; what the host's side says to the user is its driver's. */
function culprit({ blame, entry }: FrameFault): Culprit {
  if (blame !== "host") return { blame: "suite", name: `the suite's ${blame === "bridge" ? "agent" : blame}` };
  return entry.wire === "user" ? { blame: "driver", name: "the driver" } : { blame: "tested", name: "the host" };
}

/** Lets the host finish what it was told, and sends it away. */
async function finish(stage: HostStage): Promise<void> {
  if (stage.ended !== null) return;
  // Only what must not come needs time to come.
  if (stage.judgements.length > 0) await hostQuiet(stage);
  await sendAway(stage, stage.driver);
}
