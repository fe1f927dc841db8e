import type { ThreadItem, Turn } from "../../../src/generated/codex/types.js";
import type { NotificationEvent, Outcome, SessionEffect, SessionEvent } from "../../../src/session/turn/events.js";
import { agentMessage, commandExecution, mcpToolCall, plan } from "../../../src/testing/scripted-codex/items.js";
import { turnOf } from "../../../src/testing/scripted-codex/turn.js";

/** What Codex is asked, as the machine says it. */
export type Request = Extract<
  SessionEffect,
  {
    type:
      | "prepare"
      | "startTurn"
      | "implementPlan"
      | "steer"
      | "interrupt"
      | "readStatus"
      | "listBackground"
      | "terminate";
  }
>;

export interface NativeTurn {
  readonly id: string;
  started: boolean;
  readonly open: ThreadItem[];
}

const threadId = "thread";
const refused = (message: string): Outcome<never> => ({ ok: false, lost: false, message });
const ok = <T>(value: T): Outcome<T> => ({ ok: true, value });

/**
 * A Codex that tells the truth about its turns but may answer late or never, lose the end of a turn, say things twice,
 * start turns by itself, keep commands running past their turn, and die. What it sends arrives in order.
 */
export class CodexModel {
  alive = true;
  running: NativeTurn | null = null;
  /** Commands whose process runs: of the running turn and of those before. */
  processes = new Map<
    string,
    { readonly turnId: string; readonly item: Extract<ThreadItem, { type: "commandExecution" }> }
  >();
  /** The prompts that each turn was opened with or took in, by turn. */
  readonly assigned = new Map<string, readonly string[]>();
  /** Sent, and not yet read by the bridge. */
  readonly out: SessionEvent[] = [];
  /** Asked, and not yet looked at. */
  readonly inbox: Request[] = [];
  /** Handled, with the answer kept back. */
  readonly late: SessionEvent[] = [];
  private turns = 0;
  private items = 0;
  private tokens = 0;
  private readonly names: string;

  constructor(names = "T") {
    this.names = names;
  }

  private fresh(): NativeTurn {
    this.turns += 1;
    return { id: `${this.names}${this.turns}`, started: false, open: [] };
  }

  notify(key: NotificationEvent["key"], params: object): void {
    // The pair of key and params is right by construction below.
    this.out.push({ type: "notification", key, params: { threadId, ...params } } as unknown as SessionEvent);
  }

  /** Handles the oldest request. `answer`: now, later, or by refusing where that is true to life. */
  handle(answer: "now" | "late" | "refuse"): void {
    const request = this.inbox.shift();
    if (!request) return;
    const event = this.answerTo(request, answer === "refuse");
    if (answer === "late") this.late.push(event);
    else this.out.push(event);
  }

  answerLate(index: number): void {
    this.out.push(...this.late.splice(index, 1));
  }

  private answerTo(request: Request, refuse: boolean): SessionEvent {
    switch (request.type) {
      case "prepare":
        return { type: "prepared", receipt: request.receipt, outcome: refuse ? refused("no skills") : ok(null) };
      case "startTurn":
      case "implementPlan": {
        const receipt = request.type === "startTurn" ? request.prompt.receipt : request.receipt;
        if (refuse) return { type: "turnStartSettled", receipt, outcome: refused("not now") };
        // A busy thread takes it in as a steer.
        this.running ??= this.fresh();
        this.assigned.set(this.running.id, [...(this.assigned.get(this.running.id) ?? []), receipt]);
        return { type: "turnStartSettled", receipt, outcome: ok<Turn | null>(turnOf(this.running.id)) };
      }
      case "steer": {
        const { receipt } = request.prompt;
        const fits = this.running?.started && this.running.id === request.turnId && !refuse;
        return {
          type: "steerSettled",
          receipt,
          outcome: fits ? ok(request.turnId) : refused("no active turn to steer"),
        };
      }
      case "interrupt": {
        const { turnId, attempt } = request;
        const fits = this.running?.started && this.running.id === turnId && !refuse;
        const settled = { type: "interruptSettled", turnId, attempt } as const;
        if (!fits) return { ...settled, outcome: refused("no active turn to interrupt") };
        this.out.push({ ...settled, outcome: ok(null) });
        this.end("interrupted");
        return this.out.pop() ?? { ...settled, outcome: ok(null) };
      }
      case "readStatus": {
        const { about, attempt } = request;
        const status = refuse && !this.running ? "notLoaded" : this.running ? "active" : "idle";
        return { type: "statusSettled", about, attempt, outcome: ok(status) };
      }
      case "listBackground": {
        const listed = [...this.processes.keys()].map((itemId) => ({ itemId, processId: itemId }));
        return { type: "backgroundSettled", turnId: request.turnId, outcome: refuse ? refused("unknown") : ok(listed) };
      }
      case "terminate":
        this.exit(request.processId);
        return { type: "terminateSettled", turnId: request.turnId };
    }
  }

  /** A process ends, within its turn or long after it. */
  exit(id: string): void {
    const process = this.processes.get(id);
    if (!process) return;
    this.processes.delete(id);
    const item = { ...process.item, status: "failed", exitCode: -1, aggregatedOutput: "" };
    this.notify("itemCompleted", { turnId: process.turnId, item, completedAtMs: 2 });
  }

  start(): void {
    if (!this.running || this.running.started) return;
    this.running.started = true;
    this.notify("turnStarted", { turn: turnOf(this.running.id, { startedAt: 1 }) });
  }

  startForeign(): void {
    if (this.running) return;
    this.running = this.fresh();
    this.start();
  }

  end(status: "completed" | "failed" | "interrupted"): void {
    const { running } = this;
    if (!running) return;
    this.running = null;
    const error = status === "failed" ? { message: "failed", codexErrorInfo: null, additionalDetails: null } : null;
    this.notify("turnCompleted", { turn: turnOf(running.id, { status, error }) });
  }

  item(kind: "command" | "mcp" | "message" | "plan"): void {
    const { running } = this;
    if (!running?.started) return;
    this.items += 1;
    const id = `${kind}-${this.names}${this.items}`;
    const made = {
      command: () => commandExecution({ id }),
      mcp: () => mcpToolCall({ id }),
      message: () => agentMessage({ id, phase: "final_answer" }),
      plan: () => plan({ id, text: "do it" }),
    }[kind]();
    running.open.push(made);
    if (made.type === "commandExecution") this.processes.set(id, { turnId: running.id, item: made });
    this.notify("itemStarted", { turnId: running.id, item: made, startedAtMs: 1 });
  }

  /** Ends the oldest open item that is no command, or says something about it. */
  endItem(): void {
    const { running } = this;
    const index = running?.open.findIndex(({ type }) => type !== "commandExecution") ?? -1;
    const item = running?.open[index];
    if (!running || !item) return;
    running.open.splice(index, 1);
    const ended = "status" in item ? { ...item, status: "completed" } : item;
    this.notify("itemCompleted", { turnId: running.id, item: ended, completedAtMs: 2 });
  }

  delta(): void {
    const [process] = this.processes;
    if (process) {
      this.notify("itemCommandExecutionOutputDelta", { turnId: process[1].turnId, itemId: process[0], delta: "x" });
    }
    const { running } = this;
    if (running?.started) {
      this.notify("itemAgentMessageDelta", { turnId: running.id, itemId: `m-${running.id}`, delta: "x" });
    }
  }

  usage(): void {
    if (!this.running?.started) return;
    this.tokens += 10;
    const counts = {
      totalTokens: this.tokens,
      inputTokens: this.tokens,
      cachedInputTokens: 0,
      outputTokens: 0,
      reasoningOutputTokens: 0,
    };
    const tokenUsage = { total: counts, last: counts, modelContextWindow: 1000 };
    this.notify("threadTokenUsageUpdated", { turnId: this.running.id, tokenUsage });
  }

  error(willRetry: boolean): void {
    if (!this.running?.started) return;
    const error = { message: "Reconnecting", codexErrorInfo: null, additionalDetails: null };
    this.notify("error", { turnId: this.running.id, error, willRetry });
  }

  /** Says the newest frame again, where it is about the turn as a whole. */
  repeat(): void {
    const last = this.out.at(-1);
    if (last?.type === "notification" && !last.key.startsWith("item")) this.out.push(last);
  }

  /** Loses the oldest frame or answer that is on its way. */
  lose(): void {
    this.out.shift();
  }

  /** What was sent and still arrives when it dies; `cut`: nothing. */
  lastWords(cut: boolean): SessionEvent[] {
    const sent = this.out.splice(0);
    return cut ? [] : sent;
  }

  /** It is gone: what was asked and not answered fails. */
  die(): SessionEvent[] {
    const late = this.late.splice(0).map(withLoss);
    const open = this.inbox.splice(0).map((request) => this.lostAnswer(request));
    this.alive = false;
    this.running = null;
    this.processes.clear();
    this.out.length = 0;
    return [...late, ...open];
  }

  lostAnswer(request: Request): SessionEvent {
    return withLoss(this.answerTo(request, true));
  }
}

const lost = { ok: false, lost: true, message: "gone" } as const;

// Every event with an outcome may have this one.
const withLoss = (event: SessionEvent): SessionEvent =>
  "outcome" in event ? ({ ...event, outcome: lost } as SessionEvent) : event;
