import { createStrictChecker, type HeldWires } from "../testing/strict.js";
import { makeFolders } from "./folders.js";
import type { Agent, Behind, Ground } from "./ground.js";
import { guard } from "./guards.js";
import { CaseFault } from "./outcome.js";
import { type CaseRun, playCase } from "./play-case.js";
import { createScene, type Scene } from "./scene.js";
import type { Stage } from "./stage.js";
import { runStep } from "./steps/index.js";
import { judgeTraps } from "./steps/trap.js";
import { quiet } from "./steps/watching.js";
import { listen, sendAway } from "./subject.js";
import type { LoadedCase } from "./suite.js";
import { fill } from "./template.js";
import { createTimeline } from "./timeline.js";
import { createCaseWaits } from "./waits.js";

export interface CaseOptions {
  readonly ground: Ground;
  readonly schemas: HeldWires;
  /** Longest wait of one step, in milliseconds. */
  readonly deadlineMs: number;
  /** An empty folder for sessions to work in; not looked at. */
  readonly cwd: string;
}

/** Runs one case on one run of the agent. Rejects only for what is no result, as a ground that cannot be made. */
export async function runCase(one: LoadedCase, options: CaseOptions): Promise<CaseRun> {
  const { ground, schemas, deadlineMs, cwd } = options;
  const { clock } = ground;
  const timeline = createTimeline(clock);
  const checker = createStrictChecker({ log: timeline.log, schemas });
  const waits = createCaseWaits({ timeline, clock, deadlineMs });
  const cleanups: Stage["cleanups"] = [];
  const make = async (): Promise<Stage> => {
    const behind = await ground.behind({ log: timeline.log, waits });
    cleanups.push(() => behind.dispose());
    const folders = await makeFolders(one.folders, { cwd: behind.cwd ?? cwd });
    cleanups.push(() => folders.remove());
    const { model } = behind;
    const given = model === null ? {} : { model: { url: model.url }, codexHome: behind.env["CODEX_HOME"] };
    const bindings = { cwd: behind.cwd ?? cwd, client: one.client, ...given, ...folders.paths };
    const env = Object.entries(one.env).map(([name, value]) => [
      name,
      value === null ? null : String(fill(value, bindings)),
    ]);
    const agent = await ground.start({ behind, log: timeline.log, env: Object.fromEntries(env) });
    cleanups.push(() => agent.dispose());
    return createStage(createScene({ timeline, clock, deadlineMs, bindings }), agent, behind, cleanups);
  };
  const stage = await make().catch(async (error: unknown) => {
    await undo(cleanups);
    throw error;
  });
  listen(stage, stage.agent, "host", "agent");
  return playCase({
    scene: stage,
    steps: one.steps,
    checker,
    run: (step) => runStep(stage, step),
    async finish() {
      await finish(stage);
      judgeTraps(stage);
      const wrong = guard(timeline.log.entries);
      if (wrong !== null) throw wrong;
    },
    dispose: () => undo(cleanups),
    failure: () => scriptFault(waits.failure),
    // The host and Codex are ours, but for a Codex that is of another version than the schemas.
    culprit({ blame }) {
      if (blame === "bridge") return { blame: "tested", name: "the agent" };
      return blame === "codex" && !ground.codexIsHeld ? null : { blame: "suite", name: `the suite's ${blame}` };
    },
  });
}

/** The last first. What cannot be undone keeps nothing else from it, and is told in the end. */
async function undo(cleanups: Stage["cleanups"]): Promise<void> {
  const failures: unknown[] = [];
  for (const cleanup of cleanups.splice(0).reverse()) {
    await cleanup().catch((error: unknown) => void failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

const scriptFault = (error: Error | undefined): CaseFault | null =>
  error === undefined ? null : new CaseFault({ blame: "suite", message: error.message, cause: error.cause ?? error });

const lacks = (what: string): CaseFault =>
  new CaseFault({ blame: "suite", message: `the case is on a ground without ${what}` });

const createStage = (
  scene: Scene,
  agent: Agent,
  { side, codex, model }: Behind,
  cleanups: Stage["cleanups"],
): Stage => ({
  ...scene,
  side,
  get codex() {
    if (codex === null) throw lacks("a scripted Codex");
    return codex;
  },
  get model() {
    if (model === null) throw lacks("a scripted model");
    return model;
  },
  agent,
  asks: new Map(),
  asked: new Map(),
  codexAsks: new Map(),
  turns: new Map(),
  modelCursor: 0,
  turnsTaken: 0,
  lastId: 0,
  traps: [],
  cleanups,
});

/** Lets the agent finish what it was told, and sends it away. */
async function finish(stage: Stage): Promise<void> {
  if (stage.ended !== null) return;
  // Only what must not come needs time to come.
  if (stage.judgements.length + stage.traps.length > 0) await quiet(stage);
  await sendAway(stage, stage.agent);
}
