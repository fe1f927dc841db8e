import { errors } from "../../generated/contract/errors.js";

/** What a traversal is: a cursor is good for this one and no other (HIST-16, HIST-65). */
export interface Traversal {
  readonly session: string;
  readonly endpoint: "turns" | "items";
  readonly direction: "asc" | "desc";
  readonly mode: "browse" | "export";
  readonly view: "summary" | "full";
  readonly native: boolean;
  /** The turn filter of the item endpoint. */
  readonly turn: string | null;
}

/** Where a traversal goes on. */
export interface Position {
  /** Codex's cursor. */
  readonly native: string;
  /** Export mode: the fingerprint that every page of the traversal must find. Null in browse mode. */
  readonly revision: string | null;
}

type Digest = (text: string) => string;

const version = 2;
const prefix = `h${version}.`;

/** How each member of a traversal is called to a host. */
const names: { readonly [Member in keyof Traversal]: string } = {
  session: "session",
  endpoint: "endpoint",
  direction: "sortDirection",
  mode: "mode",
  view: "itemsView",
  native: "includeNative",
  turn: "turnId",
};

const members = Object.keys(names) as (keyof Traversal)[];

/** `h2.<digest>.<payload>`: everything is in it, so that nothing is kept here. The digest catches what is changed. */
export function encodeCursor(traversal: Traversal, position: Position, digest: Digest): string {
  const fields = [...members.map((member) => traversal[member]), position.native, position.revision];
  const payload = Buffer.from(JSON.stringify(fields)).toString("base64url");
  return `${prefix}${sealOf(payload, digest)}.${payload}`;
}

/** Throws `history_invalid_cursor` for a cursor that is changed, old, or of another traversal. */
export function decodeCursor(cursor: string, traversal: Traversal, digest: Digest): Position {
  if (!cursor.startsWith(prefix)) throw invalid(`it is no cursor of version ${version}`);
  const [, seal, payload, ...more] = cursor.split(".");
  if (payload === undefined || more.length > 0 || seal !== sealOf(payload, digest)) throw invalid("it was changed");
  const fields = fieldsOf(payload);
  if (fields === null) throw invalid("it was changed");
  members.forEach((member, index) => {
    if (fields[index] !== traversal[member]) throw invalid(`it is of a traversal with another ${names[member]}`);
  });
  const [native, revision] = fields.slice(members.length);
  if (typeof native !== "string" || !(revision === null || typeof revision === "string"))
    throw invalid("it was changed");
  return { native, revision };
}

/** Null for what is no list: the seal is no secret, so that anything may stand behind one that fits. */
function fieldsOf(payload: string): readonly unknown[] | null {
  try {
    const fields: unknown = JSON.parse(Buffer.from(payload, "base64url").toString());
    return Array.isArray(fields) ? fields : null;
  } catch {
    return null;
  }
}

const sealOf = (payload: string, digest: Digest): string =>
  digest(`codex-acp-kit history ${prefix}${payload}`).slice(0, 32);

const invalid = (details: string) => errors.historyInvalidCursor({ details, native: undefined });
