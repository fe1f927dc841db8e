import type { CodexConnection } from "../codex/connection.js";
import type { RequestId } from "../codex/server-requests.js";
import { agentRequests } from "../generated/contract/methods.js";
import type { CallOfQuestion, ElicitationQuestion, PermissionQuestion } from "../policy/question.js";
import type { HostService, OpenSession } from "../policy/services.js";
import { patchTool } from "../projection/tool-view.js";

/** A request of Codex that has no answer yet. */
export interface Waiting {
  readonly id: RequestId;
  readonly connection: CodexConnection;
}

/** A page that was shown, and the session it was shown in. */
export interface Page {
  readonly session: OpenSession;
  readonly elicitationId: string;
}

/**
 * Why a question ends without the host's answer. `withdrawn`: Codex is told that there is none; `resolved`: Codex does
 * not wait any more; `released`: Codex goes on waiting; `lost`: Codex is gone.
 */
export type QuestionEnd = "withdrawn" | "resolved" | "released" | "lost";

/** A question the host has not answered. */
export interface OpenQuestion {
  readonly session: OpenSession;
  readonly page: Page | null;
  /** Takes it back from the host. Whatever the host still says has no effect. */
  end(how: QuestionEnd): void;
}

export interface QuestionPlace {
  /** Names the question to its session's turn: no two are the same. */
  readonly key: string;
  readonly session: OpenSession;
  readonly host: HostService;
  readonly waiting: Waiting;
  /** Where the question stands while it is open: what is not there any more has been settled. */
  readonly open: Map<RequestId, OpenQuestion>;
  readonly completing: Map<RequestId, Page>;
  note(text: string): void;
}

type Question<Result> = PermissionQuestion<Result> | ElicitationQuestion<Result>;

interface Answer<Result> {
  readonly result: Result;
  /** The host said yes. */
  readonly yes: boolean;
}

/**
 * Puts a question to the host, and gives Codex the one answer that comes of it. While it blocks the turn the session
 * requires action (STATE-05, STATE-06); each has a key of its own, so that a late end clears no other (STATE-12).
 */
export function putQuestion<Result>(question: Question<Result>, place: QuestionPlace): void {
  const { key, session, open, completing } = place;
  const { id, connection } = place.waiting;
  const withdrawal = new AbortController();
  let asked = false;

  const page: Page | null =
    question.kind === "elicitation" && question.completes !== undefined
      ? { session, elicitationId: question.completes }
      : null;

  /** False when it was settled before. */
  function settle(yes: boolean): boolean {
    if (open.get(id) !== entry) return false;
    open.delete(id);
    if (asked && question.kind === "permission" && question.call.kind === "own") {
      // Codex has no item for it, and so reports no end.
      const { toolCallId } = question.call;
      session.outbox.push(patchTool({ toolCallId, status: yes ? "completed" : "cancelled" }));
    }
    return true;
  }

  const unblock = (): void => {
    if (asked && question.blocking) session.dispatch({ type: "unblocked", key });
  };

  function answer({ result, yes }: Answer<Result>): void {
    if (!settle(yes)) return;
    if (page && yes) completing.set(id, page);
    connection.respond(id, result);
    unblock();
  }

  const entry: OpenQuestion = {
    session,
    page,
    end(how) {
      if (!settle(false)) return;
      withdrawal.abort(new Error("the question was withdrawn"));
      if (how === "resolved") connection.withdraw(id);
      if (how === "withdrawn") connection.respond(id, question.unanswered);
      if (how !== "lost") unblock();
    },
  };
  open.set(id, entry);
  // The host hears of a session that is being opened before it is asked about it.
  session.outbox.inOrder(() => {
    if (open.get(id) !== entry) return;
    asked = true;
    if (question.kind === "permission") announce(question.call, session);
    askHost(question, place.host, withdrawal.signal).then(answer, (error: unknown) => {
      if (open.get(id) === entry)
        place.note(`No answer to ${key}: ${error instanceof Error ? error.message : String(error)}`);
      answer({ result: question.unanswered, yes: false });
    });
    if (question.blocking) session.dispatch({ type: "blocked", key });
  });
}

/** A call that the host has not heard of goes the way of every item, so that it is announced once and ends (TOOL-01). */
export function announce(call: CallOfQuestion, session: OpenSession): void {
  if (call.kind !== "unannounced") return;
  const { item, turnId, startedAtMs } = call;
  const params = { threadId: session.id, turnId, item, startedAtMs };
  session.dispatch({ type: "notification", key: "itemStarted", params });
}

async function askHost<Result>(
  question: Question<Result>,
  host: HostService,
  signal: AbortSignal,
): Promise<Answer<Result>> {
  if (question.kind === "elicitation") {
    const given = await host.request(agentRequests.elicitationCreate, question.request, { signal });
    return { result: question.decide(given), yes: given.action === "accept" };
  }
  return askPermission(question, host, signal);
}

/** Only an option that was offered allows anything; no choice, and an outcome of another kind, is no answer (PERM-03). */
export async function askPermission<Result>(
  question: PermissionQuestion<Result>,
  host: HostService,
  signal: AbortSignal,
): Promise<Answer<Result>> {
  const { outcome } = await host.request(agentRequests.requestPermission, question.request, { signal });
  if (outcome.outcome !== "selected" || !("optionId" in outcome)) return { result: question.unanswered, yes: false };
  const chosen = question.request.options.find((option) => option.optionId === outcome.optionId);
  if (!chosen) return { result: question.unknown, yes: false };
  return {
    result: question.decisions.get(chosen.optionId) ?? question.unknown,
    yes: chosen.kind.startsWith("allow_"),
  };
}
