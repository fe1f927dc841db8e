import { describe, expect, test } from "vitest";
import { terminalInput } from "../../../src/projection/deltas.js";
import { itemCompleted, itemStarted, type Projection, settleOpen } from "../../../src/projection/items.js";
import { emptyLedger } from "../../../src/projection/ledger.js";
import type { ItemFacts, Update } from "../../../src/projection/update.js";
import { commandExecution, type ItemOf } from "../../../src/testing/scripted-codex/items.js";
import { clause } from "../../support/clause.js";

const facts: ItemFacts = {
  turnId: "t",
  turnStartedAt: null,
  cwd: "/w",
  cancelled: false,
  work: null,
  completedAt: null,
};

const lastMeta = (updates: readonly Update[]): unknown =>
  updates.findLast((update) => update.sessionUpdate === "tool_call_update")?._meta?.codex;

const typedInto = (item: ItemOf<"commandExecution">, ...inputs: readonly string[]): Projection =>
  inputs.reduce((to, typed) => terminalInput(to.ledger, item.id, typed), itemStarted(emptyLedger, item, facts));

describe("the _meta.codex of a call", () => {
  const item = commandExecution({ id: "c" });

  clause(["REC-10"], "keeps what was typed into a command beside the marks of its cut output", () => {
    const { ledger, updates } = typedInto(item, "y\n", "q\n");
    expect(lastMeta(updates)).toEqual({ stdin: ["y\n", "q\n"] });
    const ended = { ...item, status: "completed", exitCode: 0 } as const;
    const whole = itemCompleted(ledger, { ...ended, aggregatedOutput: "x".repeat(20_000) }, facts);
    expect(lastMeta(whole.updates)).toEqual({
      stdin: ["y\n", "q\n"],
      outputTruncated: true,
      outputCharacters: 20_000,
      terminalId: "c",
    });
    expect(lastMeta(itemCompleted(ledger, { ...ended, aggregatedOutput: "x" }, facts).updates)).toEqual({
      stdin: ["y\n", "q\n"],
    });
  });

  clause(["REC-04"], "keeps what was said of a call that its turn settles", () => {
    expect(lastMeta(settleOpen(typedInto(item, "y\n").ledger, "failed", new Set()).updates)).toEqual({
      stdin: ["y\n"],
      reconciled: true,
    });
    const collab: ItemOf<"collabAgentToolCall"> = {
      type: "collabAgentToolCall",
      id: "k",
      tool: "wait",
      status: "inProgress",
      senderThreadId: "a",
      receiverThreadIds: ["b"],
      prompt: null,
      agentsStates: {},
    };
    const { ledger } = itemStarted(emptyLedger, collab, facts);
    const collaboration = { tool: "wait", senderThreadId: "a", receiverThreadIds: ["b"], agentsStates: {} };
    expect(lastMeta(settleOpen(ledger, "cancelled", new Set()).updates)).toEqual({ collaboration, reconciled: true });
  });

  test("of a call told of twice is the newer where both say something", () => {
    const activity = (agentsStates: ItemOf<"collabAgentToolCall">["agentsStates"]): ItemOf<"collabAgentToolCall"> => ({
      type: "collabAgentToolCall",
      id: "k",
      tool: "wait",
      status: "inProgress",
      senderThreadId: "a",
      receiverThreadIds: [],
      prompt: null,
      agentsStates,
    });
    const first = itemStarted(emptyLedger, activity({}), facts);
    const again = itemStarted(first.ledger, activity({ b: { status: "running", message: null } }), facts);
    expect(again.updates).toHaveLength(1);
    expect(lastMeta(settleOpen(again.ledger, "completed", new Set()).updates)).toMatchObject({
      collaboration: { agentsStates: { b: { status: "running" } } },
      reconciled: true,
    });
  });
});
