import { describe, expect, test } from "vitest";
import type { ContentBlock } from "../../../src/generated/acp/types.js";
import { agentNotifications } from "../../../src/generated/contract/methods.js";
import { patchUpdated } from "../../../src/projection/deltas.js";
import { fitContent } from "../../../src/projection/fit.js";
import { omissionsOf } from "../../../src/projection/history/omissions.js";
import { itemCompleted, itemStarted } from "../../../src/projection/items.js";
import { emptyLedger } from "../../../src/projection/ledger.js";
import type { ItemFacts, Update } from "../../../src/projection/update.js";
import { commandExecution, fileChange, mcpToolCall } from "../../../src/testing/scripted-codex/items.js";
import { schemas } from "../../support/schemas.js";

const MiB = 1024 * 1024;

const facts: ItemFacts = {
  turnId: "t",
  turnStartedAt: null,
  cwd: "/w",
  cancelled: false,
  work: null,
  completedAt: null,
};

const params = schemas.host("bridge", agentNotifications.sessionUpdate.method)?.params;

/** The updates, each on schema and on a line of less than 24 MiB. */
function held(updates: readonly Update[]): readonly Update[] {
  for (const update of updates) {
    expect(Buffer.byteLength(JSON.stringify(update))).toBeLessThan(24 * MiB);
    expect(params?.({ sessionId: "s", update })).toBeNull();
  }
  return updates;
}

const callOf = (updates: readonly Update[]) => updates.findLast((it) => it.sessionUpdate === "tool_call_update");
const namesOf = (updates: readonly Update[]) => callOf(updates)?._meta?.codex?.omissions?.map(({ field }) => field);

const image = (bytes: number) => ({ type: "image", mimeType: "image/png", data: "A".repeat((bytes / 3) * 4) });
const mcp = (content: object[]) =>
  mcpToolCall({
    id: "m",
    status: "completed",
    result: { content: content as never[], structuredContent: null, _meta: null },
  });
const blocksOf = (updates: readonly Update[]): unknown[] =>
  callOf(updates)?.content?.map((entry) => ("content" in entry ? entry["content"] : entry)) ?? [];

describe("the answer of a tool", () => {
  test("is told once where there is no room for twice", () => {
    const picture = image(12 * MiB);
    const updates = held(itemCompleted(emptyLedger, mcp([picture]), facts).updates);
    expect(blocksOf(updates)).toEqual([picture]);
    expect(callOf(updates)).not.toHaveProperty("rawOutput");
    expect(namesOf(updates)).toEqual(["rawOutput"]);
    expect(omissionsOf(mcp([picture]), updates)).toEqual([
      { itemId: "m", field: "rawOutput", reason: expect.stringMatching(/\d+ bytes/) },
    ]);
  });

  test("is told as it is where there is", () => {
    const updates = held(itemCompleted(emptyLedger, mcp([image(6 * MiB)]), facts).updates);
    expect(callOf(updates)).toHaveProperty("rawOutput");
    expect(namesOf(updates)).toBeUndefined();
  });

  test("has a stand-in, with its size, for an image over 16 MiB", () => {
    const small = image(3);
    const updates = held(itemCompleted(emptyLedger, mcp([image(18 * MiB), small]), facts).updates);
    expect(blocksOf(updates)).toEqual([
      {
        type: "resource_link",
        name: "image",
        uri: "codex-image:unavailable",
        size: 18 * MiB,
        _meta: { codex: { imageUnavailable: true } },
      },
      small,
    ]);
    expect(namesOf(updates)).toEqual(["content", "rawOutput"]);
  });

  test("has stand-ins for the largest parts until the rest fits", () => {
    const parts = [image(9 * MiB), { type: "text", text: "\n".repeat(9 * MiB) }, image(6 * MiB)];
    const updates = held(itemCompleted(emptyLedger, mcp(parts), facts).updates);
    const [first, second, third] = blocksOf(updates);
    expect(first).toEqual(parts[0]);
    expect(second).toEqual({ type: "text", text: `${"\n".repeat(MiB)}…` });
    expect(third).toEqual(parts[2]);
  });
});

describe("a patch", () => {
  const kind = { type: "add" } as const;
  const big = (code: string, length: number) => ({ path: "/w/big", kind, diff: code.repeat(length) });

  test.each([
    ["longer than a line", big("x", 40 * MiB)],
    ["longer than a line once it is JSON", big("\u0001", 5 * MiB)],
  ])("%s leaves its text out, and says so; its changes stay", (_what, change) => {
    const item = fileChange({ id: "f", changes: [change] });
    const { ledger, updates } = itemStarted(emptyLedger, item, facts);
    for (const frames of [updates, itemCompleted(ledger, { ...item, status: "completed" }, facts).updates]) {
      held(frames);
      expect(callOf(frames)?.content).toEqual([{ type: "diff", changes: [{ operation: "add", path: "/w/big" }] }]);
      expect(namesOf(frames)).toEqual(["patch"]);
    }
  });

  test("that is replaced by another does not go on lacking what that one has", () => {
    const item = fileChange({ id: "f", changes: [big("x", 40 * MiB)] });
    const { ledger } = itemStarted(emptyLedger, item, facts);
    const smaller = patchUpdated(ledger, "f", [big("x", 1)], facts);
    expect(callOf(smaller.updates)?.content).toMatchObject([{ patch: { format: "git_patch" } }]);
    expect(namesOf(smaller.updates)).toBeUndefined();
    const ended = itemCompleted(smaller.ledger, { ...item, changes: [big("x", 1)], status: "completed" }, facts);
    expect(namesOf(ended.updates)).toBeUndefined();
  });

  test("names each change that it cannot say", () => {
    const bad = {
      path: "/w/bad",
      kind: { type: "update", move_path: null } as const,
      diff: "@@ -1 +1 @@\n-a\rb\n+a\n",
    };
    const { updates } = itemCompleted(emptyLedger, fileChange({ id: "f", changes: [bad, big("x", 1)] }), facts);
    expect(held(updates)).toHaveLength(1);
    expect(callOf(updates)?._meta?.codex?.omissions).toEqual([
      { field: "patch", reason: expect.stringContaining("/w/bad") },
    ]);
    expect(callOf(updates)?.content).toMatchObject([{ changes: [{ path: "/w/bad" }, { path: "/w/big" }] }]);
  });
});

describe("a command's output", () => {
  const output = `${"x".repeat(4 * MiB - 1)}😀${"é".repeat(17 * MiB)}`;
  const item = commandExecution({ id: "c", status: "completed", exitCode: 0, aggregatedOutput: output });

  test("longer than a line goes to its terminal in pieces", () => {
    const { ledger } = itemStarted(emptyLedger, { ...item, status: "inProgress", aggregatedOutput: null }, facts);
    for (const known of [emptyLedger, ledger]) {
      const updates = held(itemCompleted(known, item, facts).updates);
      const pieces = updates.flatMap((update): string[] => {
        if (update.sessionUpdate === "terminal_output_chunk") return [update.data];
        return update.sessionUpdate === "terminal_update" && update.output ? [update.output.data] : [];
      });
      expect(pieces.length).toBeGreaterThan(2);
      expect(pieces.map((data) => Buffer.from(data, "base64").toString()).join("") === output).toBe(true);
      const ends = updates.map((update) => update.sessionUpdate === "terminal_update" && update.exitStatus != null);
      expect(ends.indexOf(true)).toBe(pieces.length);
    }
  });

  test("longer than a line is cut where it is text", () => {
    const read = { ...item, commandActions: [{ type: "read", command: "cat a", name: "a", path: "/a" } as const] };
    const updates = held(itemCompleted(emptyLedger, read, facts).updates);
    expect(namesOf(updates)).toEqual(["content"]);
    expect(callOf(updates)?._meta?.codex).toMatchObject({ outputTruncated: true, outputCharacters: output.length });
  });
});

describe("a message", () => {
  test("of several images shows as many as a line holds", () => {
    const blocks = [image(10 * MiB), image(9 * MiB), { type: "text", text: "look" }] as ContentBlock[];
    const shown = fitContent(blocks);
    expect(Buffer.byteLength(JSON.stringify(shown))).toBeLessThan(24 * MiB);
    expect(shown.slice(1)).toEqual(blocks.slice(1));
    expect(shown[0]).toMatchObject({ uri: "codex-image:unavailable", size: 10 * MiB - 1 });
  });

  test("is the same where it fits", () => {
    const blocks = [image(15 * MiB), { type: "text", text: "look" }] as ContentBlock[];
    expect(fitContent(blocks)).toEqual(blocks);
  });
});
