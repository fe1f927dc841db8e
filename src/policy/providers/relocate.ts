import { errors } from "../../generated/contract/errors.js";
import type { ContractError } from "../../runtime/index.js";
import {
  beginSwitch,
  type SwitchAsk,
  type SwitchEffect,
  type SwitchEvent,
  type SwitchFailure,
  type SwitchState,
  switchStep,
} from "../../session/routing/switch.js";
import type { OpenedThread } from "../open/opened.js";
import type { OpenSession, Services } from "../services.js";
import { hasHistory, isBusy } from "./checks.js";
import { reopenParams, whereItIs } from "./places.js";
import { settle, settleBack, tellStale } from "./settle.js";
import type { Target } from "./target.js";

/** How long Codex has for each step, in ms. A thread may have to be read, and its servers started. */
const stepMs = 20_000;

/** A session that is to be opened elsewhere, or anew where it is. */
export interface Relocation {
  readonly session: OpenSession;
  readonly target: Target;
  readonly whenEmpty: "refuse" | "materialise";
}

/** The note that gives an empty thread a history; the model sees it and nobody else (CAT-13). */
const note = {
  type: "message",
  role: "developer",
  content: [{ type: "input_text", text: "The model provider of this session was changed." }],
};

type Opened = OpenedThread & { readonly collaborationMode?: { readonly mode: "default" | "plan" } | null };

/**
 * Moves sessions together: all of them, or none. `commit` runs once all are where they shall be, before anything of it
 * is told. The caller holds the admission of the sessions.
 *
 * @throws {ContractError} Why it failed, with what was tried and what is uncertain (ROUTE-12, ROUTE-17).
 */
export function relocate(services: Services, relocations: readonly Relocation[], commit: () => void): Promise<void> {
  const byId = new Map(relocations.map((relocation) => [relocation.session.id, relocation]));
  const opened = new Map<string, Opened>();
  const restored = new Map<string, Opened>();
  const { clock, codex } = services;
  const { lost } = codex;

  return new Promise((resolve, reject) => {
    let state: SwitchState;
    const timers = new Set<() => void>();
    const onLost = (): void =>
      take({ type: "lost", message: lost.reason instanceof Error ? lost.reason.message : "Codex is gone" });

    const over = (): void => {
      for (const stop of timers) stop();
      lost.removeEventListener("abort", onLost);
      for (const { session } of relocations) session.place.moving = false;
    };

    const carryOut = (effect: SwitchEffect): void => {
      switch (effect.type) {
        case "ask":
          put(effect);
          return;
        case "commit":
          over();
          for (const [id, response] of opened) {
            const relocation = byId.get(id);
            if (relocation) settle(relocation.session, relocation.target, response);
          }
          commit();
          resolve();
          return;
        case "abort":
          over();
          for (const [id, response] of restored) {
            const relocation = byId.get(id);
            if (relocation) settleBack(relocation.session, response);
          }
          for (const id of effect.stale) {
            const relocation = byId.get(id);
            if (relocation) tellStale(services, relocation.session, relocation.target.gateway?.id ?? null);
          }
          reject(errorOf(services, effect));
      }
    };

    const take = (event: SwitchEvent): void => {
      const next = switchStep(state, event);
      state = next.state;
      for (const effect of next.effects) carryOut(effect);
    };

    const put = ({ call, ask, session: id }: Extract<SwitchEffect, { type: "ask" }>): void => {
      const relocation = byId.get(id);
      if (!relocation) throw new Error(`no session ${id} is being moved`);
      if ((ask === "check" || ask === "leave") && isBusy(services, relocation.session)) {
        take({ type: "failed", call, failure: { type: "turn", session: id }, untouched: true });
        return;
      }
      const stop = clock.after(stepMs, () => {
        timers.delete(stop);
        take({ type: "overdue", call });
      });
      timers.add(stop);
      const done = (event: SwitchEvent): void => {
        stop();
        timers.delete(stop);
        // Calls are settled before the loss is told: it is that, and no refusal.
        if (lost.aborted) onLost();
        else take(event);
      };
      send(services, relocation, ask).then(
        ({ empty, response }) => {
          if (response) (ask === "open" ? opened : restored).set(id, response);
          done({ type: "answered", call, empty });
        },
        (error: unknown) => done({ type: "failed", call, failure: failureOf(services, error, id) }),
      );
    };

    for (const { session } of relocations) session.place.moving = true;
    lost.addEventListener("abort", onLost, { once: true });
    const first = beginSwitch(relocations.map(({ session, whenEmpty }) => ({ id: session.id, whenEmpty })));
    state = first.state;
    for (const effect of first.effects) carryOut(effect);
  });
}

interface Answer {
  readonly empty: boolean;
  readonly response?: Opened;
}

const done: Answer = { empty: false };

async function send(services: Services, { session, target }: Relocation, ask: SwitchAsk): Promise<Answer> {
  const { id: threadId } = session;
  const client = await services.codex.ready();
  switch (ask) {
    case "check":
      return { empty: !(await hasHistory(services, threadId)) };
    case "materialise":
      await client.threadInjectItems({ threadId, items: [note] });
      return done;
    case "leave":
    case "restoreLeave":
      if ((await services.codex.unsubscribe(threadId)) === "failed") throw new Error("Codex did not let go of it");
      return done;
    case "open":
      return { empty: false, response: await openAt(services, session, target) };
    case "restoreOpen":
      return { empty: false, response: await openAt(services, session, whereItIs(session)) };
  }
}

/** Codex's word for where it opened the thread counts: one that it still held elsewhere stays where it was. */
async function openAt(services: Services, session: OpenSession, target: Target): Promise<Opened> {
  const client = await services.codex.ready();
  const response = await client.threadResume(reopenParams(session, target));
  if (target.providerId !== undefined && response.modelProvider !== target.providerId) {
    throw new Error(`Codex opened it on "${response.modelProvider}"`);
  }
  return response;
}

function failureOf({ codex }: Services, error: unknown, session: string): SwitchFailure {
  const kind = codex.errorKind(error);
  if (kind === "provider-fixed" || kind === "provider-not-default") {
    codex.learnProviders(kind === "provider-fixed" ? "fixed" : "unsupported");
    return { type: "fixed", session };
  }
  return { type: "refused", session, message: error instanceof Error ? error.message : String(error) };
}

function errorOf(services: Services, abort: Extract<SwitchEffect, { type: "abort" }>): ContractError {
  const { failure, attempted, stale } = abort;
  const failed = (details: string): ContractError =>
    errors.providerSwitchFailed({ details, attemptedSessions: [...attempted], staleSessions: [...stale] });
  switch (failure.type) {
    case "empty":
      return errors.providerSessionEmpty({ sessionId: failure.session });
    case "turn":
      return attempted.length === 0
        ? errors.providerTurnRunning({ sessionId: failure.session })
        : failed(`a turn started on session ${failure.session}`);
    case "fixed": {
      const { codex } = services;
      if (stale.length > 0) return failed(`this Codex cannot move session ${failure.session}`);
      if (codex.providers === "unsupported") return errors.gatewaysUnsupported({ version: codex.version ?? "" });
      const session = services.openSessions().find(({ id }) => id === failure.session);
      return errors.providerFixed({ sessionId: failure.session, provider: session?.place.providerId ?? "" });
    }
    case "overdue":
      return failed(`Codex did not answer for session ${failure.session} within ${stepMs / 1000} s`);
    case "refused":
      return failed(failure.message);
    case "lost":
      return failed(failure.message);
  }
}
