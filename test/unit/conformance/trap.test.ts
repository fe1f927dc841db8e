import { expect, test } from "vitest";
import { judgeTraps, type Trap, trap } from "../../../src/conformance/steps/trap.js";
import { createTimeline } from "../../../src/conformance/timeline.js";
import { systemClock } from "../../../src/runtime/clock.js";

test("a trap that nobody calls is no fault, and a call to it is", async () => {
  const traps: Trap[] = [];
  const cleanups: (() => Promise<unknown>)[] = [];
  const stage = { timeline: createTimeline(systemClock), bindings: {}, traps, cleanups };
  await trap(stage, { trap: "shelf" });
  try {
    expect(() => judgeTraps(stage)).not.toThrow();
    const { url } = Object(stage.bindings).shelf;
    await fetch(`${url}/a.png`);
    expect(() => judgeTraps(stage)).toThrow("the agent called shelf, which it must not: GET /a.png");
    expect(stage.timeline.log.tail()).toContain("somebody calls shelf: GET /a.png");
  } finally {
    for (const cleanup of cleanups) await cleanup();
  }
});
