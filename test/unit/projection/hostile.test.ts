/** Items as no schema has them: whatever a newer or an older Codex says, nothing throws and nothing is off the draft (K-29). */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ThreadItem } from "../../../src/generated/codex/types.js";
import { agentNotifications } from "../../../src/generated/contract/methods.js";
import { threadItems } from "../../../src/generated/testing/arbitraries.js";
import { itemCompleted, itemStarted } from "../../../src/projection/items.js";
import { emptyLedger } from "../../../src/projection/ledger.js";
import { userMessage } from "../../../src/projection/message.js";
import type { ItemFacts, Update } from "../../../src/projection/update.js";
import { schemas } from "../../support/schemas.js";

const facts: ItemFacts = {
  turnId: "t",
  turnStartedAt: null,
  cwd: "/w",
  cancelled: false,
  work: null,
  completedAt: null,
};

const { method } = agentNotifications.sessionUpdate;
const params = schemas.host("bridge", method)?.params;

function hold(updates: readonly Update[]): void {
  for (const update of updates) {
    expect(params?.(JSON.parse(JSON.stringify({ sessionId: "s", update }))), JSON.stringify(update)).toBeNull();
  }
}

/** Live, and seen at its end alone. */
function project(item: ThreadItem): void {
  const { ledger, updates } = itemStarted(emptyLedger, item, facts);
  hold([...updates, ...itemCompleted(ledger, item, facts).updates]);
  hold(itemCompleted(emptyLedger, item, facts).updates);
  if (item.type === "userMessage") hold([userMessage(item, facts, null)]);
}

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null;

/** The value with one member or element at a time gone, null, or with a value that nobody knows. */
function* spoilt(value: unknown): Generator<unknown> {
  if (Array.isArray(value)) {
    for (const [index, element] of value.entries()) {
      for (const other of spoilt(element)) yield value.with(index, other);
    }
    return;
  }
  if (!isObject(value)) return;
  for (const [key, member] of Object.entries(value)) {
    const { [key]: _gone, ...rest } = value;
    yield rest;
    yield { ...value, [key]: null };
    if (typeof member === "string") yield { ...value, [key]: "novel" };
    for (const other of spoilt(member)) yield { ...value, [key]: other };
  }
  yield { ...value, novel: { a: 1 } };
}

describe.each(Object.entries(threadItems))("an item of type %s", (type, arbitrary) => {
  test("is projected as the draft has it", () => {
    fc.assert(fc.property(arbitrary(), project), { numRuns: 50 });
  });

  test("may lack anything but its id", () => {
    fc.assert(
      fc.property(arbitrary(), (item) => {
        for (const other of spoilt(item)) project({ ...(other as object), type, id: item.id } as ThreadItem);
      }),
      { numRuns: 10 },
    );
  });
});
