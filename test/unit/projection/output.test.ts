import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { outputDelta, planDelta } from "../../../src/projection/deltas.js";
import { itemCompleted, itemStarted } from "../../../src/projection/items.js";
import { emptyLedger, type Ledger } from "../../../src/projection/ledger.js";
import {
  addStreamed,
  base64,
  capText,
  closingSnapshot,
  isShortened,
  nothingStreamed,
  rawOutputLimit,
  type Streamed,
} from "../../../src/projection/output.js";
import type { ItemFacts, Update } from "../../../src/projection/update.js";
import { commandExecution, plan } from "../../../src/testing/scripted-codex/items.js";
import { clause } from "../../support/clause.js";

const facts: ItemFacts = {
  turnId: "t",
  turnStartedAt: null,
  cwd: "/w",
  cancelled: false,
  work: null,
  completedAt: null,
};

describe("capText()", () => {
  clause(["REC-09"], "never parts the two halves of a pair", () => {
    const rows: readonly [string, number, string][] = [
      ["", 3, ""],
      ["abc", 3, "abc"],
      ["abcd", 3, "abc"],
      ["ab😀", 4, "ab😀"],
      ["ab😀b", 4, "ab😀"],
      ["ab😀b", 3, "ab"],
      ["😀😀", 1, ""],
      ["ab\ud83d", 3, "ab\ud83d"],
    ];
    for (const [text, limit, kept] of rows) expect(capText(text, limit), `${text} at ${limit}`).toBe(kept);
  });

  test("keeps all that fits, and well-formed text well-formed", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.nat({ max: 12 }), (text, limit) => {
        const kept = capText(text, limit);
        expect(text.startsWith(kept)).toBe(true);
        expect(Buffer.from(kept).toString()).toBe(kept);
        expect(kept.length).toBeLessThanOrEqual(limit);
        expect(kept.length).toBeGreaterThanOrEqual(Math.min(text.length, limit - 1));
      }),
    );
  });
});

test("base64() is that of the UTF-8, short or long", () => {
  for (const text of ["", "a", "é😀", "é".repeat(5461), "é".repeat(5462), "😀".repeat(20_000)]) {
    expect(Buffer.from(base64(text), "base64").toString()).toBe(text);
  }
});

describe("a command's raw output", () => {
  const rawOf = (output: string, actions = commandExecution({ id: "c" }).commandActions) => {
    const item = commandExecution({ id: "c", status: "completed", exitCode: 0, commandActions: actions });
    const { updates } = itemCompleted(emptyLedger, { ...item, aggregatedOutput: output }, facts);
    const call = updates.findLast((update) => update.sessionUpdate === "tool_call_update");
    return { output: Object(call?.rawOutput).output, meta: call?._meta?.codex, content: call?.content };
  };

  clause(["REC-08", "REC-09", "REC-10"], "is cut where it is over the cap, not where it ends there", () => {
    const letters = "x".repeat(rawOutputLimit - 2);
    expect(rawOf(`${letters}😀`)).toMatchObject({ output: `${letters}😀`, meta: undefined });
    expect(rawOf(`${letters}x😀b`)).toMatchObject({
      output: `${letters}x`,
      meta: { outputTruncated: true, outputCharacters: rawOutputLimit + 2, terminalId: "c" },
    });
    const read = [{ type: "read", command: "cat a", name: "a", path: "/a" } as const];
    expect(rawOf(`${letters}x😀b`, read)).toEqual({
      output: `${letters}x`,
      meta: { outputTruncated: true, outputCharacters: rawOutputLimit + 2 },
      content: [{ type: "content", content: { type: "text", text: `${letters}x😀b` } }],
    });
  });
});

describe("the end of what was streamed", () => {
  const marker = "\n... 551424 bytes omitted ...\n";
  function streamed(...pieces: string[]): Streamed {
    const remembered = nothingStreamed(true);
    for (const piece of pieces) addStreamed(remembered, piece);
    return remembered;
  }
  const halves = (half: string): string => `${half}${marker}${half}`;

  test("is told again only where it differs", () => {
    expect(closingSnapshot(streamed("one\n"), "one\n")).toBeNull();
    expect(closingSnapshot(streamed("one\n"), null)).toBeNull();
    expect(closingSnapshot(streamed(""), "one\n")).toBe("one\n");
    expect(closingSnapshot(streamed("on"), "one\n")).toBe("one\n");
    expect(closingSnapshot(streamed("gr\ufffd\ufffdn\n"), "grün\n")).toBe("grün\n");
    expect(closingSnapshot(streamed("one\r"), "one\n")).toBe("one\n");
    // Too long to be remembered: longer than all that Codex keeps.
    expect(closingSnapshot(streamed("y".repeat(3 * 1024 * 1024)), "one\n")).toBeNull();
  });

  test("is told where a character came in two halves, of which the host has two broken ones", () => {
    expect(closingSnapshot(streamed("a\ud83d", "\ude00b"), "a😀b")).toBe("a😀b");
  });

  test("is found out however many pieces there were, each of which is given whole", () => {
    const pieces = Array.from({ length: 3000 }, (_, index) => `${index} grün 語 😀\n`);
    const remembered = nothingStreamed(true);
    for (const piece of pieces) {
      expect(Buffer.from(addStreamed(remembered, piece), "base64").toString()).toBe(piece);
    }
    expect(closingSnapshot(remembered, pieces.join(""))).toBeNull();
    expect(closingSnapshot(remembered, pieces.slice(1).join(""))).toBe(pieces.slice(1).join(""));
  });

  test("is given in whole pieces also where the whole is too long to be remembered", () => {
    const remembered = nothingStreamed(true);
    const piece = `${"x".repeat(1024 * 1024)}é`;
    for (let round = 0; round < 6; round++) {
      expect(Buffer.from(addStreamed(remembered, piece), "base64").toString() === piece, String(round)).toBe(true);
    }
    expect(closingSnapshot(remembered, "other")).toBeNull();
  });

  test("is not told where Codex left the middle out of it, in whatever script", () => {
    for (const letter of ["y", "ü", "語", "😀"]) {
      const aggregated = halves(letter.repeat(524_288 / Buffer.byteLength(letter) + 1));
      expect(isShortened(aggregated), letter).toBe(true);
      const whole = letter.repeat(aggregated.length + 1);
      expect(closingSnapshot(streamed(whole), aggregated) === null).toBe(true);
      // Of the little that was streamed, both halves are more.
      expect(closingSnapshot(streamed(letter), aggregated) === aggregated).toBe(true);
    }
  });

  test("is whole where a command prints the same words as Codex does", () => {
    expect(isShortened(halves("y".repeat(100)))).toBe(false);
    expect(isShortened("y".repeat(2 * 1024 * 1024))).toBe(false);
  });
});

/** The bytes of all frames, one after the other, as `pieces` come in. */
function bytesOf(
  start: Ledger,
  pieces: number,
  told: (ledger: Ledger) => { ledger: Ledger; updates: readonly Update[] },
) {
  let ledger = start;
  let bytes = 0;
  for (let piece = 0; piece < pieces; piece += 1) {
    const next = told(ledger);
    ledger = next.ledger;
    bytes += Buffer.byteLength(JSON.stringify(next.updates));
  }
  return { ledger, bytes };
}

describe("a stream of 10,000 pieces (K-16)", () => {
  const piece = "x".repeat(1024);

  test.each([
    ["a plain command", "unknown"],
    ["a search", "search"],
  ] as const)("of %s costs bytes once", (_what, type) => {
    const commandActions =
      type === "search" ? [{ type, command: "rg x", query: "x", path: null }] : [{ type, command: "make" }];
    const item = commandExecution({ id: "c", commandActions });
    const { ledger } = itemStarted(emptyLedger, item, facts);
    const { bytes } = bytesOf(ledger, 10_000, (at) => ({ ledger: at, updates: outputDelta(at, "c", piece) }));
    expect(bytes).toBeLessThan(type === "search" ? 30_000 : 10_000 * 1024 * 1.5);
  });

  test("of a plan's draft costs its length a few times over", () => {
    const { ledger } = itemStarted(emptyLedger, plan({ id: "p" }), facts);
    const { bytes } = bytesOf(ledger, 10_000, (at) => planDelta(at, "p", "- a step\n"));
    expect(bytes).toBeLessThan(4 * 10_000 * "- a step\n".length);
  });
});
