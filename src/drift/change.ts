/** Which way a schema travels: from this bridge to the other end, or back. */
export type Direction = "sent" | "received";

/** Requests of ours have no other name; a server request is one of Codex, a host request one of the host. */
export type MessageSubject = "request" | "server request" | "host request" | "notification";

/** What differs. An item is a variant of the protocol's item definition. */
export type Subject = MessageSubject | "item" | "field" | "value" | "variant" | "type";

/**
 * How it differs. `required` and `optional`: a field became that. `narrowed`: less is let through than before, `widened`:
 * more, `retyped`: something else. `experimental` and `stable`: a message became that.
 */
export type ChangeKind =
  | "added"
  | "removed"
  | "renamed"
  | "required"
  | "optional"
  | "narrowed"
  | "widened"
  | "retyped"
  | "experimental"
  | "stable";

export interface Change {
  readonly subject: Subject;
  readonly change: ChangeKind;
  /** A method, or a place such as `UserInput(image).url`. */
  readonly at: string;
  /** What stood there, and what stands there now, in short; where that says more than `at`. */
  readonly was?: string;
  readonly now?: string;
  /** For fields that were added or removed: whether they are, or were, required. */
  readonly needed?: boolean;
}

const letters = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

/** Whether two names differ in case and punctuation alone. */
export const sameLetters = (one: string, other: string): boolean => letters(one) === letters(other);

/** What came, went and was renamed between two lists of names. */
export interface NameChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly renamed: readonly { readonly from: string; readonly to: string }[];
}

/**
 * A name that went and one that came are the same thing renamed when they differ in case and punctuation alone, or when
 * `alike` finds no other pair for either of them.
 */
export function nameChanges(
  before: Iterable<string>,
  after: Iterable<string>,
  alike: (from: string, to: string) => boolean,
): NameChanges {
  const [old, now] = [new Set(before), new Set(after)];
  const removed = [...old].filter((it) => !now.has(it));
  const added = [...now].filter((it) => !old.has(it));
  const only = (found: readonly string[]): string | null => (found.length === 1 ? (found[0] ?? null) : null);
  const renamed = removed.flatMap((from) => {
    const spelt = only(added.filter((it) => sameLetters(from, it)));
    if (spelt !== null) return [{ from, to: spelt }];
    const to = only(added.filter((it) => alike(from, it)));
    return to !== null && only(removed.filter((it) => alike(it, to))) === from ? [{ from, to }] : [];
  });
  return {
    added: added.filter((it) => !renamed.some(({ to }) => to === it)),
    removed: removed.filter((it) => !renamed.some(({ from }) => from === it)),
    renamed,
  };
}
