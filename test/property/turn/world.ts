import { noTokens } from "../../../src/projection/usage.js";
import type { SessionEffect, SessionEvent, Timer } from "../../../src/session/turn/events.js";
import { transition } from "../../../src/session/turn/machine.js";
import { initialState, type SessionState } from "../../../src/session/turn/state.js";
import { CodexModel } from "./codex-model.js";
import { Watch } from "./watch.js";

interface SetTimer {
  readonly timer: Timer;
  readonly about: string;
  readonly attempt: number;
  readonly due: number;
}

type Action = readonly [name: string, run: () => void];

const reasons = { completed: "end_turn", failed: "error", interrupted: "cancelled" } as const;

/** Reasons of ends that wait to be known for whose they are. */
const parkedReasons = ({ parked }: SessionState): string[] =>
  parked.flatMap(({ key, params }) =>
    key === "turnCompleted" && params.turn.status !== "inProgress" ? [reasons[params.turn.status]] : [],
  );

/** A session's machine between a played host and the model of Codex; `choose` picks what happens next. */
export class World {
  state: SessionState = initialState({ cwd: "/w", usage: noTokens });
  readonly watch = new Watch();
  readonly codex = new CodexModel();
  readonly done: string[] = [];
  private readonly timers: SetTimer[] = [];
  private readonly queue: SessionEvent[] = [];
  private readonly answers = new Map<string, "open" | "accepted" | "rejected">();
  private readonly asks: string[] = [];
  /** Prompts from before the last stop. */
  private takenBack: ReadonlySet<string> = new Set();
  private now = 0;
  private busy = false;
  /** The host stopped the turn that is going on. */
  private stopped = false;

  dispatch(event: SessionEvent): void {
    this.queue.push(event);
    if (this.busy) return;
    this.busy = true;
    for (let next = this.queue.shift(); next; next = this.queue.shift()) this.take(next);
    this.busy = false;
  }

  private take(event: SessionEvent): void {
    if (event.type === "cancel") this.takenBack = new Set(this.answers.keys());
    if (event.type === "cancel" || event.type === "close") this.stopped = this.state.turn !== null;
    const before = this.state;
    const told = event.type === "notification" && event.key === "turnCompleted" ? event.params.turn.status : null;
    const status = before.turn?.completion?.status ?? before.turn?.early?.status ?? told;
    const { state, effects } = transition(before, event);
    this.state = state;
    for (const effect of effects) this.carryOut(effect, event, status, parkedReasons(before));
    if (event.type === "close") this.watch.closed = true;
    if (event.type === "codexLost" && !state.closed && this.watch.openTerminals.length > 0) {
      throw new Error(`a terminal without its Codex goes on: ${this.watch.openTerminals.join(", ")}`);
    }
  }

  private carryOut(effect: SessionEffect, event: SessionEvent, status: string | null, parked: readonly string[]): void {
    switch (effect.type) {
      case "update": {
        const before = this.watch.idles.length;
        this.watch.see(effect.update);
        if (this.watch.idles.length > before) this.ended(event, status, parked);
        return;
      }
      case "accept":
        if (this.answers.get(effect.receipt) === "open") this.answers.set(effect.receipt, "accepted");
        return;
      case "reject":
        if (this.answers.get(effect.receipt) === "open") this.answers.set(effect.receipt, "rejected");
        return;
      case "after":
        this.timers.push({ ...effect, due: this.now + effect.ms });
        return;
      case "askPlan":
        this.asks.push(effect.about);
        return;
      case "withdraw":
        for (const about of this.asks.splice(0)) this.queue.push({ type: "planAnswered", about, implement: false });
        for (const key of this.state.turn?.blocking ?? [])
          if (key !== "plan") this.queue.push({ type: "unblocked", key });
        return;
      case "ended":
        this.stopped = false;
        return;
      case "inputTurn":
        // For the sidecar; Codex is told nothing.
        return;
      case "answer":
        throw new Error("no prompt of this world is a command");
      case "interrupt":
        if (this.state.turn?.id === effect.turnId && !this.stopped) {
          throw new Error(`nobody stopped the turn that is interrupted: ${effect.turnId}`);
        }
        this.ask(effect);
        return;
      case "startTurn":
        if (this.takenBack.has(effect.prompt.receipt)) {
          throw new Error(`${effect.prompt.receipt} was taken back by a stop and is sent all the same`);
        }
        this.ask(effect);
        return;
      default:
        this.ask(effect);
    }
  }

  private ask(effect: CodexModel["inbox"][number]): void {
    if (!this.codex.alive && effect.type === "prepare") this.codex.alive = true;
    if (this.codex.alive) {
      this.codex.inbox.push(effect);
      return;
    }
    this.queue.push(this.codex.lostAnswer(effect));
  }

  /** The reason of an idle must be one that what happened gives. */
  private ended(event: SessionEvent, status: string | null, parked: readonly string[]): void {
    const { stopReason, owner } = this.watch.idles.at(-1) ?? { stopReason: "", owner: null };
    const ending = event.type === "notification" && event.key === "turnCompleted" ? event.params.turn.id : "";
    const assigned = this.codex.assigned.get(ending);
    if (owner !== null && assigned && !assigned.includes(owner)) {
      throw new Error(`the end of ${assigned.join(" and ")} ended ${owner}`);
    }
    const failed = "outcome" in event && event.outcome?.ok === false;
    const superseded = event.type === "notification" && event.key === "turnStarted";
    const allowed =
      status === "completed"
        ? [
            "end_turn",
            ...(event.type === "codexLost" || failed ? ["error"] : []),
            ...(this.stopped ? ["cancelled"] : []),
          ]
        : status === "failed"
          ? ["error"]
          : status === "interrupted" || this.stopped
            ? ["cancelled", ...(event.type === "codexLost" ? ["error"] : [])]
            : event.type === "codexLost" || failed
              ? ["error"]
              : superseded
                ? ["end_turn", "error"]
                : [];
    if (![...allowed, ...parked].includes(stopReason)) {
      throw new Error(`${event.type} after ${status ?? "no end"} must not end the turn as ${stopReason}`);
    }
  }

  prompt(): void {
    const receipt = `r${this.answers.size + 1}`;
    this.answers.set(receipt, "open");
    const content = [{ type: "text" as const, text: receipt }];
    this.dispatch({ type: "prompt", prompt: { receipt, content, input: [], action: { kind: "turn" }, sentAt: null } });
  }

  private fire(): void {
    const due = Math.min(...this.timers.map((timer) => timer.due));
    const index = this.timers.findIndex((timer) => timer.due === due);
    const [timer] = this.timers.splice(index, 1);
    if (!timer) return;
    this.now = Math.max(this.now, timer.due);
    this.dispatch({ type: "timer", timer: timer.timer, about: timer.about, attempt: timer.attempt });
  }

  private die(cut: boolean): void {
    for (const event of this.codex.lastWords(cut)) this.dispatch(event);
    for (const event of this.codex.die()) this.dispatch(event);
    this.dispatch({ type: "codexLost", reason: "Codex ended" });
  }

  /** What can happen now. A name that stands twice is twice as likely. */
  private enabled(): Action[] {
    const { codex, state } = this;
    const list: Action[] = [];
    const add = (name: string, when: boolean, run: () => void): void => void (when && list.push([name, run]));
    const open = !state.closed;
    add("prompt", open, () => this.prompt());
    add("prompt", open && state.turn === null, () => this.prompt());
    add("cancel", open && this.done.length % 3 > 0, () => this.dispatch({ type: "cancel" }));
    add("close", open && this.done.length > 12, () => this.dispatch({ type: "close" }));
    add("block", open && state.turn !== null, () =>
      this.dispatch({ type: "blocked", key: `b${this.done.length % 3}` }),
    );
    for (const key of [...(state.turn?.blocking ?? [])].slice(0, 1)) {
      add("unblock", key !== "plan", () => this.dispatch({ type: "unblocked", key }));
    }
    add("timer", this.timers.length > 0, () => this.fire());
    for (const implement of [true, false]) {
      add(`plan ${implement}`, this.asks.length > 0, () => {
        const about = this.asks.shift();
        if (about !== undefined) this.dispatch({ type: "planAnswered", about, implement });
      });
    }
    if (!codex.alive) return list;
    for (let weight = 0; weight < 4; weight += 1) {
      add("deliver", codex.out.length > 0, () => {
        const event = codex.out.shift();
        if (event) this.dispatch(event);
      });
    }
    const asked = codex.inbox.length > 0;
    for (let weight = 0; weight < 3; weight += 1) add("answer", asked, () => codex.handle("now"));
    add("answer late", asked, () => codex.handle("late"));
    add("refuse", asked, () => codex.handle("refuse"));
    add("late answer", codex.late.length > 0, () => codex.answerLate(this.done.length % codex.late.length));
    const { running } = codex;
    for (let weight = 0; weight < 3; weight += 1) add("start", running?.started === false, () => codex.start());
    add("foreign", running === null, () => codex.startForeign());
    const busy = running?.started === true;
    add("command", busy, () => codex.item("command"));
    add("mcp", busy, () => codex.item("mcp"));
    add("message", busy, () => codex.item("message"));
    add("plan item", busy, () => codex.item("plan"));
    add("end item", busy, () => codex.endItem());
    add("delta", busy || codex.processes.size > 0, () => codex.delta());
    add("usage", busy, () => codex.usage());
    add("retry", busy, () => codex.error(true));
    add("error", busy, () => codex.error(false));
    add("complete", busy, () => codex.end("completed"));
    add("complete", busy, () => codex.end("completed"));
    add("fail", busy, () => codex.end("failed"));
    const [process] = codex.processes.keys();
    add("exit", process !== undefined, () => codex.exit(process ?? ""));
    add("repeat", codex.out.length > 0, () => codex.repeat());
    // Rare enough for turns to get somewhere first.
    const at = this.done.length % 8;
    add("lose", at < 3 && codex.out.length > 0, () => codex.lose());
    add("die", at === 5, () => this.die(false));
    add("die cut", at === 7, () => this.die(true));
    return list;
  }

  step(choice: number): void {
    const actions = this.enabled();
    const action = actions[choice % actions.length];
    if (!action) return;
    this.done.push(action[0]);
    action[1]();
  }

  /** Codex says nothing any more and the host stops: everything that waits must end by time alone. */
  starve(): void {
    this.done.push("starve");
    this.dispatch({ type: "cancel" });
    for (let fired = 0; this.timers.length > 0; fired += 1) {
      if (fired > 1000) throw new Error("timers without end");
      this.fire();
    }
    const { turn } = this.state;
    if (turn && turn.cancellation?.step !== "given-up")
      throw new Error(`the stop of a turn in ${turn.stage} never ends`);
    for (const [receipt, answer] of this.answers) {
      if (answer === "open") throw new Error(`the prompt ${receipt} was never answered`);
    }
    if (!turn && this.watch.active) throw new Error("the host believes that a turn runs");
    if (turn && !this.watch.active && !this.state.closed) throw new Error("the host believes that no turn runs");
  }
}
