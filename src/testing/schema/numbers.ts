import fc from "fast-check";
import type { Flat } from "./flat.js";

/** Zero has one form on the wire. */
const withoutMinusZero = (value: number): number => (value === 0 ? 0 : value);

/** Integers within bounds, exact ones: nothing beyond 2^53. */
export const integers = (flat: Flat): fc.Arbitrary<number> => {
  const min = Math.max(Math.ceil(flat.minimum), Number.MIN_SAFE_INTEGER);
  const max = Math.min(Math.floor(flat.maximum), Number.MAX_SAFE_INTEGER);
  return fc.integer({ min, max }).map(withoutMinusZero);
};

export const numbers = (flat: Flat): fc.Arbitrary<number> => {
  const bounds = { min: Math.max(flat.minimum, -1e12), max: Math.min(flat.maximum, 1e12) };
  return fc.double({ ...bounds, noNaN: true, noDefaultInfinity: true }).map(withoutMinusZero);
};
