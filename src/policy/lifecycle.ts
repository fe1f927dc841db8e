import type { CodexClient } from "../codex/client.js";
import { errors } from "../generated/contract/errors.js";
import type { SessionSetTitleParams, SessionSetTitleResult } from "../generated/contract/types.js";
import { closeSession } from "./close.js";
import { alone } from "./open/opened.js";
import type { Services } from "./services.js";

/** What Codex does with a stored thread. */
interface Ending {
  readonly operation: string;
  readonly run: (client: CodexClient, threadId: string) => Promise<unknown>;
  /** Whether a thread that Codex does not find where it looks is as good as done. */
  readonly doneWhenMissing: (services: Services, client: CodexClient, threadId: string) => Promise<boolean>;
}

const deleting: Ending = {
  operation: "delete",
  run: (client, threadId) => client.threadDelete({ threadId }),
  doneWhenMissing: () => Promise.resolve(true),
};

const archiving: Ending = {
  operation: "archive",
  run: (client, threadId) => client.threadArchive({ threadId }),
  doneWhenMissing: exists,
};

/** Codex looks among the live threads only, or among the archived only; it reads both. */
async function exists({ codex }: Services, client: CodexClient, threadId: string): Promise<boolean> {
  try {
    await client.threadRead({ threadId });
    return true;
  } catch (error) {
    // Any other refusal, and the loss of Codex, says nothing of the thread.
    if (codex.errorKind(error) === "thread-not-found") return false;
    throw error;
  }
}

/** Closes, then waits for Codex without a deadline (CLOSE-13). What is open for viewing stays so when Codex refuses. */
async function closeAnd(services: Services, sessionId: string, ending: Ending): Promise<Record<string, never>> {
  const client = await services.codex.ready();
  return await alone(services, sessionId, ending.operation, async () => {
    if (!services.viewing.has(sessionId)) await closeSession(services, sessionId);
    try {
      await ending.run(client, sessionId);
    } catch (error) {
      const missing = services.codex.errorKind(error) === "thread-not-found";
      if (!missing || !(await ending.doneWhenMissing(services, client, sessionId)))
        throw refusal(services, error, sessionId);
    }
    services.viewing.delete(sessionId);
    return {};
  });
}

function refusal(services: Services, error: unknown, sessionId: string): unknown {
  switch (services.codex.errorKind(error)) {
    case "thread-not-found":
      return errors.sessionNotFound({ sessionId }, { cause: error });
    case "active-writer":
      return errors.readOnlySession({ cause: error });
    default:
      return error;
  }
}

/** For good, with what the bridge keeps of it; a thread that Codex does not know is deleted (SESS-17, R-01, R-11). */
export async function deleteSession(services: Services, sessionId: string): Promise<Record<string, never>> {
  const done = await closeAnd(services, sessionId, deleting);
  await services.receipts.forget(sessionId);
  return done;
}

/** Hides a thread from the default list (SESS-18); one that is hidden already stays so. */
export const archiveSession = (services: Services, sessionId: string) => closeAnd(services, sessionId, archiving);

/** Shows it there again (SESS-19); one that is there already, open ones among them, stays as it is. */
export async function unarchiveSession(services: Services, sessionId: string): Promise<Record<string, never>> {
  const client = await services.codex.ready();
  const leave = services.admission.enter(sessionId, "unarchive");
  try {
    await client.threadUnarchive({ threadId: sessionId });
  } catch (error) {
    const kind = services.codex.errorKind(error);
    // A thread that somebody writes to is no archived one.
    const there =
      kind === "active-writer" || (kind === "thread-not-found" && (await exists(services, client, sessionId)));
    if (!there) throw refusal(services, error, sessionId);
  } finally {
    leave();
  }
  return {};
}

/** Names a thread, open or not; Codex tells of it when it is loaded (SESS-20, SESS-21). */
export async function renameSession(
  services: Services,
  sessionId: string,
  name: string,
): Promise<Record<string, never>> {
  const client = await services.codex.ready();
  try {
    await client.threadNameSet({ threadId: sessionId, name });
  } catch (error) {
    throw refusal(services, error, sessionId);
  }
  return {};
}

/**
 * `session/set_title`: a rename that answers with the title as Codex keeps it.
 *
 * @throws `invalid_params` for a blank title, `session_not_found`.
 */
export async function setSessionTitle(
  services: Services,
  { sessionId, title }: SessionSetTitleParams,
): Promise<SessionSetTitleResult> {
  if (title.trim() === "") throw errors.invalidParams({ path: "/title", expected: "a title that is not blank" });
  await renameSession(services, sessionId, title);
  const client = await services.codex.ready();
  const { thread } = await client.threadRead({ threadId: sessionId });
  return { title: thread.name ?? title };
}
