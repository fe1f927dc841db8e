// `npm run fuzz`: everything that reads what others wrote, fed with what its seed makes up. See docs/reliability.md.
import { parseArgs } from "node:util";
import { wholeNumber } from "../support/whole-number.js";
import { fuzz } from "./targets.js";

const { values } = parseArgs({
  options: {
    inputs: { type: "string", default: "1000000" },
    seed: { type: "string", default: String(Date.now() % 2 ** 31) },
  },
});

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const inputs = wholeNumber("inputs", values.inputs);
const seed = wholeNumber("seed", values.seed);
const begun = performance.now();
const mib = (bytes: number): string => (bytes / 2 ** 20).toFixed(0);

say(`seed ${seed}`);
try {
  await fuzz(inputs, seed, (name, count) =>
    say(`${name}: ${count} inputs hold; ${mib(process.memoryUsage.rss())} MiB in memory`),
  );
  const seconds = (performance.now() - begun) / 1000;
  say(`${inputs} inputs in ${seconds.toFixed(0)} s, ${(inputs / seconds).toFixed(0)} a second`);
} catch (error) {
  say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  say(`\nrepeat with: npm run fuzz -- --inputs ${inputs} --seed ${seed}`);
  process.exitCode = 1;
}
