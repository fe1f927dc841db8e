import type { CodexConnection } from "../codex/connection.js";
import type { RequestId, ServerRequestFrame } from "../codex/server-requests.js";
import {
  type AskedOfHost,
  type ServerRequests,
  serverRequestAnswers,
  serverRequestKeys,
} from "../generated/codex/dispatch.js";
import { agentNotifications } from "../generated/contract/methods.js";
import type { Asked, Questions, Reply } from "../policy/question.js";
import type { HostService, OpenSession } from "../policy/services.js";
import { createClientCalls } from "./put-call.js";
import { type OpenQuestion, type Page, putQuestion, type Waiting } from "./put-question.js";

export interface DeskOptions {
  readonly host: HostService;
  readonly questions: Questions;
  /** The session of a thread, also one that is being closed. */
  find(threadId: string): OpenSession | undefined;
  /** Keeps a request for a session that is being opened; `deliver` runs when it is there, or has failed to come. */
  keep(threadId: string, deliver: () => void): boolean;
  newId(): string;
  note(text: string): void;
}

/** Where Codex's requests come in, are put to the host, and get their one answer each (K-15). */
export interface Desk {
  receive(request: ServerRequestFrame, connection: CodexConnection): void;
  /** Codex waits no more: it has its answer, or took the request back. */
  resolved(id: RequestId): void;
  /** Takes back what the session asks, and answers Codex in the user's stead (K-13). */
  withdraw(session: OpenSession): void;
  /** Takes back what the session asks and leaves Codex waiting: it asks again when the thread is opened anew. */
  release(session: OpenSession): void;
  /** Codex is gone, and with it everybody who waits for an answer. */
  lost(): void;
  /** The host is gone: Codex is answered in the user's stead (CLOSE-11). */
  stop(): void;
}

type ParamsOf<Key extends AskedOfHost> = ServerRequests[Key]["params"];
type ResultOf<Key extends AskedOfHost> = ServerRequests[Key]["result"];

export function createDesk({ host, questions, find, keep, newId, note }: DeskOptions): Desk {
  const open = new Map<RequestId, OpenQuestion>();
  /** Pages whose end the host is told of when Codex resolves the request they came from (ELIC-05). */
  const completing = new Map<RequestId, Page>();
  /** Waiting for their session to open. */
  const kept = new Map<RequestId, Waiting>();
  const claims = new WeakMap<OpenSession, Set<string>>();
  const calls = createClientCalls();
  let put = 0;

  const isAsked = (key: keyof ServerRequests): key is AskedOfHost => Object.hasOwn(questions, key);

  function receive(request: ServerRequestFrame, connection: CodexConnection): void {
    const { id, method } = request;
    // Sent again when its thread is resumed: the dialog is there already.
    if (request.repeated && open.has(id)) return;
    const key = serverRequestKeys.get(method);
    if (key !== undefined && isAsked(key)) {
      // Codex's own schema vouches for the params, as it does for those of notifications.
      ask(key, request.params as ParamsOf<typeof key>, { id, connection });
      return;
    }
    const answer = key === undefined ? undefined : serverRequestAnswers[key];
    if (answer === undefined) connection.respondError(id, -32601, `${method} is not served`);
    else connection.respond(id, answer);
  }

  function ask<Key extends AskedOfHost>(asking: Key, params: ParamsOf<Key>, waiting: Waiting, late = false): void {
    const { id, connection } = waiting;
    const session = find(params.threadId);
    if (!session) {
      const deliver = (): void => {
        if (kept.get(id) !== waiting) return;
        kept.delete(id);
        ask(asking, params, waiting, true);
      };
      if (!late && keep(params.threadId, deliver)) {
        kept.set(id, waiting);
        return;
      }
      // Nobody watches the thread: a sub-agent's, whose id was never announced.
      note(`A request for a thread that no session is open on: ${params.threadId}`);
      connection.respond(id, serverRequestAnswers[asking]);
      return;
    }
    const reply = replyTo(asking, params, session);
    if (isOver(session, params.turnId ?? null)) {
      connection.respond(id, reply.kind === "settled" ? reply.result : reply.unanswered);
      return;
    }
    if (reply.say) session.outbox.push(reply.say);
    if (reply.kind === "settled") {
      connection.respond(id, reply.result);
      return;
    }
    if (reply.kind === "permission" && reply.call.kind === "announced" && reply.call.claims !== undefined) {
      claimsOf(session).add(reply.call.claims);
    }
    put += 1;
    const key = `question-${put}`;
    if (reply.kind === "call") calls.put(reply, { key, session, host, waiting, open, note });
    else putQuestion(reply, { key, session, host, waiting, open, completing, note });
  }

  function replyTo<Key extends AskedOfHost>(key: Key, params: ParamsOf<Key>, session: OpenSession) {
    const { id: sessionId, state, settings } = session;
    const asked: Asked<ParamsOf<Key>> = {
      params,
      sessionId,
      state,
      capabilities: host.client.capabilities,
      claimed: claimsOf(session),
      toolSetRevision: session.toolSetRevision,
      // A mode that the host has left for a stricter one binds at once, not only from the next turn on.
      fullAccess: [settings.held, settings.wanted].every(({ mode }) => mode === "agent-full-access"),
      newId,
    };
    const decide: (asked: Asked<ParamsOf<Key>>) => Reply<ResultOf<Key>> = questions[key];
    return decide(asked);
  }

  /** Items tied to an approval that still run. */
  function claimsOf(session: OpenSession): Set<string> {
    const known = [...(claims.get(session) ?? [])].filter((id) => session.state.ledger.has(id));
    const kept = new Set(known);
    claims.set(session, kept);
    return kept;
  }

  const of = (session: OpenSession): OpenQuestion[] => [...open.values()].filter((it) => it.session === session);

  return {
    receive,
    resolved(id) {
      const page = completing.get(id) ?? open.get(id)?.page;
      completing.delete(id);
      kept.get(id)?.connection.withdraw(id);
      kept.delete(id);
      if (page && !page.session.state.closed) {
        host.notify(agentNotifications.elicitationComplete, { elicitationId: page.elicitationId });
      }
      open.get(id)?.end("resolved");
    },
    withdraw(session) {
      for (const question of of(session)) question.end("withdrawn");
      calls.forget(session.id);
    },
    release(session) {
      for (const question of of(session)) question.end("released");
    },
    lost() {
      for (const question of [...open.values()]) question.end("lost");
      completing.clear();
      kept.clear();
      calls.clear();
    },
    stop() {
      for (const question of [...open.values()]) question.end("withdrawn");
      completing.clear();
    },
  };
}

/** The turn the request belongs to is stopping or has ended: nobody is to be asked for it any more (K-13). */
function isOver({ state }: OpenSession, turnId: string | null): boolean {
  const { turn, closed, ended, ghosts } = state;
  if (closed || (turnId !== null && (ended.includes(turnId) || ghosts.turns.has(turnId)))) return true;
  return turn !== null && (turn.cancellation !== null || turn.stage === "finishing");
}
