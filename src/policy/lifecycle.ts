import type { CodexClient } from "../codex/client.js";
import { errors } from "../generated/contract/errors.js";
import { closeSession } from "./close.js";
import { alone } from "./open/opened.js";
import type { Services } from "./services.js";

/** What Codex does with a stored thread, and whether one that it does not know counts as done. */
interface Ending {
  readonly operation: string;
  readonly run: (client: CodexClient, threadId: string) => Promise<unknown>;
  readonly unknownIsDone: boolean;
}

const deleting: Ending = {
  operation: "delete",
  run: (client, threadId) => client.threadDelete({ threadId }),
  unknownIsDone: true,
};

const archiving: Ending = {
  operation: "archive",
  run: (client, threadId) => client.threadArchive({ threadId }),
  unknownIsDone: false,
};

/** Closes, then waits for Codex without a deadline (CLOSE-13). */
async function closeAnd(services: Services, sessionId: string, ending: Ending): Promise<Record<string, never>> {
  const client = await services.codex.ready();
  return await alone(services, sessionId, ending.operation, async () => {
    await closeSession(services, sessionId);
    try {
      await ending.run(client, sessionId);
    } catch (error) {
      if (ending.unknownIsDone && services.codex.errorKind(error) === "thread-not-found") return {};
      throw refusal(services, error, sessionId);
    }
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

/** For good; a thread that Codex does not know is deleted (SESS-17, R-01). */
export const deleteSession = (services: Services, sessionId: string) => closeAnd(services, sessionId, deleting);

/** Hides a thread from the default list (SESS-18). */
export const archiveSession = (services: Services, sessionId: string) => closeAnd(services, sessionId, archiving);

/** Shows it there again (SESS-19). */
export async function unarchiveSession(services: Services, sessionId: string): Promise<Record<string, never>> {
  const client = await services.codex.ready();
  try {
    await client.threadUnarchive({ threadId: sessionId });
  } catch (error) {
    throw refusal(services, error, sessionId);
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
