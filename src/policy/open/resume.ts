import type { CodexClient } from "../../codex/client.js";
import type { Thread, Turn } from "../../generated/codex/types.js";
import { errors } from "../../generated/contract/errors.js";
import { agentNotifications, hostRequests } from "../../generated/contract/methods.js";
import type { SessionResumeParams, SessionResumeResult } from "../../generated/contract/types.js";
import type { Update } from "../../projection/update.js";
import type { HandlerContext } from "../../runtime/index.js";
import { adoptTurn } from "../../session/turn/adopt.js";
import { currentState, viewedState } from "../../session/turn/step.js";
import { detach } from "../close.js";
import { heldPolicy } from "../providers/places.js";
import { placeOf, requireAccount, type Target, targetOfStored } from "../providers/target.js";
import type { Services } from "../services.js";
import { titleFromRecord, titleOfThread } from "../titles.js";
import { unlessCancelled } from "./cancellable.js";
import {
  alone,
  heldSettings,
  lineage,
  type OpenedThread,
  openOutbox,
  optionsAtOpening,
  skillRootsOf,
} from "./opened.js";
import { toContractError } from "./refusals.js";
import { replayThread, turnIds } from "./replay.js";
import { restoreTurn } from "./restore.js";
import { checkOpenParams, type Shared, threadParams } from "./thread-params.js";

export async function resumeSession(
  services: Services,
  params: SessionResumeParams,
  context: HandlerContext,
): Promise<SessionResumeResult> {
  const { sessionId, replayFrom } = params;
  checkOpenParams(params);
  if (replayFrom != null && replayFrom.type !== "start")
    throw errors.unsupportedReplayCursor({ type: replayFrom.type });
  const client = await services.codex.ready();
  const work = alone(services, sessionId, hostRequests.sessionResume.method, async () => {
    const target = await whereTo(services, client, params);
    await requireAccount(services, target);
    return await stoppable(services, sessionId, (stop) => open(services, client, params, context, target, stop));
  });
  return unlessCancelled(work, context.signal, () => void detach(services, sessionId));
}

/** Settled before anything of what is open is let go of. */
async function whereTo(services: Services, client: CodexClient, params: SessionResumeParams): Promise<Target> {
  const { sessionId } = params;
  const open = services.openSessions().find(({ id }) => id === sessionId);
  try {
    return await targetOfStored(services, client, sessionId, params._meta?.alwith?.model, open);
  } catch (error) {
    throw toContractError(services, error, sessionId);
  }
}

/** From the first moment on, a stop of the host ends the wait for what a running turn is restored from (CANCEL-12). */
async function stoppable<T>(
  { restoring }: Services,
  sessionId: string,
  work: (stop: AbortSignal) => Promise<T>,
): Promise<T> {
  const stopped = new AbortController();
  restoring.set(sessionId, () => stopped.abort());
  try {
    return await work(stopped.signal);
  } finally {
    restoring.delete(sessionId);
  }
}

async function open(
  services: Services,
  client: CodexClient,
  params: SessionResumeParams,
  context: HandlerContext,
  target: Target,
  stop: AbortSignal,
): Promise<SessionResumeResult> {
  const { sessionId } = params;
  // A session that is open here is opened anew; its turn, if one runs, goes on and is taken over. So does what it
  // may do, which Codex before 0.171 forgets.
  const before = services.openSessions().find(({ id }) => id === sessionId);
  const mode = params._meta?.codex?.mode ?? null;
  const own = before && mode === null ? heldPolicy(before) : {};
  await detach(services, sessionId);
  if (services.codex.unsubscribing(sessionId)) throw errors.unsubscribePending({ sessionId });
  services.viewing.delete(sessionId);
  const shared = await threadParams(services, client, params, mode, target);
  const opened = await openThread(services, client, sessionId, { ...shared.params, ...own });
  const { thread } = opened;
  const replay = params.replayFrom != null;
  try {
    const catalog = await services.codex.models();
    const turn = thread.status.type === "active" ? await runningTurn(client, sessionId) : null;
    const restored =
      turn && (await restoreTurn(services, client, thread, turn, { replay, signal: context.signal, stop }));
    const told = replay && !turn ? await replayThread(services, client, thread, context) : [];
    const copied = restored ? restored.ids : told;
    // What the host is not told need not be exact, and a stop waits for nothing more.
    const exact = replay && copied !== null;
    const title = await titleOfThread(thread, async (id) => (exact ? titleFromRecord(services, client, id) : null));
    const codex = {
      ...lineage(thread),
      ...(replay && copied && thread.forkedFromId != null
        ? { forkedAtTurnId: await forkPoint(client, thread.forkedFromId, copied, context.signal) }
        : {}),
    };
    // Taken back, it says nothing more; the host may have gone on (CACHE-14).
    context.signal.throwIfAborted();
    const tell = (update: Update): void =>
      services.host.notify(agentNotifications.sessionUpdate, { sessionId, update });
    if (replay && title !== null) tell({ sessionUpdate: "session_info_update", title });
    if (!("model" in opened)) {
      services.viewing.add(sessionId);
      tell(viewedState);
      return { _meta: { codex: { ...codex, readOnly: true, reason: "active_writer" } } };
    }
    const session = services.createSession(sessionId, {
      cwd: thread.cwd,
      title,
      settings: heldSettings(opened, opened.collaborationMode?.mode),
      skillRoots: skillRootsOf(params),
      place: placeOf(target, opened.modelProvider),
      base: shared.base,
      toolSetRevision: params._meta?.alwith?.tools?.revision ?? null,
      ...(restored ? { adopt: (state) => adoptTurn(state, restored.running) } : {}),
    });
    if (stop.aborted) session.dispatch({ type: "cancel" });
    // The state as it is, with or without replay: the response alone does not say that the session is idle.
    tell(currentState(session.state));
    context.afterResponse(() => openOutbox(services, session));
    return { configOptions: optionsAtOpening(services, session, catalog), _meta: { codex } };
  } catch (error) {
    // What failed to open must not stay subscribed (CLOSE-14).
    await detach(services, sessionId);
    if (!services.sessions.route(sessionId)) void services.codex.unsubscribe(sessionId);
    throw error;
  }
}

type Opened =
  | (OpenedThread & { readonly collaborationMode?: { readonly mode: "default" | "plan" } | null })
  | { readonly thread: Thread };

/** A thread that another client holds is opened for viewing (SESS-10, SESS-11). */
async function openThread(
  services: Services,
  client: CodexClient,
  sessionId: string,
  params: Shared["params"],
): Promise<Opened> {
  try {
    return await client.threadResume({ threadId: sessionId, ...params, excludeTurns: true });
  } catch (error) {
    const kind = services.codex.errorKind(error);
    if (kind === "active-writer") return client.threadRead({ threadId: sessionId });
    if (kind === "provider-not-configured") {
      const { thread } = await client.threadRead({ threadId: sessionId });
      throw errors.gatewayMissing({ sessionId, gateway: thread.modelProvider }, { cause: error });
    }
    throw toContractError(services, error, sessionId);
  }
}

async function runningTurn(client: CodexClient, threadId: string): Promise<Turn | null> {
  const { data } = await client.threadTurnsList({ threadId, sortDirection: "desc", itemsView: "full", limit: 1 });
  const [turn] = data;
  return turn?.status === "inProgress" ? turn : null;
}

/** The last turn that child and parent share, read anew from both (BRANCH-21 to BRANCH-23). */
async function forkPoint(
  client: CodexClient,
  parentId: string,
  child: readonly string[],
  signal: AbortSignal,
): Promise<string | null> {
  const parent = new Set(await turnIds(client, parentId, signal));
  return child.findLast((id) => parent.has(id)) ?? null;
}
