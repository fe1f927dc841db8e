import type { Thread } from "../../generated/codex/types.js";
import { errors } from "../../generated/contract/errors.js";
import type { Services } from "../services.js";
import type { Source } from "./source.js";

/** A thread at one moment. */
export interface Observation {
  readonly thread: Thread;
  /** As Codex says, or because a prompt was accepted here; null when Codex does not know (HIST-32, HIST-33). */
  readonly running: boolean | null;
  /** The change fingerprint of export mode (HIST-47); null in browse mode. */
  readonly revision: string | null;
}

/** Browsing reads the metadata alone; an export reads the newest turn's summary too (HIST-46, HIST-50, HIST-51). */
export async function observe(
  services: Services,
  source: Source,
  sessionId: string,
  mode: "browse" | "export",
): Promise<Observation> {
  const thread = await source.metadata(sessionId);
  if (mode === "browse") return { thread, running: runningOf(services, thread), revision: null };
  const last = await source.lastTurn(sessionId);
  const { id, cwd, name, preview, createdAt, updatedAt, forkedFromId } = thread;
  const facts = [id, cwd, name ?? null, preview, createdAt, updatedAt, forkedFromId ?? null, last];
  return { thread, running: runningOf(services, thread), revision: services.digest(JSON.stringify(facts)) };
}

/** Throws when the thread is known to run, or is not what the fingerprint says (HIST-48, HIST-49, HIST-52). */
export function checkQuiet(seen: Observation, revision: string | null, sessionId: string): void {
  if (revision !== null && seen.revision !== revision) throw errors.historyChanged();
  if (seen.running === true) throw errors.historyBusy({ sessionId });
}

function runningOf(services: Services, thread: Thread): boolean | null {
  // From the prompt's acceptance on, before Codex has stored anything of it.
  if (services.sessions.route(thread.id)?.state.turn != null) return true;
  switch (thread.status.type) {
    case "active":
      return true;
    case "idle":
    case "systemError":
      return false;
    default:
      return null;
  }
}
