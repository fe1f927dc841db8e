import fc from "fast-check";
import { test } from "vitest";
import { World } from "./world.js";

/** Interleavings that one run explores. */
const runs = 40_000;

const choices = fc.array(fc.nat({ max: 5039 }), { minLength: 8, maxLength: 90, size: "max" });

const run = (picks: readonly number[]): World => {
  const world = new World();
  try {
    for (const pick of picks) world.step(pick);
    world.starve();
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)} after ${world.done.join(", ")}`, {
      cause: error,
    });
  }
  return world;
};

test(`a session keeps its promises in ${runs} interleavings of host, Codex, timers and death`, () => {
  fc.assert(
    fc.property(choices, (picks) => void run(picks)),
    { numRuns: runs },
  );
});
