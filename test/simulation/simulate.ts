import { anyNotification, anyQuestion, breakCodex, meddle, playTurns, turnStep } from "./codex.js";
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
import { checkHostWire } from "./invariants.js";
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
  const world = await createWorld(seed);
  const { bridge } = world;
  try {
    meddle(world);
    playTurns(world);
    answerQuestions(world);
    for (const index of steps) {
      world.dice = createDice(partOf(seed, index));
      await choose(world.dice, world.wild ? wildly : always)(world);
      if (bridge.waits.failure !== undefined) throw bridge.waits.failure;
    }
    await rest(world);
    checkHostWire(bridge.log.frames("host"), world);
    await bridge.close();
    await bridge.clock.advance(120_000);
    if (bridge.clock.timers.length > 0) throw new Error(`timers that nobody waits for: ${bridge.clock.timers}`);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`${why}\n\nthe log ends with:\n${bridge.log.tail(40)}`, { cause: error });
  }
}

/** Codex goes, as often as it is started again, and every request must have its answer. */
async function rest(world: World): Promise<void> {
  const { bridge, later, open } = world;
  world.calm = true;
  bridge.hostReads(true);
  for (let round = 0; round < 8; round += 1) {
    for (const go of later.splice(0)) go();
    await bridge.clock.advance(60_000);
    if (open.size === 0) return;
    world.turns.clear();
    if (bridge.codex.running) bridge.codex.die({ code: 1 });
  }
  const left = [...open].map(([id, method]) => `${method} (id ${id})`);
  throw new Error(`requests without an answer: ${left.join(", ")}`);
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
