import { hostRequests } from "../../src/generated/contract/methods.js";
import { isFrame } from "../../src/testing/frames.js";
import { anyNotification, anyQuestion, breakCodex, fallSilent, meddle, playTurns, turnStep } from "./codex.js";
import { createDice, type Dice, partOf } from "./dice.js";
import {
  answerQuestions,
  anyRequest,
  badLine,
  badRequest,
  cancel,
  close,
  openSession,
  prompt,
  readOn,
  reopen,
  stopReading,
  takeBack,
} from "./host.js";
import { checkHostWire, checkLines, checkLog } from "./invariants.js";
import { createWorld, type World } from "./world.js";

type Step = (world: World) => unknown;

const letGo: Step = ({ later, dice }) => {
  const [next] = later.splice(dice.choose(Math.max(1, later.length)), 1);
  next?.();
};
const settle: Step = ({ bridge }) => bridge.clock.settle();
const pass: Step = ({ bridge, dice }) => bridge.clock.advance(dice.choose(8000));
const jump: Step = ({ bridge, dice }) => bridge.clock.jump((dice.choose(3) - 1) * dice.choose(86_400_000));

/** How often each thing happens, of all; the second table is of a Codex that says anything. */
const always: readonly (readonly [number, Step])[] = [
  [6, openSession],
  [14, prompt],
  [5, cancel],
  [2, close],
  [4, anyRequest],
  [3, badRequest],
  [2, badLine],
  [2, takeBack],
  [2, stopReading],
  [4, readOn],
  [24, turnStep],
  [2, breakCodex],
  [10, letGo],
  [10, settle],
  [6, pass],
  [1, jump],
];
const wildly: typeof always = [...always, [3, reopen], [16, anyNotification], [6, anyQuestion]];

function choose(dice: Dice, table: typeof always): Step {
  let left = dice.choose(table.reduce((sum, [weight]) => sum + weight, 0));
  for (const [weight, step] of table) {
    left -= weight;
    if (left < 0) return step;
  }
  return settle;
}

/** Steps of one run. */
export const stepsPerRun = 40;

/** All of them, in order; a shorter list leaves steps out without changing the others. */
export const allSteps: readonly number[] = Array.from({ length: stepsPerRun }, (_, index) => index);

/**
 * Plays one bridge between a host and a Codex that the seed decides, then lets all come to rest and holds it to its
 * promises. Rejects with the first that is broken, and the end of the log.
 */
export async function simulate(seed: number, steps: readonly number[] = allSteps): Promise<void> {
  const world = await createWorld(seed, stepsPerRun);
  const { bridge } = world;
  try {
    meddle(world);
    playTurns(world);
    answerQuestions(world);
    for (const index of steps) {
      world.dice = createDice(partOf(seed, index));
      if (world.silentFrom !== null && index >= world.silentFrom && world.silent === 0) fallSilent(world);
      await choose(world.dice, world.wild ? wildly : always)(world);
      if (bridge.waits.failure !== undefined) throw bridge.waits.failure;
    }
    if (world.leaves === null) await rest(world);
    checkHostWire(bridge.log.frames("host"), world);
    await leave(world);
    checkLines(world);
    checkLog(world);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`${why}\n\nthe log ends with:\n${bridge.log.tail(40)}`, { cause: error });
  }
}

/** Answered in time whatever Codex does, or does not (CLOSE-01). */
const bounded: ReadonlySet<string> = new Set([hostRequests.sessionClose.method]);

/** Codex goes, as often as it is started again, and every request must have its answer. */
async function rest(world: World): Promise<void> {
  const { bridge, later, open } = world;
  world.calm = true;
  bridge.hostReads(true);
  for (let round = 0; round < 8; round += 1) {
    for (const go of later.splice(0)) go();
    await bridge.clock.advance(60_000);
    if (open.size === 0) return;
    const slow = [...open].filter(([, method]) => bounded.has(method)).map(([id, method]) => `${method} (id ${id})`);
    if (slow.length > 0) throw new Error(`a Codex without an answer keeps the host waiting for ${slow}`);
    world.turns.clear();
    if (bridge.codex.running) bridge.codex.die({ code: 1 });
  }
  const left = [...open].map(([id, method]) => `${method} (id ${id})`);
  throw new Error(`requests without an answer: ${left.join(", ")}`);
}

/** How long a host waits before it takes us for stuck. */
const endMs = 5000;

/** The host goes. Codex goes with it in time, and nothing at all happens any more. */
async function leave(world: World): Promise<void> {
  const { bridge, later, leaves } = world;
  const { clock, codex, log } = bridge;
  if (leaves === "dies") bridge.hostBreaks();
  let left: readonly number[] | undefined;
  const closed = bridge.close().then(() => {
    left = clock.timers;
  });
  closed.catch(() => undefined);
  await clock.advance(endMs);
  if (bridge.waits.failure === undefined && left === undefined)
    throw new Error(`the agent is there ${endMs} ms after its host`);
  await closed;
  if (codex.running) throw new Error("Codex outlives its host");
  if (left?.length) throw new Error(`timers that nobody waits for: ${left}`);
  const said = log.entries.length;
  for (const go of later.splice(0)) go();
  await clock.advance(120_000);
  const more = log.entries.slice(said).find((entry) => !isFrame(entry) || entry.from !== "host");
  if (more) throw new Error(`something goes on without a host: ${JSON.stringify(more)}`);
}

/** The shortest part of the steps, in their order, that still breaks a promise (by leaving out ever smaller pieces). */
export async function shrink(seed: number): Promise<readonly number[]> {
  const breaks = (steps: readonly number[]): Promise<boolean> =>
    simulate(seed, steps).then(
      () => false,
      () => true,
    );
  let steps = allSteps;
  for (let size = Math.ceil(steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < steps.length; ) {
      const fewer = [...steps.slice(0, at), ...steps.slice(at + size)];
      if (await breaks(fewer)) steps = fewer;
      else at += size;
    }
  }
  return steps;
}
