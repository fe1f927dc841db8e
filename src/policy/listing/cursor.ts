import { errors } from "../../generated/contract/errors.js";

/** Where a page begins: in the live or in the archived list, at a cursor of Codex's own. */
export interface Place {
  readonly archived: boolean;
  readonly cursor: string | null;
}

const live = "live:";
const archive = "archived:";

/** A cursor over both lists: Codex's own, behind the name of its list. */
export const cursorOf = ({ archived, cursor }: Place): string => `${archived ? archive : live}${cursor ?? ""}`;

/** @throws `invalid_cursor` for one that no list of both gave. */
export function placeOf(cursor: string): Place {
  if (cursor.startsWith(archive)) return { archived: true, cursor: cursor.slice(archive.length) || null };
  if (cursor.startsWith(live) && cursor !== live) return { archived: false, cursor: cursor.slice(live.length) };
  throw errors.invalidCursor();
}
