import { type Meant, meantCall } from "../conformance/kinds.js";
import { CaseFault } from "../conformance/outcome.js";
import { type Bindings, fill } from "../conformance/template.js";
import type { Asked, HostStage } from "./stage.js";
import type { HostKind } from "./step-format.js";

/** An answer of the host, or of its driver, whether result or error. */
export const meantAnswerTo = (wire: "host" | "user", id: string | number, what: string): Meant => ({
  wire,
  what,
  pattern: "$any",
  partOf: (frame) => ("method" in frame || frame["id"] !== id ? undefined : frame),
});

/** What the agent asked under this name. Throws when it did not. */
export function askedBy(stage: HostStage, name: string): Asked<string> {
  const asked = stage.asks.get(name);
  if (asked === undefined) throw new CaseFault({ blame: "suite", message: `the agent did not ask ${name}` });
  return asked;
}

/** What `never` and `count` speak of. Throws when it says nothing. */
export function meantHostKind(kind: HostKind, stage: HostStage): Meant {
  const bindings: Bindings = stage.bindings;
  if (kind.hostSends !== undefined) return meantCall("host", kind.hostSends, kind.params, bindings);
  if (kind.hostAnswers !== undefined) {
    const { id, method } = askedBy(stage, kind.hostAnswers);
    return meantAnswerTo("host", id, `an answer to ${method}`);
  }
  if (kind.text === undefined) throw new Error("says no kind of frame");
  const needle = String(fill(kind.text, bindings));
  return {
    wire: "host",
    what: `a frame with ${JSON.stringify(needle)}`,
    pattern: "$any",
    partOf: (frame) => (JSON.stringify(frame).includes(needle) ? frame : undefined),
  };
}
