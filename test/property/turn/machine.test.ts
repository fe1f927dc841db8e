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

test.each([
  [
    "items of another turn were taken for those of one whose start was refused",
    [
      1418, 2, 1696, 190, 331, 1465, 0, 1833, 483, 97, 3, 876, 19, 5035, 0, 4011, 4760, 537, 2493, 4, 2313, 3044, 1316,
      0, 1463, 0, 0, 0, 942, 0, 0, 1296, 1874, 789, 1480, 0, 373, 1894, 1070, 117, 1116, 0, 3506, 0, 5, 1876, 311, 2357,
      0, 4555, 12, 1466,
    ],
  ],
])("it keeps them where it once did not: %s", (_what, picks) => {
  run(picks);
});
