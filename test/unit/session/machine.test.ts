import { describe, expect, test } from "vitest";
import type { SessionEvent } from "../../../src/session/turn/events.js";
import { transition } from "../../../src/session/turn/machine.js";
import { commandExecution, mcpToolCall, plan } from "../../../src/testing/scripted-codex/items.js";
import { clause } from "../../support/clause.js";
import {
  completed,
  idles,
  ofType,
  play,
  prepared,
  prompted,
  refusal,
  running,
  started,
  startSettled,
  steerRefused,
  told,
} from "./play.js";

const begins = (turnId: string, item: ReturnType<typeof commandExecution | typeof mcpToolCall>): SessionEvent =>
  told("itemStarted", { turnId, item, startedAtMs: 1 });

const planned = (turnId: string): SessionEvent =>
  told("itemCompleted", { turnId, item: plan({ id: "p", text: "do it" }), completedAtMs: 1 });

const timer = (
  name: "completion" | "status" | "background" | "delivery",
  about: string,
  attempt = 1,
): SessionEvent => ({
  type: "timer",
  timer: name,
  about,
  attempt,
});

const status = (about: string, value: "idle" | "notLoaded" | "active", attempt = 1): SessionEvent => ({
  type: "statusSettled",
  about,
  attempt,
  outcome: { ok: true, value },
});

/** r1 was stopped before Codex named its turn, and Codex says that the thread is idle. */
const givenUpUnnamed = [
  prompted("r1"),
  prepared("r1"),
  { type: "cancel" } as const,
  timer("completion", "r1"),
  status("r1", "idle"),
];

describe("a delta", () => {
  test("costs one update and leaves the state as it is, however long the turn", () => {
    const { state } = play(...running("r1", "T1"));
    const delta = told("itemAgentMessageDelta", { turnId: "T1", itemId: "m", delta: "x" });
    const step = transition(state, delta);
    expect(step.state).toBe(state);
    expect(step.effects).toHaveLength(1);
  });
});

describe("late frames of a turn that was given up", () => {
  test("do not name the turn that is starting, whichever answer comes first", () => {
    const before = [...givenUpUnnamed, prompted("r2"), prepared("r2"), started("T1")];
    const first = play(...before, startSettled("r1", "T1"), startSettled("r2", "T2"), started("T2"));
    expect(first.state.turn).toMatchObject({ owner: "r2", id: "T2", started: true });
    const second = play(...before, startSettled("r2", "T2"), started("T2"), startSettled("r1", "T1"));
    expect(second.state.turn).toMatchObject({ owner: "r2", id: "T2", started: true });
    expect(ofType(second.effects, "interrupt").map(({ turnId }) => turnId)).toContain("T1");
  });

  test("do not end the turn that is starting", () => {
    const played = play(...givenUpUnnamed, startSettled("r1", "T1"), prompted("r2"), prepared("r2"), completed("T1"));
    expect(played.state.turn?.owner).toBe("r2");
    expect(idles(played)).toHaveLength(1);
  });

  test("do not end it either once their interrupt was answered", () => {
    const stopped = [
      ...givenUpUnnamed,
      startSettled("r1", "T1"),
      { type: "interruptSettled", turnId: "T1", attempt: 1, outcome: { ok: true, value: null } } as const,
    ];
    const played = play(...stopped, prompted("r2"), prepared("r2"), completed("T1", "interrupted"));
    expect(played.state.turn?.owner).toBe("r2");
    expect(idles(played)).toHaveLength(1);
  });

  clause(["CACHE-17"], "are dropped while the next turn has no name yet", () => {
    const late = told("itemAgentMessageDelta", { turnId: "T1", itemId: "m", delta: "x" });
    for (const named of [[startSettled("r1", "T1")], []]) {
      const played = play(...givenUpUnnamed, ...named, prompted("r2"), prepared("r2"), late);
      expect(played.last).toEqual([]);
    }
    const ended = play(...running("r1", "T1"), completed("T1"), prompted("r2"), prepared("r2"), late);
    expect(ended.last).toEqual([]);
  });

  test("wait for its name, and are then the new turn's own", () => {
    const played = play(...givenUpUnnamed, prompted("r2"), prepared("r2"), started("T2"), startSettled("r2", "T2"));
    expect(played.state.turn).toMatchObject({ id: "T2", started: true });
    expect(played.state.parked).toEqual([]);
  });

  test("are the new turn's when Codex merged it into the old one", () => {
    const played = play(
      ...running("r1", "T1"),
      { type: "cancel" },
      timer("completion", "r1"),
      status("r1", "idle"),
      prompted("r2"),
      prepared("r2"),
      startSettled("r2", "T1"),
      completed("T1", "interrupted"),
    );
    expect(idles(played)).toHaveLength(2);
    expect(played.state.turn).toBeNull();
  });
});

describe("a turn that Codex starts by itself", () => {
  test("while a prompt is being prepared takes the prompt in", () => {
    const played = play(prompted("r1"), started("F"), prepared("r1"));
    expect(ofType(played.effects, "steer").map(({ prompt, turnId }) => [prompt.receipt, turnId])).toEqual([
      ["r1", "F"],
    ]);
    expect(ofType(played.effects, "startTurn")).toEqual([]);
  });

  test("while a turn runs whose end was lost ends that one, and takes in what waited for it", () => {
    const waiting = [prompted("r2"), steerRefused("r2"), prompted("r3"), steerRefused("r3")];
    const played = play(...running("r1", "T1"), ...waiting, started("F"));
    expect(idles(played)).toMatchObject([{ stopReason: "end_turn", _meta: { alwith: { messageId: "r1" } } }]);
    expect(ofType(played.last, "steer")).toMatchObject([{ turnId: "F", prompt: { receipt: "r2" } }]);
    expect(played.state.turn).toMatchObject({ owner: null, id: "F" });
  });
});

describe("a stop", () => {
  test("takes back a prompt whose steer is refused afterwards", () => {
    const played = play(
      ...running("r1", "T1"),
      prompted("r2"),
      { type: "cancel" },
      steerRefused("r2"),
      completed("T1", "interrupted"),
    );
    expect(played.state.turn).toBeNull();
    expect(ofType(played.effects, "accept").map(({ receipt }) => receipt)).toEqual(["r1", "r2"]);
  });

  test("takes it back also when no turn runs any more", () => {
    const played = play(
      ...running("r1", "T1"),
      prompted("r2"),
      completed("T1"),
      { type: "cancel" },
      steerRefused("r2"),
    );
    expect(played.state.turn).toBeNull();
  });

  test("makes a refused start a cancelled turn, not a failed one", () => {
    const refused: SessionEvent = { type: "turnStartSettled", receipt: "r1", outcome: refusal };
    const played = play(prompted("r1"), prepared("r1"), { type: "cancel" }, refused);
    expect(idles(played)).toMatchObject([{ stopReason: "cancelled" }]);
  });

  test("while the end of a planning turn is prepared keeps the plan from being asked about", () => {
    const command = begins("T1", commandExecution({ id: "c" }));
    const before = [...running("r1", "T1"), command, planned("T1"), completed("T1")];
    const played = play(...before, { type: "cancel" }, timer("background", "r1"));
    expect(ofType(played.effects, "askPlan")).toEqual([]);
    expect(idles(played)).toHaveLength(1);
  });

  test("interrupts a turn whose start was not reported, on its second try", () => {
    const played = play(
      prompted("r1"),
      prepared("r1"),
      startSettled("r1", "T1"),
      { type: "cancel" },
      timer("completion", "r1"),
      status("r1", "active"),
    );
    expect(ofType(played.effects, "interrupt")).toMatchObject([{ turnId: "T1", attempt: 2 }]);
  });

  test("gives nothing up because of the loss of Codex, which says more", () => {
    const lost: SessionEvent = {
      type: "statusSettled",
      about: "r1",
      attempt: 1,
      outcome: { ok: false, lost: true, message: "gone" },
    };
    const played = play(...running("r1", "T1"), { type: "cancel" }, timer("completion", "r1"), lost);
    expect(played.last).toEqual([]);
  });
});

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

  test("is not undone by a refusal that comes late", () => {
    const asked = play(prompted("r1"), prepared("r1"), planned("F"), completed("F"), {
      type: "turnStartSettled",
      receipt: "r1",
      outcome: refusal,
    });
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
