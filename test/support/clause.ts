import { type TestFunction, test } from "vitest";
import type { ClauseId } from "../../src/generated/contract/clauses.js";

/**
 * A test that shows clauses of the contract. `npm run contract:status` finds the ids by reading the file as text, so
 * they must stand in the call itself: no variable, no spread. `timeout` is in milliseconds.
 */
export const clause = (
  ids: readonly [ClauseId, ...ClauseId[]],
  title: string,
  run: TestFunction,
  timeout?: number,
): void => test(`${ids.join(", ")}: ${title}`, run, timeout);
