import { deadly, emptySpans } from "../../src/conformance/mutants.js";
import { loadSuite } from "../../src/conformance/suite.js";
import { type Killing, kill, type Reference, references } from "./run-mutants.js";

// The whole proof: every mutant of every frame that a case must see, and of every frame that must not come.
const pattern = process.argv[2] ?? "";
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const { runs, samples } = await references(
  loadSuite().cases.filter(({ name, ground }) => ground !== "real" || name.includes(pattern)),
);
const wanted = runs.filter(({ one }) => one.name.includes(pattern));
const isReal = ({ one }: Reference): boolean => one.ground === "real";
const results: Killing[] = [];
for (const reference of wanted.filter((one) => !isReal(one))) results.push(await kill(reference, samples, false));
// On the real Codex a mutant takes seconds, most of them spent waiting, and frames come in another order each time: one
// that kills is proof.
const left = wanted.filter(isReal);
async function killReal(): Promise<void> {
  for (let next = left.shift(); next !== undefined; next = left.shift()) results.push(await kill(next, samples, true));
}
await Promise.all([killReal(), killReal(), killReal(), killReal()]);

const count = <T>(values: readonly T[]): ReadonlyMap<T, number> => {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
};

const steady = results.filter(({ ground }) => ground !== "real");
const killed = count(results.flatMap((one) => one.killed.map(({ operation }) => operation)));
const survivors = steady.flatMap(({ name, survived }) =>
  survived.map((one) => ({ ...one, name: `${name}: ${one.name}` })),
);
const harmless = survivors.filter((one) => one.harmless !== null);
const overlooked = survivors.filter((one) => one.harmless === null);
const operations = [...new Set([...killed.keys(), ...survivors.map(({ operation }) => operation)])];
const row = (...cells: readonly (string | number)[]): void =>
  say(cells.map((cell, at) => (at === 0 ? String(cell).padEnd(12) : String(cell).padStart(12))).join(""));
row("Mutants", "killed", "harmless", "overlooked");
for (const operation of operations) {
  const of = (list: typeof survivors): number => list.filter((one) => one.operation === operation).length;
  row(operation, killed.get(operation) ?? 0, of(harmless), of(overlooked));
}
say("\nHarmless, because");
for (const [reason, times] of count(harmless.map((one) => `${one.operation}: ${one.harmless}`))) {
  say(`${String(times).padStart(6)}  ${reason}`);
}
const toothless = results.filter(
  (one) => one.level === "MUST" && !one.killed.some(({ operation }) => deadly.includes(operation)),
);
say(`\n${results.length} cases, ${results.length - toothless.length} with a killing mutant`);
for (const { name } of toothless) say(`no mutant kills ${name}`);
const empty = wanted
  .filter((one) => !isReal(one))
  .flatMap(({ one, run }) => emptySpans(run).map((span) => `${one.name}: ${span}`));
for (const span of empty) say(`looks at nothing: ${span}`);
for (const { name } of overlooked) say(`overlooked: ${name}`);
process.exit(toothless.length + overlooked.length + empty.length === 0 ? 0 : 1);
