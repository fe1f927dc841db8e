import { isObject } from "../runtime/index.js";
import type { FrameFault, StrictChecker } from "../testing/strict.js";
import { judge } from "./judge.js";
import { type Blame, CaseFault } from "./outcome.js";
import type { Judgement, Scene, Seen } from "./scene.js";
import { Lacking } from "./template.js";
import type { Timeline } from "./timeline.js";

/** What one run of a case showed. */
export interface CaseRun {
  /** Null when the case passed. */
  readonly fault: CaseFault | null;
  /** Index of the step that failed; null when it was no step. */
  readonly step: number | null;
  readonly timeline: Timeline;
  readonly ms: number;
  readonly seen: readonly Seen[];
  readonly judgements: readonly Judgement[];
  readonly labels: Scene["labels"];
  /** What names stood for at the end. */
  readonly bindings: Readonly<Record<string, unknown>>;
}

/** Whose fault a frame off contract is. */
export interface Culprit {
  readonly blame: Blame;
  /** For people: `the agent`. */
  readonly name: string;
}

/** A case that is about to run. */
export interface Performance<Step> {
  readonly scene: Scene;
  readonly steps: readonly Step[];
  /** Looks at every frame of the case. */
  readonly checker: StrictChecker;
  run(step: Step): void | Promise<void>;
  /** Lets whoever is under test finish what it was told, and sends it away. */
  finish(): Promise<void>;
  /** Ends what still runs. */
  dispose(): Promise<void>;
  /** Null: it is let pass. */
  culprit(fault: FrameFault): Culprit | null;
  /** What went wrong outside the steps, and may be why one of them waited in vain. */
  failure(): CaseFault | null;
}

/** Runs the steps, then judges what can be said only afterwards. */
export async function playCase<Step extends { readonly label?: string }>(
  performance: Performance<Step>,
): Promise<CaseRun> {
  const { scene, checker } = performance;
  const { timeline } = scene;
  let step: number | null = null;
  let fault: CaseFault | null = null;
  const offContract = (): CaseFault | null => blamed(checker.faults, performance);
  try {
    for (const [index, one] of performance.steps.entries()) {
      step = index;
      scene.step = index;
      timeline.log.note(`step ${index + 1}: ${brief(one)}`);
      const seq = timeline.last();
      if (one.label !== undefined) scene.labels.set(one.label, { at: timeline.at(seq), seq });
      await performance.run(one);
      const wrong = offContract();
      if (wrong !== null) throw wrong;
    }
    step = null;
    await performance.finish();
    judge(scene);
    fault = offContract() ?? performance.failure();
  } catch (error) {
    // What is off contract came first, and may be why the step waited in vain.
    fault = offContract() ?? performance.failure() ?? asFault(error);
  } finally {
    checker.stop();
    await performance.dispose();
  }
  const { seen, judgements, bindings, labels } = scene;
  return { fault, step, timeline, ms: timeline.now(), seen, judgements, labels, bindings };
}

function brief(step: unknown): string {
  const text = JSON.stringify(step);
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}

/** The first frame off contract, on the side that sent it; the suite's own before all others. */
function blamed(faults: readonly FrameFault[], { culprit }: Pick<Performance<unknown>, "culprit">): CaseFault | null {
  const counted = faults.flatMap((fault) => {
    const whose = culprit(fault);
    return whose === null ? [] : [{ ...whose, fault }];
  });
  const first = counted.find(({ blame }) => blame === "suite") ?? counted[0];
  if (first === undefined) return null;
  const { blame, name } = first;
  const { entry, path, expected } = first.fault;
  return new CaseFault({
    blame,
    message: `${name} sent a frame off contract: expected ${expected} at ${path === "" ? "its root" : path}`,
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

/** A step that throws anything else is broken itself. */
const asFault = (error: unknown): CaseFault =>
  error instanceof CaseFault
    ? error
    : new CaseFault({
        blame: error instanceof Lacking ? "tested" : "suite",
        message: error instanceof Error ? error.message : String(error),
        cause: error,
      });
