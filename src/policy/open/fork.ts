import { errors } from "../../generated/contract/errors.js";
import { agentNotifications, hostRequests } from "../../generated/contract/methods.js";
import type { SessionForkParams, SessionForkResult } from "../../generated/contract/types.js";
import type { Update } from "../../projection/update.js";
import type { HandlerContext } from "../../runtime/index.js";
import { currentState } from "../../session/turn/step.js";
import { placeOf, requireAccount, targetOfNew } from "../providers/target.js";
import type { OpenSession, Services } from "../services.js";
import { titleFromRecord, titleOfThread } from "../titles.js";
import { unlessCancelled } from "./cancellable.js";
import { heldSettings, lineage, openOutbox, optionsAtOpening, skillRootsOf, unnamed } from "./opened.js";
import { toContractError } from "./refusals.js";
import { replayThread, turnIds } from "./replay.js";
import { checkOpenParams, threadParams } from "./thread-params.js";

/**
 * A copy of the thread, whole or up to a completed turn, and its transcript as updates of the new session before the
 * response (SESS-15, A-18). The source goes on as it was, a running turn included (SESS-16).
 */
export async function forkSession(
  services: Services,
  find: (sessionId: string) => OpenSession | undefined,
  params: SessionForkParams,
  context: HandlerContext,
): Promise<SessionForkResult> {
  const { sessionId, _meta } = params;
  checkOpenParams(params);
  if (services.codex.unsubscribing(sessionId)) throw errors.unsubscribePending({ sessionId });
  const client = await services.codex.ready();
  const models = services.codex.models();
  models.catch(() => undefined);
  // Codex gives a fork its configured sandbox, not the source's.
  const mode = _meta?.codex?.mode ?? find(sessionId)?.settings.wanted.mode ?? services.settings.mode;
  const lastTurnId = _meta?.codex?.lastTurnId;
  const forked = async () => {
    const target = targetOfNew(services, _meta?.alwith?.model);
    await requireAccount(services, target);
    const shared = await threadParams(services, client, params, mode, target);
    const response = await client.threadFork({
      threadId: sessionId,
      ...shared.params,
      excludeTurns: true,
      ...(lastTurnId === undefined ? {} : { lastTurnId }),
    });
    return { response, target, base: shared.base };
  };
  const { response, target, base } = await unlessCancelled(
    unnamed(services, hostRequests.sessionFork.method, forked).catch((error: unknown) => {
      throw toContractError(services, error, sessionId);
    }),
    context.signal,
    (late) => void services.codex.unsubscribe(late.response.thread.id),
  );
  const { thread } = response;
  try {
    const catalog = await models;
    const copied = await replayThread(services, client, thread, context);
    const parent = new Set(await turnIds(client, sessionId, context.signal));
    const title = await titleOfThread(thread, (id) => titleFromRecord(services, client, id));
    const session = services.createSession(thread.id, {
      cwd: thread.cwd,
      title,
      settings: heldSettings(response),
      skillRoots: skillRootsOf(params),
      place: placeOf(target, response.modelProvider),
      base,
      toolSetRevision: params._meta?.alwith?.tools?.revision ?? null,
    });
    const tell = (update: Update): void =>
      services.host.notify(agentNotifications.sessionUpdate, { sessionId: thread.id, update });
    if (title !== null) tell({ sessionUpdate: "session_info_update", title });
    tell(currentState(session.state));
    context.afterResponse(() => openOutbox(services, session));
    return {
      sessionId: thread.id,
      configOptions: optionsAtOpening(services, session, catalog),
      _meta: {
        codex: { ...lineage(thread), forkedAtTurnId: copied.findLast((id) => parent.has(id)) ?? null },
      },
    };
  } catch (error) {
    // A fork that the host never hears of must not stay open (CLOSE-14).
    void services.codex.unsubscribe(thread.id);
    throw error;
  }
}
