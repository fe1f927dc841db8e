import { isFrame, type LoggedFrame } from "../testing/frames.js";
import { look, type Meant } from "./kinds.js";
import { CaseFault } from "./outcome.js";
import { mismatches } from "./pattern.js";
import type { Judgement, Scene } from "./scene.js";
import type { CheckStep } from "./step-format.js";
import { fill } from "./template.js";

/** No such frame from here on, before the step with this label. */
export function judgeNever(scene: Scene, meant: Meant, until: string | undefined): void {
  const { step, timeline, judgements } = scene;
  judgements.push({ step, meant, since: timeline.last(), until: until ?? null, times: 0 });
}

/** So many such frames in all. */
export function judgeCount({ step, judgements }: Scene, meant: Meant, times: number): void {
  judgements.push({ step, meant, since: -1, until: null, times });
}

/** Throws unless a value that was bound is as it must be. */
export function check({ bindings }: Scene, step: CheckStep): void {
  const wrong = mismatches(fill(step.check, bindings), fill(step.is, bindings));
  if (wrong.length > 0)
    throw new CaseFault({ message: `${JSON.stringify(step.check)} is not as it must be`, mismatches: wrong });
}

const plural = (count: number): string => (count === 1 ? "once" : `${count} times`);

/** Frames of a judgement's kind that the log holds in its span. Pure over the log. */
export function counted(
  entries: readonly LoggedFrame[],
  { meant, since }: Judgement,
  end: number,
): readonly LoggedFrame[] {
  return entries.filter(
    (entry) =>
      entry.seq > since && entry.seq < end && entry.wire === meant.wire && look(meant, [entry]).hit !== undefined,
  );
}

/** Judges what can be said only now that the case is over. Throws the first thing that is wrong. */
export function judge(scene: Scene): void {
  const frames = scene.timeline.log.entries.filter(isFrame).filter(({ from }) => from === scene.timeline.tested);
  for (const judgement of scene.judgements) {
    const { until, times, meant } = judgement;
    const label = until === null ? undefined : scene.labels.get(until);
    if (until !== null && label === undefined) {
      throw new CaseFault({ blame: "suite", message: `there is no label ${until}` });
    }
    const found = counted(frames, judgement, label?.seq ?? Number.POSITIVE_INFINITY);
    if (found.length === times) continue;
    const expected = times === 0 ? `never ${meant.what}` : `${meant.what}, ${plural(times)}`;
    const last = found.at(-1);
    throw new CaseFault({
      message: `expected ${expected}; it came ${plural(found.length)}`,
      expected,
      ...(last === undefined ? {} : { seq: last.seq }),
    });
  }
}
