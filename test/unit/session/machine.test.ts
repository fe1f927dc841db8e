import { describe, expect, test } from "vitest";
import type { SessionEvent } from "../../../src/session/turn/events.js";
import { transition } from "../../../src/session/turn/machine.js";
import { commandExecution } from "../../../src/testing/scripted-codex/items.js";
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
  status,
  steerRefused,
  timer,
  told,
} from "./play.js";

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

describe("an end that is told before Codex answered the start", () => {
  const early = [prompted("r1"), prepared("r1"), started("F"), completed("F")];

  test("is the turn's own when the answer names it", () => {
    const played = play(...early, startSettled("r1", "F"));
    expect(idles(play(...early))).toEqual([]);
    expect(idles(played)).toMatchObject([{ stopReason: "end_turn", _meta: { alwith: { messageId: "r1" } } }]);
  });

  test("is another's when the answer, or a start, names another", () => {
    for (const later of [startSettled("r1", "T1"), started("T1")]) {
      const played = play(...early, later);
      expect(idles(played)).toEqual([]);
      expect(played.state.turn).toMatchObject({ owner: "r1", id: "T1" });
    }
  });

  test("counts after 3 s without an answer; what is named later is interrupted", () => {
    const played = play(...early, timer("start", "r1"), startSettled("r1", "T1"));
    expect(idles(played)).toMatchObject([{ stopReason: "end_turn" }]);
    expect(played.last).toMatchObject([{ type: "interrupt", turnId: "T1" }]);
  });

  test("counts when the host stops or closes, and when Codex is gone", () => {
    for (const end of [{ type: "cancel" }, { type: "close" }, { type: "codexLost", reason: "gone" }] as const) {
      expect(idles(play(...early, end))).toMatchObject([{ stopReason: "end_turn" }]);
    }
  });
});

test("a plan is not asked about when Codex, which would carry it out, is gone", () => {
  const command = begins("T1", commandExecution({ id: "c" }));
  const ending = [...running("r1", "T1"), command, planned("T1"), completed("T1")];
  const played = play(...ending, { type: "codexLost", reason: "gone" });
  expect(ofType(played.effects, "askPlan")).toEqual([]);
  expect(idles(played)).toMatchObject([{ stopReason: "end_turn" }]);
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
