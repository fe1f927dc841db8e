import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  beginSwitch,
  type SwitchAsk,
  type SwitchEffect,
  type SwitchEvent,
  type SwitchSession,
  type SwitchState,
  switchStep,
} from "../../../src/session/routing/switch.js";

type Ask = Extract<SwitchEffect, { type: "ask" }>;
type End = Exclude<SwitchEffect, Ask>;

/** A thread at Codex. Requests about one are carried out in order, whenever that is. */
interface Thread {
  at: "old" | "new" | "nowhere";
  subscribed: boolean;
  stored: boolean;
  readonly waiting: Ask[];
}

/** What happens next: to which request, and what becomes of it. */
interface Choice {
  readonly which: number;
  readonly how: "carryOut" | "refuse" | "answer" | "overdue" | "turn" | "lose";
}

const choices: fc.Arbitrary<Choice> = fc.record({
  which: fc.nat(9),
  how: fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom("carryOut" as const, "answer" as const) },
    { weight: 2, arbitrary: fc.constantFrom("refuse" as const, "overdue" as const) },
    { weight: 1, arbitrary: fc.constantFrom("turn" as const, "lose" as const) },
  ),
});

const sessions = fc.array(
  fc.record({ stored: fc.boolean(), whenEmpty: fc.constantFrom("refuse" as const, "materialise" as const) }),
  { minLength: 1, maxLength: 4 },
);

/** One switch before a Codex that does with its requests what `script` says, and in the end answers every one. */
class World {
  readonly threads = new Map<string, Thread>();
  readonly asked: Ask[] = [];
  readonly ends: End[] = [];
  /** Carried out, but not answered yet: by call. */
  readonly answers = new Map<number, SwitchEvent>();
  readonly told = new Set<number>();
  lost = false;
  state: SwitchState;

  constructor(given: readonly { readonly stored: boolean; readonly whenEmpty: SwitchSession["whenEmpty"] }[]) {
    const list = given.map(({ whenEmpty }, n) => ({ id: `s${n}`, whenEmpty }));
    for (const [n, { stored }] of given.entries()) {
      this.threads.set(`s${n}`, { at: "old", subscribed: true, stored, waiting: [] });
    }
    const first = beginSwitch(list);
    this.state = first.state;
    this.#take(first.effects);
  }

  get current(): Ask | undefined {
    return this.asked.at(-1);
  }

  #take(effects: readonly SwitchEffect[]): void {
    for (const effect of effects) {
      if (effect.type !== "ask") {
        this.ends.push(effect);
        continue;
      }
      expect(this.ends, "nothing is asked after the end").toEqual([]);
      this.asked.push(effect);
      this.threads.get(effect.session)?.waiting.push(effect);
    }
  }

  tell(event: SwitchEvent): void {
    if (event.type === "answered" || event.type === "failed") this.told.add(event.call);
    const next = switchStep(this.state, event);
    this.state = next.state;
    this.#take(next.effects);
  }

  /** Codex gets to the oldest request of a thread. */
  carryOut(thread: Thread, refuse: boolean): void {
    const ask = thread.waiting.shift();
    if (!ask) return;
    const { call, session } = ask;
    const failed: SwitchEvent = { type: "failed", call, failure: { type: "refused", session, message: "no" } };
    if (refuse) {
      this.answers.set(call, failed);
      return;
    }
    const opens = (at: "old" | "new"): boolean => {
      if (!thread.stored) return false;
      // One that is still subscribed is joined where it is.
      if (!thread.subscribed) thread.at = at;
      thread.subscribed = true;
      return true;
    };
    const does: Record<SwitchAsk, () => boolean> = {
      check: () => true,
      materialise: () => {
        thread.stored = true;
        return true;
      },
      leave: () => {
        thread.subscribed = false;
        return true;
      },
      restoreLeave: () => {
        thread.subscribed = false;
        return true;
      },
      open: () => opens("new"),
      restoreOpen: () => opens("old"),
    };
    const fine = does[ask.ask]();
    this.answers.set(call, fine ? { type: "answered", call, empty: ask.ask === "check" && !thread.stored } : failed);
  }

  apply({ which, how }: Choice): void {
    const busy = [...this.threads.values()].filter(({ waiting }) => waiting.length > 0);
    const thread = busy[which % Math.max(1, busy.length)];
    const { current } = this;
    switch (how) {
      case "carryOut":
      case "refuse":
        if (thread) this.carryOut(thread, how === "refuse");
        return;
      case "answer": {
        const [call, event] = [...this.answers][which % Math.max(1, this.answers.size)] ?? [];
        if (call === undefined || !event) return;
        this.answers.delete(call);
        this.tell(event);
        return;
      }
      case "overdue":
        if (current) this.tell({ type: "overdue", call: current.call });
        return;
      case "turn":
        // Found before the request is sent: Codex never gets it.
        if (current?.ask !== "leave" || this.answers.has(current.call) || this.told.has(current.call)) return;
        if (!this.threads.get(current.session)?.waiting.includes(current)) return;
        this.threads.get(current.session)?.waiting.pop();
        this.tell({
          type: "failed",
          call: current.call,
          failure: { type: "turn", session: current.session },
          untouched: true,
        });
        return;
      case "lose":
        this.lost = true;
        for (const it of this.threads.values()) it.waiting.length = 0;
        this.answers.clear();
        this.tell({ type: "lost", message: "gone" });
    }
  }

  /** Codex does all that is still to do, and answers. */
  drain(): void {
    for (let rounds = 0; rounds < 200; rounds += 1) {
      for (const thread of this.threads.values()) while (thread.waiting.length > 0) this.carryOut(thread, false);
      const [next] = this.answers;
      if (!next) return;
      this.answers.delete(next[0]);
      this.tell(next[1]);
    }
    throw new Error("the switch does not end");
  }
}

describe("the switch, whatever Codex does", () => {
  test("ends once, and each session is where it shall be or named as uncertain", () => {
    fc.assert(
      fc.property(sessions, fc.array(choices, { maxLength: 60 }), (given, script) => {
        const world = new World(given);
        for (const choice of script) {
          world.apply(choice);
          if (world.lost) break;
        }
        if (!world.lost) world.drain();
        expect(world.ends).toHaveLength(1);
        const [end] = world.ends;
        const kinds = world.asked.map(({ ask }) => ask);
        const firstLeave = kinds.indexOf("leave");
        if (firstLeave >= 0) {
          expect(kinds.slice(firstLeave)).not.toContain("check");
          expect(kinds.slice(firstLeave)).not.toContain("materialise");
        }
        const left = world.asked.filter(({ ask }) => ask === "leave").map(({ session }) => session);
        if (end?.type === "commit") {
          expect(left).toEqual([...world.threads.keys()]);
          for (const thread of world.threads.values()) expect(thread).toMatchObject({ at: "new", subscribed: true });
          return;
        }
        if (end?.type !== "abort") throw new Error("it has no end");
        expect(left).toEqual(expect.arrayContaining([...end.attempted]));
        expect(end.attempted).toEqual(expect.arrayContaining([...end.stale]));
        if (world.lost) return;
        for (const id of end.attempted) {
          const back = world.asked.filter(({ session }) => session === id).map(({ ask }) => ask);
          expect(back.slice(-2)).toEqual(["restoreLeave", "restoreOpen"]);
        }
        for (const [id, thread] of world.threads) {
          // What is still to come changes nothing for a session that is called certain.
          if (!end.stale.includes(id)) expect([id, thread.at, thread.subscribed]).toEqual([id, "old", true]);
        }
      }),
      { numRuns: 3000 },
    );
  });

  test("a switch without a failure is committed", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 6 }), (count) => {
        const world = new World(Array.from({ length: count }, () => ({ stored: true, whenEmpty: "refuse" as const })));
        world.drain();
        expect(world.ends).toEqual([{ type: "commit" }]);
      }),
    );
  });

  test("a refusal at any step of any session puts back exactly those that were tried", () => {
    const count = 3;
    const plain = Array.from({ length: count }, () => ({ stored: true, whenEmpty: "refuse" as const }));
    const steps = 3 * count;
    for (let failing = 0; failing < steps; failing += 1) {
      const world = new World(plain);
      for (let n = 0; world.ends.length === 0; n += 1) {
        const { current } = world;
        const thread = current && world.threads.get(current.session);
        if (!current || !thread) throw new Error("nothing is asked");
        world.carryOut(thread, n === failing);
        const event = world.answers.get(current.call);
        world.answers.clear();
        if (event) world.tell(event);
      }
      const [end] = world.ends;
      if (end?.type !== "abort") throw new Error("it was not aborted");
      const tried = failing < count ? 0 : Math.floor((failing - count) / 2) + 1;
      expect([failing, end.attempted]).toEqual([failing, ["s0", "s1", "s2"].slice(0, tried)]);
      expect([failing, end.stale]).toEqual([failing, []]);
      for (const thread of world.threads.values()) expect(thread).toMatchObject({ at: "old", subscribed: true });
    }
  });
});
