// `npm run simulate`: whole bridges under a virtual clock, each between a host and a Codex that its seed decides. See
// docs/reliability.md.
import { parseArgs } from "node:util";
import { wholeNumber } from "../support/whole-number.js";
import { allSteps, shrink, simulate } from "./simulate.js";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "1000" },
    from: { type: "string", default: "1" },
    seed: { type: "string" },
    steps: { type: "string" },
  },
});

const say = (line: string): void => void process.stdout.write(`${line}\n`);

let stray: unknown;
process.on("unhandledRejection", (reason) => {
  stray ??= reason;
});

async function holds(seed: number, steps: readonly number[]): Promise<unknown> {
  stray = undefined;
  try {
    await simulate(seed, steps);
    return stray;
  } catch (error) {
    return error;
  }
}

if (values.seed !== undefined) {
  const seed = wholeNumber("seed", values.seed);
  const steps =
    values.steps === undefined ? allSteps : values.steps.split(",").map((step) => wholeNumber("steps", step));
  const fault = await holds(seed, steps);
  say(fault === undefined ? `seed ${seed} holds` : String(fault instanceof Error ? fault.stack : fault));
  process.exitCode = fault === undefined ? 0 : 1;
} else {
  const count = wholeNumber("seeds", values.seeds);
  const from = wholeNumber("from", values.from);
  const begun = performance.now();
  for (let seed = from; seed < from + count; seed += 1) {
    const fault = await holds(seed, allSteps);
    if (fault === undefined) continue;
    say(`seed ${seed} breaks a promise; looking for the shortest part of it`);
    const steps = await shrink(seed);
    const shortest = (await holds(seed, steps)) ?? fault;
    say(shortest instanceof Error ? shortest.message : String(shortest));
    say(`\nrepeat with: npm run simulate -- --seed ${seed} --steps ${steps.join(",")}`);
    process.exitCode = 1;
    break;
  }
  const seconds = (performance.now() - begun) / 1000;
  if (process.exitCode === undefined) {
    say(`${count} seeds from ${from} on hold, ${(count / seconds).toFixed(1)} a second`);
  }
}
