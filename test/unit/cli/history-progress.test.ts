import { describe, expect, test } from "vitest";
import { progress, shareOf } from "../../../src/cli/history/progress.js";
import type { WalkedPage } from "../../../src/cli/history/walk.js";

const page = (startedAt: number | null, complete = false): WalkedPage =>
  ({
    head: { createdAt: 100, updatedAt: 300, complete },
    entries: [{ turnId: "t", startedAt }],
  }) as unknown as WalkedPage;

function shown(isTTY: boolean, ...steps: readonly [WalkedPage, number][]): string {
  let text = "";
  const stream = {
    isTTY,
    write(piece: string) {
      text += piece;
      return true;
    },
  };
  const show = progress(stream as unknown as NodeJS.WriteStream, "turn");
  for (const [one, count] of steps) show.page(one, count);
  show.broken();
  return text;
}

describe("progress()", () => {
  test("is a line for each page where there is no terminal", () => {
    expect(shown(false, [page(150), 1], [page(300, true), 60])).toBe("1 turn\n60 turns, complete\n");
  });

  test("is one bar that grows on a terminal", () => {
    const lines = shown(true, [page(200), 50], [page(300, true), 60]).split("\r\u001b[K");
    expect(lines).toEqual([
      "",
      `[${"#".repeat(15)}${" ".repeat(15)}]  50 % 50 turns`,
      `[${"#".repeat(30)}] 100 % 60 turns, complete\n`,
    ]);
  });

  test("leaves the line when the walk breaks off", () => {
    expect(shown(true, [page(200), 50])).toMatch(/50 turns\n$/);
  });
});

describe("shareOf()", () => {
  test.each([
    { startedAt: 100, share: 0 },
    { startedAt: 250, share: 0.75 },
    { startedAt: 400, share: 1 },
    { startedAt: null, share: 0 },
  ])("a turn at $startedAt is at $share", ({ startedAt, share }) => {
    expect(shareOf(page(startedAt))).toBe(share);
  });
});
