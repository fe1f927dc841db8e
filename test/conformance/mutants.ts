import { deadly } from "../../src/conformance/mutants.js";
import { loadSuite } from "../../src/conformance/suite.js";
import { type Killing, kill, references } from "./run-mutants.js";

// The whole proof: every mutant of every frame that a case must see, and of every frame that must not come.
const pattern = process.argv[2] ?? "";
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const { runs, samples } = await references(
  loadSuite().cases.filter(({ name, ground }) => ground !== "real" || name.includes(pattern)),
);
const results: Killing[] = [];
for (const reference of runs.filter(({ one }) => one.name.includes(pattern))) {
  // On the real Codex a mutant takes seconds, and frames come in another order each time: one that kills is proof.
  results.push(await kill(reference, samples, reference.one.ground === "real"));
}

const operationOf = (mutant: string): string => mutant.split(" ")[0] ?? "";
const operations = [...new Set(results.flatMap(({ killed, survived }) => [...killed, ...survived]).map(operationOf))];
say("Mutants      killed  survived");
for (const operation of operations) {
  const count = (of: (one: Killing) => readonly string[]): number =>
    results.flatMap(of).filter((mutant) => operationOf(mutant) === operation).length;
  say(
    `${operation.padEnd(12)} ${String(count((one) => one.killed)).padStart(6)}  ${String(count((one) => one.survived)).padStart(8)}`,
  );
}
const isDeadly = (mutant: string): boolean => deadly.some((operation) => operation === operationOf(mutant));
const survivors = results
  .filter(({ ground }) => ground !== "real")
  .flatMap(({ name, survived }) => survived.filter(isDeadly).map((mutant) => `${name}: ${mutant}`));
const toothless = results.filter(({ level, killed }) => level === "MUST" && !killed.some(isDeadly));
say(`\n${results.length} cases, ${results.length - toothless.length} with a killing mutant`);
for (const { name } of toothless) say(`no mutant kills ${name}`);
for (const survivor of survivors) say(`survived: ${survivor}`);
process.exit(toothless.length + survivors.length === 0 ? 0 : 1);
