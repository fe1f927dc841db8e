import type { OpenSession, Services } from "../services.js";

/** A turn runs, or a prompt is about to start one. */
export const isBusy = ({ admission }: Services, session: OpenSession): boolean =>
  session.state.turn !== null || admission.prompting(session.id);

/** Whether Codex has stored something of the thread: only then can it be opened anew (ROUTE-03). */
export async function hasHistory(services: Services, threadId: string): Promise<boolean> {
  const client = await services.codex.ready();
  try {
    await client.threadTurnsList({ threadId, limit: 1, itemsView: "notLoaded", sortDirection: "desc" });
    return true;
  } catch (error) {
    const kind = services.codex.errorKind(error);
    if (kind === "thread-empty" || kind === "thread-not-found") return false;
    throw error;
  }
}
