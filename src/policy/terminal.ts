import type { ThreadBackgroundTerminalsListResponse } from "../generated/codex/types.js";
import { errors } from "../generated/contract/errors.js";
import type { TerminalCancelParams, TerminalCancelResult } from "../generated/contract/types.js";
import type { OpenSession, Services } from "./services.js";

/**
 * `terminal/cancel`: ends the process of a command that outlived its turn. Codex tells of its end by itself, and
 * with it the terminal gets its exit status.
 *
 * @throws `session_not_found`, `terminal_not_found` for one that has ended or runs inside a turn
 */
export async function cancelTerminal(
  services: Services,
  open: (id: string) => OpenSession | undefined,
  { sessionId, terminalId }: TerminalCancelParams,
): Promise<TerminalCancelResult> {
  const session = open(sessionId);
  if (!session) throw errors.sessionNotFound({ sessionId });
  if (!session.state.background.includes(terminalId)) throw errors.terminalNotFound({ terminalId });
  const client = await services.codex.ready();
  for (let cursor: string | null = null; ; ) {
    const page: ThreadBackgroundTerminalsListResponse = await client.threadBackgroundTerminalsList({
      threadId: sessionId,
      ...(cursor === null ? {} : { cursor }),
    });
    const process = page.data.find(({ itemId }) => itemId === terminalId);
    if (process) {
      await client.threadBackgroundTerminalsTerminate({ threadId: sessionId, processId: process.processId });
      return {};
    }
    const next = page.nextCursor ?? null;
    if (next === null || next === cursor) throw errors.terminalNotFound({ terminalId });
    cursor = next;
  }
}
