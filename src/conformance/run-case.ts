import { isObject } from "../runtime/index.js";
import type { Wire } from "../testing/frames.js";
import { createStrictChecker, type FrameFault, type WireSchemas } from "../testing/strict.js";
import type { Agent, Behind, Ground } from "./ground.js";
import { judge } from "./judge.js";
import { CaseFault } from "./outcome.js";
import type { Seen, Stage } from "./stage.js";
import { until, within } from "./stage.js";
import { runStep } from "./steps/index.js";
import { quiet } from "./steps/watching.js";
import type { LoadedCase, RunStep } from "./suite.js";
import { Lacking } from "./template.js";
import { createTimeline, type Timeline } from "./timeline.js";
import { createCaseWaits } from "./waits.js";

export interface CaseOptions {
  readonly ground: Ground;
  readonly schemas: Readonly<Record<Wire, WireSchemas>>;
  /** Longest wait of one step, in milliseconds. */
  readonly deadlineMs: number;
  /** An empty folder for sessions to work in; not looked at. */
  readonly cwd: string;
}

/** What one run of a case showed. */
export interface CaseRun {
  /** Null when the case passed. */
  readonly fault: CaseFault | null;
  /** Index of the step that failed; null when it was no step. */
  readonly step: number | null;
  readonly timeline: Timeline;
  readonly ms: number;
  readonly seen: readonly Seen[];
  readonly judgements: Stage["judgements"];
  readonly labels: Stage["labels"];
  /** What names stood for at the end. */
  readonly bindings: Readonly<Record<string, unknown>>;
}

const endMs = 5_000;

/** Runs one case on one run of the agent. Rejects only for what is no result, as a ground that cannot be made. */
export async function runCase(one: LoadedCase, options: CaseOptions): Promise<CaseRun> {
  const { ground, schemas, deadlineMs, cwd } = options;
  const { clock } = ground;
  const start = clock.now();
  const timeline = createTimeline(clock);
  const checker = createStrictChecker({ log: timeline.log, schemas });
  const waits = createCaseWaits({ timeline, clock, deadlineMs });
  const behind = await ground.behind({ log: timeline.log, waits });
  const agent = await ground.start({ behind, log: timeline.log, env: one.env });
  const given = { cwd: behind.cwd ?? cwd, client: one.client };
  const stage = createStage({ timeline, clock, agent, deadlineMs, bindings: given }, behind);
  const offContract = (): CaseFault | null =>
    blamed(checker.faults.filter(({ blame }) => ground.codexIsHeld || blame !== "codex"));
  listen(stage);
  let step: number | null = null;
  let fault: CaseFault | null = null;
  try {
    for (const [index, act] of one.steps.entries()) {
      step = index;
      stage.step = index;
      timeline.log.note(`step ${index + 1}: ${brief(act)}`);
      const seq = timeline.log.entries.length - 1;
      if (act.label !== undefined) stage.labels.set(act.label, { at: timeline.at(seq), seq });
      await runStep(stage, act);
      const wrong = offContract();
      if (wrong !== null) throw wrong;
    }
    step = null;
    await finish(stage);
    judge(stage);
    fault = offContract() ?? scriptFault(waits.failure);
  } catch (error) {
    // What is off contract came first, and may be why the step waited in vain.
    fault = offContract() ?? scriptFault(waits.failure) ?? asFault(error);
  } finally {
    checker.stop();
    await agent.dispose();
    await behind.dispose();
  }
  const { seen, judgements, bindings, labels } = stage;
  return { fault, step, timeline, ms: clock.now() - start, seen, judgements, labels, bindings };
}

const lacks = (what: string): CaseFault =>
  new CaseFault({ blame: "suite", message: `the case is on a ground without ${what}` });

function createStage(
  parts: Pick<Stage, "timeline" | "clock" | "agent" | "deadlineMs" | "bindings">,
  { side, codex, model }: Behind,
): Stage {
  return {
    ...parts,
    side,
    get codex() {
      if (codex === null) throw lacks("a scripted Codex");
      return codex;
    },
    get model() {
      if (model === null) throw lacks("a scripted model");
      return model;
    },
    modelCursor: 0,
    step: 0,
    asks: new Map(),
    asked: new Map(),
    codexAsks: new Map(),
    turns: new Map(),
    turnsTaken: 0,
    labels: new Map(),
    cursor: { host: -1, codex: -1 },
    judgements: [],
    seen: [],
    lastId: 0,
    ended: null,
  };
}

/** Puts the agent's lines into the log, and its end. */
function listen(stage: Stage): void {
  const { agent, timeline } = stage;
  agent.onLine((line) => {
    let frame: unknown = line;
    try {
      frame = JSON.parse(line);
    } catch {
      // The checker blames the agent for a line that is no object.
    }
    timeline.log.add("host", "bridge", frame);
  });
  const over = (how: string): void => {
    stage.ended = how;
    timeline.log.note(`the agent is gone: ${how}`);
  };
  agent.ended.then(
    (how) => over(String(how)),
    (error: unknown) => over(error instanceof Error ? error.message : String(error)),
  );
}

/** Lets the agent finish what it was told, and sends it away. */
async function finish(stage: Stage): Promise<void> {
  if (stage.ended !== null) return;
  // Only what must not come needs time to come.
  if (stage.judgements.length > 0) await quiet(stage);
  closeInput(stage.agent);
  await until(within(stage, endMs), () => stage.ended ?? undefined);
}

const closeInput = (agent: Agent): void => agent.closeInput();

function brief(step: RunStep): string {
  const text = JSON.stringify(step);
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}

/** The first frame off contract, on the side that sent it: the host and Codex are ours. */
function blamed(faults: readonly FrameFault[]): CaseFault | null {
  const fault = faults.find(({ blame }) => blame !== "bridge") ?? faults[0];
  if (fault === undefined) return null;
  const { entry, path, expected } = fault;
  const agent = fault.blame === "bridge";
  return new CaseFault({
    blame: agent ? "agent" : "suite",
    message: `${agent ? "the agent" : `the suite's ${fault.blame}`} sent a frame off contract: expected ${expected} at ${path === "" ? "its root" : path}`,
    expected,
    mismatches: [{ path, expected, got: partAt(entry.frame, path) }],
    seq: entry.seq,
  });
}

const partAt = (value: unknown, path: string): unknown =>
  path
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>((at, part) => {
      if (Array.isArray(at)) return at[Number(part)];
      return isObject(at) ? at[part] : undefined;
    }, value);

const scriptFault = (error: Error | undefined): CaseFault | null =>
  error === undefined ? null : new CaseFault({ blame: "suite", message: error.message, cause: error.cause ?? error });

/** A step that throws anything else is broken itself. */
const asFault = (error: unknown): CaseFault =>
  error instanceof CaseFault
    ? error
    : new CaseFault({
        blame: error instanceof Lacking ? "agent" : "suite",
        message: error instanceof Error ? error.message : String(error),
        cause: error,
      });
