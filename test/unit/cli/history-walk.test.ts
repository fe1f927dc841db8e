import { describe, expect, test } from "vitest";
import { type LocalAgent, RequestFailed } from "../../../src/cli/history/local-agent.js";
import { walk } from "../../../src/cli/history/walk.js";

type Params = { readonly cursor: string | null; readonly limit: number; readonly maxBytes: number };

const tooLarge = () =>
  new RequestFailed({ code: -32600, message: "too large", data: { reason: "history_page_too_large" } });

/** An agent whose pages come from `answer`, and what it was asked. */
function agentOf(answer: (params: Params) => object) {
  const asked: Params[] = [];
  const agent = {
    async request(_descriptor: unknown, params: Params) {
      asked.push(params);
      return answer(params);
    },
  } as unknown as Pick<LocalAgent, "request">;
  return { agent, asked };
}

const options = {
  sessionId: "thread",
  mode: "export",
  items: false,
  native: false,
  signal: new AbortController().signal,
} as const;

const collect = async (agent: Pick<LocalAgent, "request">) => {
  const entries: unknown[] = [];
  for await (const page of walk(agent, options)) entries.push(...page.entries);
  return entries;
};

describe("walk()", () => {
  test("follows the cursor to the end", async () => {
    const { agent, asked } = agentOf(({ cursor }) => ({
      turns: [cursor],
      nextCursor: cursor === null ? "a" : cursor === "a" ? "b" : null,
    }));
    expect(await collect(agent)).toEqual([null, "a", "b"]);
    expect(asked.map(({ limit, maxBytes }) => [limit, maxBytes])).toEqual(Array(3).fill([50, 1024 * 1024]));
  });

  test("halves a page that is too large, and gives one entry the largest budget before it gives up", async () => {
    const { agent, asked } = agentOf(({ cursor, limit, maxBytes }) => {
      if (limit > 20 || (cursor === "big" && maxBytes < 16 * 1024 * 1024)) throw tooLarge();
      return { turns: [cursor], nextCursor: cursor === null ? "big" : cursor === "big" ? "small" : null };
    });
    expect(await collect(agent)).toEqual([null, "big", "small"]);
    expect(asked.map(({ cursor, limit, maxBytes }) => [cursor, limit, maxBytes / 1024])).toEqual([
      [null, 50, 1024],
      [null, 25, 1024],
      [null, 12, 1024],
      ["big", 12, 1024],
      ["big", 6, 1024],
      ["big", 3, 1024],
      ["big", 1, 1024],
      ["big", 1, 16 * 1024],
      ["small", 1, 1024],
    ]);
    const never = agentOf(() => {
      throw tooLarge();
    });
    await expect(collect(never.agent)).rejects.toThrow("too large");
    expect(never.asked.at(-1)).toMatchObject({ limit: 1, maxBytes: 16 * 1024 * 1024 });
  });

  test("asks for longer pages again once enough of the shorter ones fit", async () => {
    const { agent, asked } = agentOf(({ cursor, limit }) => {
      const page = Number(cursor ?? 0);
      if (page === 0 && limit > 10) throw tooLarge();
      return { turns: [page], nextCursor: page === 20 ? null : String(page + 1) };
    });
    expect(await collect(agent)).toHaveLength(21);
    expect(asked.map(({ limit }) => limit)).toEqual([
      50,
      25,
      12,
      ...Array(8).fill(6),
      ...Array(8).fill(12),
      ...Array(5).fill(24),
    ]);
  });

  test("gives up on any other error and on a cycle", async () => {
    const failing = agentOf(() => {
      throw new RequestFailed({ code: -32600, message: "changed", data: { reason: "history_changed" } });
    });
    await expect(collect(failing.agent)).rejects.toMatchObject({ reason: "history_changed" });
    expect(failing.asked).toHaveLength(1);
    const circular = agentOf(({ cursor }) => ({ turns: [], nextCursor: cursor === "a" ? "b" : "a" }));
    await expect(collect(circular.agent)).rejects.toThrow("circles");
    expect(circular.asked.length).toBeLessThan(5);
  });
});
