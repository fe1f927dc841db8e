import type { RequestId } from "../codex/server-requests.js";
import { agentRequests } from "../generated/contract/methods.js";
import { HostAnswerError } from "../host/outgoing.js";
import type { ClientCall } from "../policy/question.js";
import type { HostService, OpenSession } from "../policy/services.js";
import { equalJson } from "../runtime/json.js";
import { announce, askPermission, type OpenQuestion, type QuestionEnd, type Waiting } from "./put-question.js";

/** One call of one tool: Codex may ask for it more than once, the host is called once (CTOOL-16). */
interface CallRecord {
  readonly request: ClientCall<unknown>["request"];
  /** Requests of Codex that wait for its end. */
  readonly waiters: Map<RequestId, Waiting>;
  readonly withdrawal: AbortController;
  /** Ends what the question to the user blocks, while it is open. */
  unblock: (() => void) | null;
  /** The host may have begun to run it. */
  called: boolean;
  result: { readonly value: unknown } | null;
}

export interface CallPlace {
  readonly key: string;
  readonly session: OpenSession;
  readonly host: HostService;
  readonly waiting: Waiting;
  readonly open: Map<RequestId, OpenQuestion>;
  note(text: string): void;
}

/** The calls of each session's running turn. */
export interface ClientCalls {
  put<Result>(call: ClientCall<Result>, place: CallPlace): void;
  /** No turn of the session runs any more. */
  forget(sessionId: string): void;
  clear(): void;
}

export function createClientCalls(): ClientCalls {
  const turns = new Map<string, { readonly turnId: string; readonly calls: Map<string, CallRecord> }>();

  function callsOf(sessionId: string, turnId: string): Map<string, CallRecord> {
    const known = turns.get(sessionId);
    if (known?.turnId === turnId) return known.calls;
    const calls = new Map<string, CallRecord>();
    turns.set(sessionId, { turnId, calls });
    return calls;
  }

  return {
    put(call, place) {
      const { request } = call;
      const { id, connection } = place.waiting;
      const calls = callsOf(request.sessionId, request.turnId);
      const before = calls.get(request.toolCallId);
      if (before) {
        const same = before.request.name === request.name && equalJson(before.request.arguments, request.arguments);
        if (!same) connection.respond(id, call.conflict);
        else if (before.result) connection.respond(id, before.result.value);
        else wait(before, call, place, calls);
        return;
      }
      const record: CallRecord = {
        request,
        waiters: new Map(),
        withdrawal: new AbortController(),
        unblock: null,
        called: false,
        result: null,
      };
      calls.set(request.toolCallId, record);
      wait(record, call, place, calls);
      run(record, call, place);
    },
    forget: (sessionId) => void turns.delete(sessionId),
    clear: () => turns.clear(),
  };
}

/** A request of Codex waits for the call's end; when none waits any more, the call is taken back from the host. */
function wait<Result>(
  record: CallRecord,
  call: ClientCall<Result>,
  { session, open, waiting }: CallPlace,
  calls: Map<string, CallRecord>,
): void {
  const { id, connection } = waiting;
  record.waiters.set(id, waiting);
  open.set(id, {
    session,
    page: null,
    end(how: QuestionEnd) {
      if (!record.waiters.delete(id)) return;
      open.delete(id);
      if (record.waiters.size === 0) {
        // What the host may have begun is not begun again; what it has not may be asked for anew.
        if (record.called) record.result = { value: call.unanswered };
        else calls.delete(record.request.toolCallId);
        record.withdrawal.abort(new Error("the call was withdrawn"));
      }
      if (how === "resolved") connection.withdraw(id);
      if (how === "withdrawn") connection.respond(id, call.unanswered);
      if (record.waiters.size > 0 || how === "lost") return;
      record.unblock?.();
      record.unblock = null;
    },
  });
}

function run<Result>(
  record: CallRecord,
  call: ClientCall<Result>,
  { key, session, host, open, note }: CallPlace,
): void {
  const { signal } = record.withdrawal;

  function settle(value: Result): void {
    if (signal.aborted) return;
    record.result = { value };
    for (const [id, { connection }] of record.waiters) {
      open.delete(id);
      connection.respond(id, value);
    }
    record.waiters.clear();
  }

  /** Null: the tool may be run. Only this wait requires action (CTOOL-13). */
  async function refusal(): Promise<Result | null> {
    const { permission } = call;
    if (permission === null) return null;
    const asking = askPermission(permission, host, signal);
    record.unblock = () => session.dispatch({ type: "unblocked", key });
    session.dispatch({ type: "blocked", key });
    try {
      const { result, yes } = await asking;
      return yes ? null : result;
    } catch (error) {
      if (!signal.aborted) note(`No answer to ${key}: ${error instanceof Error ? error.message : String(error)}`);
      return permission.unanswered;
    } finally {
      if (!signal.aborted) {
        record.unblock?.();
        record.unblock = null;
      }
    }
  }

  async function work(): Promise<void> {
    const refused = await refusal();
    if (signal.aborted) return;
    if (refused !== null) {
      settle(refused);
      return;
    }
    record.called = true;
    try {
      settle(call.decide(await host.request(agentRequests.toolCall, call.request, { signal })));
    } catch (error) {
      if (error instanceof HostAnswerError && error.fault) settle(call.invalid(error.fault.path, error.fault.expected));
      else settle(call.failed(error instanceof Error ? error.message : String(error)));
    }
  }

  session.outbox.inOrder(() => {
    if (signal.aborted) return;
    announce(call.call, session);
    void work();
  });
}
