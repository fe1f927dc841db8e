/** Whole bridges, each between a host and a Codex that its seed decides (test/simulation). New seeds in every run. */
import { describe, expect, test } from "vitest";
import { allSteps, simulate } from "../simulation/simulate.js";

/** Seeds that once broke a promise, with the steps that it took. */
const onceBroken: readonly (readonly [seed: number, steps: readonly number[], promise: string])[] = [
  [90, [22, 35], "a notice has a title"],
  [3374, [8, 10, 11, 14, 15, 23, 25], "a prompt is answered, although its session is opened anew meanwhile"],
  [4961, [0, 1, 3, 4, 5, 8, 9, 11, 15, 16, 17, 20, 21, 22, 23, 27, 28, 30], "a resume that was taken back is silent"],
  [134, [11, 14, 30, 33], "the context in use is counted from 0"],
  [4, [10, 11], "a host that goes while its session is opened surprises nobody"],
  [73410288, [9, 10, 16, 21, 22, 31, 32, 33], "what Codex says while it ends leaves no timer"],
  [652, [3, 6, 10, 13, 20, 23, 35], "a close has its answer in time, also when the clock is set back meanwhile"],
  [31, [39], "what a host still wrote is not read once it is gone"],
];

const secondsPerRun = 60;

/** In portions, so that a fault is told soon and no test runs long. */
const portions = 6;

async function holds(seed: number, steps = allSteps): Promise<void> {
  await simulate(seed, steps).catch((cause: unknown) => {
    const again = `npm run simulate -- --seed ${seed} --steps ${steps.join(",")}`;
    throw new Error(`${cause instanceof Error ? cause.message : cause}\n\nrepeat with: ${again}`, { cause });
  });
}

test.each(onceBroken)("seed %d holds with steps %j: %s", (seed, steps) => holds(seed, steps));

describe("new seeds hold", () => {
  const first = Date.now() % 1_000_000_000;
  let next = first;
  for (let portion = 1; portion <= portions; portion += 1) {
    test(`portion ${portion} of ${portions}, from seed ${first} on`, async () => {
      const begun = performance.now();
      const from = next;
      while (performance.now() - begun < (1000 * secondsPerRun) / portions) {
        await holds(next);
        next += 1;
      }
      expect(next).toBeGreaterThan(from + 10);
    });
  }
});
