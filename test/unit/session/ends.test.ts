import { describe, expect, test } from "vitest";
import type { SessionEvent } from "../../../src/session/turn/events.js";
import { commandExecution, mcpToolCall } from "../../../src/testing/scripted-codex/items.js";
import { clause } from "../../support/clause.js";
import {
  begins,
  completed,
  idles,
  ofType,
  planned,
  play,
  prepared,
  prompted,
  refusal,
  running,
  started,
  startSettled,
  steerRefused,
  timer,
  told,
} from "./play.js";

describe("a command that outlived its turn", () => {
  const outlived = [
    ...running("r1", "T1"),
    begins("T1", commandExecution({ id: "c" })),
    completed("T1"),
    {
      type: "backgroundSettled",
      turnId: "T1",
      outcome: { ok: true, value: [{ itemId: "c", processId: "1" }] },
    } as const,
  ];

  test("goes on when a later turn without a name is stopped", () => {
    const output = told("itemCommandExecutionOutputDelta", { turnId: "T1", itemId: "c", delta: "more" });
    const played = play(...outlived, prompted("r2"), { type: "cancel" }, output);
    expect(played.last).toMatchObject([{ update: { sessionUpdate: "terminal_output_chunk", terminalId: "c" } }]);
  });

  clause(
    ["REC-05", "REC-06"],
    "has an exit status without a code when Codex is gone, before the list forgets it",
    () => {
      const { last } = play(...outlived, { type: "codexLost", reason: "gone" });
      expect(ofType(last, "update").map(({ update }) => update)).toMatchObject([
        { terminalId: "c", exitStatus: { exitCode: null, signal: null }, _meta: { codex: { turnOutcome: "failed" } } },
        { state: "idle", background: [] },
      ]);
    },
  );

  test("says nothing after the close, also when Codex is gone", () => {
    expect(ofType(play(...outlived, { type: "close" }, { type: "codexLost", reason: "gone" }).last, "update")).toEqual(
      [],
    );
  });

  test("is not listed when it has no terminal", () => {
    const action = { type: "read", command: "cat a", name: "a", path: "/w/a" } as const;
    const played = play(
      ...running("r1", "T1"),
      begins("T1", commandExecution({ id: "c", commandActions: [action] })),
      completed("T1"),
      { type: "backgroundSettled", turnId: "T1", outcome: { ok: true, value: [{ itemId: "c", processId: "1" }] } },
    );
    expect(idles(played)).toMatchObject([{ background: [] }]);
  });

  test("is believed to run when Codex does not say", () => {
    const command = begins("T1", commandExecution({ id: "c" }));
    const played = play(...running("r1", "T1"), command, completed("T1"), timer("background", "r1"));
    expect(idles(played)).toMatchObject([{ background: [{ terminalId: "c" }] }]);
  });
});

describe("an end", () => {
  test("settles also the calls of a turn that was taken for another", () => {
    const call = begins("F", mcpToolCall({ id: "m" }));
    const played = play(prompted("r1"), prepared("r1"), call, startSettled("r1", "T1"), completed("T1"));
    expect(played.updates).toContainEqual(
      expect.objectContaining({ toolCallId: "m", status: "completed", _meta: { codex: { reconciled: true } } }),
    );
  });

  test("settles the question about a plan", () => {
    const asked = [...running("r1", "T1"), planned("T1"), completed("T1")];
    for (const end of [{ type: "cancel" }, { type: "codexLost", reason: "gone" }] as const) {
      const played = play(...asked, end);
      expect(played.last).toContainEqual(
        expect.objectContaining({
          update: expect.objectContaining({ toolCallId: "plan-p", _meta: { codex: { reconciled: true } } }),
        }),
      );
    }
    expect(idles(play(...asked, started("F")))).toMatchObject([{ stopReason: "end_turn" }]);
  });

  clause(["CACHE-17"], "of a planning turn closes it for frames of its items, while the plan is asked about", () => {
    const command = commandExecution({ id: "c" });
    const asked = [...running("r1", "T1"), begins("T1", command), planned("T1"), completed("T1")];
    const listed: SessionEvent = { type: "backgroundSettled", turnId: "T1", outcome: { ok: true, value: [] } };
    const late = told("itemCompleted", { turnId: "T1", item: { ...command, status: "completed" }, completedAtMs: 1 });
    expect(play(...asked, listed, late).last).toEqual([]);
  });

  test("is not undone by a refusal that comes late", () => {
    const asked = play(prompted("r1"), prepared("r1"), planned("F"), completed("F"), {
      type: "turnStartSettled",
      receipt: "r1",
      outcome: refusal,
    });
    expect(idles(asked)).toEqual([]);
    expect(asked.state.turn?.stage).toBe("planning");
  });

  test("says running again before a plan is asked about, when it took a question back", () => {
    const played = play(...running("r1", "T1"), { type: "blocked", key: "b" }, planned("T1"), completed("T1"));
    const states = played.updates.flatMap((update) => (update.sessionUpdate === "state_update" ? [update.state] : []));
    expect(states).toEqual(["running", "requires_action", "running", "requires_action"]);
  });

  test("leaves to a plan's turn what still waits for the user", () => {
    const asked = [...running("r1", "T1"), planned("T1"), completed("T1"), { type: "blocked", key: "b" } as const];
    const { last } = play(...asked, { type: "planAnswered", about: "r1", implement: true });
    expect(JSON.stringify(last)).not.toContain("state_update");
  });
});

describe("a prompt for a running turn", () => {
  test("is answered in time whatever Codex does", () => {
    const steered = play(...running("r1", "T1"), prompted("r2"), timer("delivery", "r2"));
    expect(steered.last).toEqual([{ type: "accept", receipt: "r2", steered: null }]);
    const waiting = play(prompted("r1"), prompted("r2"), timer("delivery", "r2"));
    expect(waiting.last).toEqual([{ type: "accept", receipt: "r2", steered: null }]);
  });

  test("is answered when the session closes", () => {
    const { last } = play(...running("r1", "T1"), prompted("r2"), prompted("r3"), { type: "close" });
    expect(ofType(last, "accept").map(({ receipt }) => receipt)).toEqual(["r2", "r3"]);
  });

  test("opens a turn at a new Codex when it was accepted and Codex was lost", () => {
    const played = play(...running("r1", "T1"), prompted("r2"), steerRefused("r2"), {
      type: "codexLost",
      reason: "gone",
    });
    expect(idles(played)).toMatchObject([{ stopReason: "error" }]);
    expect(ofType(played.last, "prepare")).toEqual([{ type: "prepare", receipt: "r2", resume: true }]);
  });
});

test("tokens of an earlier turn that are counted late are not the next turn's", () => {
  const counts = (totalTokens: number) => ({
    totalTokens,
    inputTokens: totalTokens,
    cachedInputTokens: 0,
    outputTokens: 0,
    reasoningOutputTokens: 0,
  });
  const usage = (turnId: string, total: number) =>
    told("threadTokenUsageUpdated", {
      turnId,
      tokenUsage: { total: counts(total), last: counts(total), modelContextWindow: 100 },
    });
  const first = [...running("r1", "T1"), usage("T1", 10), completed("T1"), ...running("r2", "T2"), usage("T1", 30)];
  const played = play(...first, usage("T2", 35), completed("T2"));
  expect(idles(played)).toMatchObject([{ usage: { totalTokens: 10 } }, { usage: { totalTokens: 5 } }]);
});
