import type { CallOutcome } from "../codex/connection.js";
import { CodexLostError } from "../codex/errors.js";
import { requests } from "../generated/codex/methods.js";
import type { TurnStartParams, UserInput } from "../generated/codex/types.js";
import { errors } from "../generated/contract/errors.js";
import type { SlashCommandName } from "../generated/contract/tables.js";
import { commandOf } from "../policy/commands/parse.js";
import { implementPrompt } from "../policy/commands/plan.js";
import { reopenParams, whereItIs } from "../policy/providers/places.js";
import type { CommandReceipt, OpenSession } from "../policy/services.js";
import { internalInput } from "../projection/message.js";
import type { Clock } from "../runtime/clock.js";
import { type Catalog, turnOverrides } from "../session/settings.js";
import type { Outcome, SessionEffect } from "../session/turn/events.js";
import type { Prompt } from "../session/turn/state.js";
import type { CodexLink } from "./codex-link.js";

/** Turns what a session asks for into Codex requests and timers, and their ends into events of the session. */
export interface EffectOptions {
  readonly link: CodexLink;
  readonly clock: Clock;
  /** The models of what serves the session, as last read. */
  catalog(session: OpenSession): Catalog;
  /** Brings skills and commands of the session up to date, and keeps its skill roots until the result is called. */
  holdSkills(session: OpenSession): Promise<() => void>;
  /** Holds its roots alone, for a message that goes into a turn which runs already (CACHE-07). */
  holdRoots(session: OpenSession): Promise<() => void>;
  /** What the bridge says to a command by itself. */
  answer(session: OpenSession, command: SlashCommandName): Promise<string>;
  /** Whether the host wants the plan carried out; `signal` takes the question back. */
  askPlan(session: OpenSession, toolCallId: string, signal: AbortSignal): Promise<boolean>;
  /** Keeps what a slash command was to the host, for the time when only Codex's record of its turn is left. */
  keepReceipt(session: OpenSession, receipt: CommandReceipt): void;
  /** Plan mode ends, because its plan is being carried out. */
  leavePlanMode(session: OpenSession): void;
}

export function createEffectRunner(options: EffectOptions) {
  const { link, clock, catalog, holdSkills } = options;
  const timers = new Set<() => void>();
  let stopped = false;
  /** Skill roots held for turns that start, by receipt: until Codex has acknowledged the start (CACHE-05). */
  const held = new Map<string, () => void>();
  /** Open questions about plans. */
  const questions = new WeakMap<OpenSession, AbortController>();
  const release = (receipt: string): void => {
    held.get(receipt)?.();
    held.delete(receipt);
  };

  function run(effect: SessionEffect, session: OpenSession): void {
    const threadId = session.id;
    switch (effect.type) {
      case "update":
      case "ended":
        return;
      case "accept":
        session.answers.get(effect.receipt)?.accept(effect.steered);
        session.answers.delete(effect.receipt);
        return;
      case "reject":
        session.answers
          .get(effect.receipt)
          ?.reject(
            effect.lost
              ? errors.codexLost({ details: effect.message })
              : errors.codexError({ message: effect.message }),
          );
        session.answers.delete(effect.receipt);
        return;
      case "prepare":
        void prepare(effect, session);
        return;
      case "startTurn":
        startTurn(effect.prompt, session);
        return;
      case "answer": {
        const { receipt, command } = effect;
        release(receipt);
        options.answer(session, command).then(
          (value) => session.dispatch({ type: "answered", receipt, outcome: { ok: true, value } }),
          (error: unknown) => session.dispatch({ type: "answered", receipt, outcome: failed(error) }),
        );
        return;
      }
      case "askPlan": {
        const { about, toolCallId } = effect;
        const withdrawn = new AbortController();
        questions.get(session)?.abort();
        questions.set(session, withdrawn);
        void options.askPlan(session, toolCallId, withdrawn.signal).then((implement) => {
          if (implement) options.leavePlanMode(session);
          session.dispatch({ type: "planAnswered", about, implement });
        });
        return;
      }
      case "implementPlan": {
        const { receipt } = effect;
        const input: UserInput[] = [{ type: "text", text: implementPrompt, text_elements: [] }];
        sendTurn(session, receipt, { threadId, input, clientUserMessageId: internalInput(receipt) });
        return;
      }
      case "inputTurn": {
        const { receipt, turnId } = effect;
        options.keepReceipt(session, { threadId, turnId, receipt, content: null });
        return;
      }
      case "steer": {
        void steer(effect, session);
        return;
      }
      case "interrupt": {
        const { turnId, attempt } = effect;
        link.call(requests.turnInterrupt, { threadId, turnId }, (answer) =>
          session.dispatch({ type: "interruptSettled", turnId, attempt, outcome: outcome(answer, () => null) }),
        );
        return;
      }
      case "readStatus": {
        const { about, attempt } = effect;
        link.call(requests.threadRead, { threadId }, (answer) =>
          session.dispatch({
            type: "statusSettled",
            about,
            attempt,
            outcome: outcome(answer, ({ thread }) => thread.status.type),
          }),
        );
        return;
      }
      case "listBackground": {
        const { turnId } = effect;
        link.call(requests.threadBackgroundTerminalsList, { threadId }, (answer) =>
          session.dispatch({ type: "backgroundSettled", turnId, outcome: outcome(answer, ({ data }) => data) }),
        );
        return;
      }
      case "terminate": {
        const { turnId, processId } = effect;
        link.call(requests.threadBackgroundTerminalsTerminate, { threadId, processId }, () =>
          session.dispatch({ type: "terminateSettled", turnId }),
        );
        return;
      }
      case "after": {
        const { timer, about, attempt } = effect;
        // What Codex still said while it ended waits for nothing.
        if (stopped) return;
        const stop = clock.after(effect.ms, () => {
          timers.delete(stop);
          session.dispatch({ type: "timer", timer, about, attempt });
        });
        timers.add(stop);
        return;
      }
      case "withdraw":
        questions.get(session)?.abort();
        session.withdraw();
        return;
    }
  }

  function startTurn(prompt: Prompt, session: OpenSession): void {
    const { receipt, input, action, content } = prompt;
    const threadId = session.id;
    const keep = (turnId: string): void => options.keepReceipt(session, { threadId, turnId, receipt, content });
    switch (action.kind) {
      case "review":
        link.call(requests.reviewStart, { threadId, target: action.target }, (answer) => {
          release(receipt);
          if (answer.ok) keep(answer.result.turn.id);
          session.dispatch({ type: "turnStartSettled", receipt, outcome: outcome(answer, ({ turn }) => turn) });
        });
        return;
      case "compact":
        link.call(requests.threadCompactStart, { threadId }, (answer) => {
          release(receipt);
          // The turn is not named here; its start names it.
          session.dispatch({ type: "turnStartSettled", receipt, outcome: outcome(answer, () => null) });
        });
        return;
      default:
        // Codex stores the task of a `/plan` alone.
        sendTurn(session, receipt, { threadId, input: [...input], clientUserMessageId: receipt }, (turnId) => {
          if (commandOf(content) !== null) keep(turnId);
        });
    }
  }

  /** Its roots first, as Codex looks for skills in what is steered, too (CACHE-07). */
  async function steer(effect: Extract<SessionEffect, { type: "steer" }>, session: OpenSession): Promise<void> {
    const { receipt, input } = effect.prompt;
    const letGo = await options.holdRoots(session);
    const settled = (result: Outcome<string>): void =>
      session.dispatch({ type: "steerSettled", receipt, outcome: result });
    const { steering } = session.state;
    if (steering?.prompt.receipt !== receipt || steering.stopped) {
      // Stopped or closed meanwhile: it never leaves.
      letGo();
      settled({ ok: false, lost: false, message: "The prompt was taken back before it left." });
      return;
    }
    const params = {
      threadId: session.id,
      expectedTurnId: effect.turnId,
      input: [...input],
      clientUserMessageId: receipt,
    };
    link.call(requests.turnSteer, params, (answer) => {
      letGo();
      settled(outcome(answer, ({ turnId }) => turnId));
    });
  }

  /** The settings current at this moment go along, not those when the host asked (K-26). */
  function sendTurn(
    session: OpenSession,
    receipt: string,
    params: TurnStartParams,
    started?: (turnId: string) => void,
  ): void {
    const { settings } = session;
    const sent = settings.wanted;
    const overrides = turnOverrides(settings.held, sent, catalog(session), settings.workspace);
    link.call(requests.turnStart, { ...params, ...overrides }, (answer) => {
      release(receipt);
      if (answer.ok) {
        settings.held = sent;
        started?.(answer.result.turn.id);
      }
      session.dispatch({ type: "turnStartSettled", receipt, outcome: outcome(answer, ({ turn }) => turn) });
    });
  }

  /** Skills first, then a thread that Codex does not hold any more is resumed (CANCEL-06, CANCEL-20). */
  async function prepare(effect: Extract<SessionEffect, { type: "prepare" }>, session: OpenSession): Promise<void> {
    const { receipt } = effect;
    try {
      held.set(receipt, await holdSkills(session));
      if (effect.resume) {
        const { client } = await link.ready();
        await client.threadResume(reopenParams(session, whereItIs(session)));
      }
      session.dispatch({ type: "prepared", receipt, outcome: { ok: true, value: null } });
    } catch (error) {
      session.dispatch({ type: "prepared", receipt, outcome: failed(error) });
    }
    // A turn that was stopped meanwhile is never sent, and so never acknowledged.
    const { turn } = session.state;
    if (turn?.owner !== receipt || turn.stage !== "starting") release(receipt);
  }

  return {
    run,
    stop(): void {
      stopped = true;
      for (const stop of timers) stop();
      timers.clear();
    },
  };
}

function failed(error: unknown): { readonly ok: false; readonly lost: boolean; readonly message: string } {
  const message = error instanceof Error ? error.message : String(error);
  return { ok: false, lost: error instanceof CodexLostError, message };
}

function outcome<Result, Value>(answer: CallOutcome<Result>, value: (result: Result) => Value): Outcome<Value> {
  if (answer.ok) return { ok: true, value: value(answer.result) };
  return { ok: false, lost: answer.error instanceof CodexLostError, message: answer.error.message };
}
