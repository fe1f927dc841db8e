/** A small part of `npm run fuzz`, with other inputs each time. On a failure the seed is in the error. */

import { expect, test } from "vitest";
import { targets } from "../fuzz/targets.js";

const seed = Date.now() % 2 ** 31;
const inputs = 10_000;
const shares = targets.reduce((sum, { share }) => sum + share, 0);

test.each(targets)("$name bears whatever comes (10,000 inputs with the others)", async ({ share, run }) => {
  await run(Math.ceil((inputs * share) / shares), seed);
});

test("all of them are tried", () => {
  expect(targets.length).toBeGreaterThan(7);
});
