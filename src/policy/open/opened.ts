import type { SandboxPolicy, Thread, ThreadStartResponse } from "../../generated/codex/types.js";
import { errors } from "../../generated/contract/errors.js";
import { type Catalog, configOptionsOf, settingsOf } from "../../session/settings.js";
import { sourcesFor } from "../providers/places.js";
import type { OpenSession, Services, SettingsHolder } from "../services.js";
import type { OpenParams } from "./thread-params.js";

/** What Codex answers when it opened a thread, whichever way. */
export type OpenedThread = Pick<
  ThreadStartResponse,
  "thread" | "model" | "modelProvider" | "reasoningEffort" | "serviceTier" | "approvalPolicy"
> & { readonly sandbox: SandboxPolicy };

/** What Codex holds is what the host starts from (K-26). */
export function heldSettings(opened: OpenedThread, collaboration: "default" | "plan" = "default"): SettingsHolder {
  const settings = settingsOf(opened, collaboration);
  return { wanted: settings, held: settings, workspace: opened.sandbox, approvalPolicy: opened.approvalPolicy };
}

/** Where the additional directories of a session keep their skills. */
export const skillRootsOf = ({ additionalDirectories }: OpenParams): string[] =>
  (additionalDirectories ?? []).flatMap((path) => [".agents", ".codex"].map((folder) => `${path}/${folder}/skills`));

/** After the response: the session speaks, and says first what commands it has. */
export function openOutbox(services: Services, session: OpenSession): void {
  session.outbox.open();
  // The next prompt tries again.
  services.skills.announce(session).catch(() => undefined);
}

/** `Thread.sessionId` and `Thread.forkedFromId` (BRANCH-08, BRANCH-09). */
export const lineage = (thread: Thread) => ({
  nativeSessionId: thread.sessionId,
  forkedFromId: thread.forkedFromId ?? null,
});

/**
 * Runs lifecycle or config work on one session at a time; what overlaps is refused (ROUTE-09). The session stays taken
 * until the work has settled, even when its request was cancelled before (CACHE-15).
 */
export async function alone<T>(
  services: Services,
  sessionId: string,
  operation: string,
  work: () => Promise<T>,
): Promise<T> {
  const leave = services.admission.enter(sessionId, operation);
  try {
    if (services.codex.unsubscribing(sessionId)) throw errors.unsubscribePending({ sessionId });
    return await work();
  } finally {
    leave();
  }
}

/** Work that opens a session whose id is not known yet. It counts until it has settled, cancelled or not (CACHE-15). */
export async function unnamed<T>(services: Services, operation: string, work: () => Promise<T>): Promise<T> {
  const leave = services.admission.enter(null, operation);
  try {
    return await work();
  } finally {
    leave();
  }
}

/** The options of a session as its opening answers them. */
export const optionsAtOpening = (services: Services, session: OpenSession, catalog: Catalog) =>
  configOptionsOf(session.settings.wanted, sourcesFor(services, session, catalog));
