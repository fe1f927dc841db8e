import type { CodexClient } from "../codex/client.js";
import type { Thread } from "../generated/codex/types.js";
import { isInternalInput } from "../projection/message.js";
import { beginsWithAttachment, titleOf, titleOfPreview } from "../projection/title.js";
import { contentOf } from "../projection/user-input.js";
import type { Services } from "./services.js";

/**
 * The title a thread has, in lists and when it is opened alike: its name as it is, or what its first prompt gives
 * (UPD-14, REPLAY-09 to REPLAY-11). Codex's preview tells that, but where it begins with an attachment: only then is
 * the record asked (LIST-22).
 */
export async function titleOfThread(
  { id, name, preview }: Pick<Thread, "id" | "name" | "preview">,
  fromRecord: (threadId: string) => Promise<string | null>,
): Promise<string | null> {
  if (name != null && name.trim() !== "") return name;
  const told = beginsWithAttachment(preview) ? await fromRecord(id) : null;
  return told ?? titleOfPreview(preview);
}

/** Turns of the first page: the first that a user wrote is nearly always the very first. */
const firstTurns = 5;

/** Reads the title from the first page of a thread's record; null when that has none or cannot be read. */
export async function titleFromRecord(
  services: Pick<Services, "codex">,
  client: CodexClient,
  threadId: string,
): Promise<string | null> {
  try {
    const { data } = await client.threadTurnsList({
      threadId,
      // Codex's own defaults are descending and summaries; a summary has the prompt.
      sortDirection: "asc",
      itemsView: "summary",
      limit: firstTurns,
    });
    for (const item of data.flatMap(({ items }) => items)) {
      if (item.type !== "userMessage" || isInternalInput(item)) continue;
      const title = titleOf(contentOf(item.content ?? []));
      if (title !== null) return title;
    }
    return null;
  } catch (error) {
    // A record that cannot be read costs no more than the better title; only the loss of Codex is an error.
    if (services.codex.failureOf(error)?.type === "refused") return null;
    throw error;
  }
}
