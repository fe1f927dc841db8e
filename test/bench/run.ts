// `npm run bench`: how the bridge compares with the least that a Node process could do in its place. See docs/performance.md.
import { writeFile } from "node:fs/promises";
import { availableParallelism, cpus } from "node:os";
import { parseArgs } from "node:util";
import { runBench } from "./bench.js";
import { axes, runGrowth } from "./growth.js";
import { growthSvg } from "./growth-svg.js";
import { growthTables, medianTables, targetTable } from "./tables.js";
import { fullSizes } from "./workloads.js";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    only: { type: "string", default: "" },
    json: { type: "string" },
    agent: { type: "string" },
    peers: { type: "boolean", default: false },
    v1: { type: "boolean", default: false },
    growth: { type: "string" },
    "stall-seconds": { type: "string", default: String(fullSizes.stallMs / 1e3) },
  },
});
const rounds = Number(values.rounds);
if (!Number.isInteger(rounds) || rounds < 1) throw new Error(`--rounds takes a number from 1 on, not ${values.rounds}`);

const stallMs = Number(values["stall-seconds"]) * 1e3;
if (!(stallMs > 0)) throw new Error(`--stall-seconds takes a number above 0, not ${values["stall-seconds"]}`);
const sizes = { ...fullSizes, stallMs };

const progress = (line: string): void => void process.stderr.write(`${line}\n`);

if (values.growth !== undefined) {
  const curves = await runGrowth({ rounds, axes, progress });
  await writeFile(values.growth, growthSvg(curves));
  process.stdout.write(`${growthTables(curves)}\n`);
  process.exit();
}

const report = await runBench({
  rounds,
  sizes,
  only: values.only.split(",").filter((name) => name !== ""),
  peers: values.peers,
  v1: values.v1,
  ...(values.agent === undefined ? {} : { agent: values.agent }),
  progress,
});
const { contenders, results, failures } = report;
process.stdout.write(`${targetTable(results, contenders)}\n\n${medianTables(results, contenders)}\n`);
if (values.json !== undefined) {
  const machine = { node: process.version, cores: availableParallelism(), cpu: cpus()[0]?.model ?? "unknown" };
  await writeFile(values.json, `${JSON.stringify({ machine, rounds, sizes, ...report }, null, 2)}\n`);
}
for (const failure of failures) process.stderr.write(`${failure}\n`);
process.exitCode = failures.length > 0 ? 1 : 0;
