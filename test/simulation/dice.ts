import fc from "fast-check";
import { seededPick } from "../../src/testing/virtual-clock.js";

/** All that a step decides by chance. The same seed decides the same. */
export interface Dice {
  /** Below `count`. */
  choose(count: number): number;
  /** True once in `n`. */
  oneIn(n: number): boolean;
  pick<T>(list: readonly [T, ...T[]]): T;
  pick<T>(list: readonly T[]): T | undefined;
  draw<T>(arbitrary: fc.Arbitrary<T>): T;
}

export function createDice(seed: number): Dice {
  const choose = seededPick(seed);
  return {
    choose,
    oneIn: (n) => choose(n) === 0,
    pick: <T>(list: readonly T[]) => list[choose(Math.max(1, list.length))] as T,
    draw(arbitrary) {
      const [value] = fc.sample(arbitrary, { seed: choose(0x7fffffff), numRuns: 1 });
      // One run gives one value.
      return value as never;
    },
  };
}

/** A seed for one part of a run, so that leaving another part out changes nothing in it. */
export const partOf = (seed: number, part: number): number =>
  (Math.imul(seed, 0x9e3779b1) ^ Math.imul(part + 1, 0x85ebca6b)) >>> 0;
