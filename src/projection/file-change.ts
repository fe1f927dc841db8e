import type { DiffChange } from "../generated/acp/types.js";
import type { FileUpdateChange } from "../generated/codex/types.js";
import { lineLimit, tooBig } from "./fit.js";
import { gitPatch } from "./git-patch.js";
import type { ToolStatus, ToolView } from "./tool-view.js";
import { absolutePath, type ItemFacts, type ItemOf } from "./update.js";

type FileChange = ItemOf<"fileChange">;

/** A patch as a tool call (TOOL-08): the structured changes, one git patch over all files, and every path. */
export function fileChangeView(item: FileChange, facts: ItemFacts): ToolView {
  const changes = item.changes.filter(hasPath).map((change) => absolute(change, facts.cwd));
  const paths = changes.flatMap((change) => {
    const moved = change.kind.type === "update" ? (change.kind.move_path ?? null) : null;
    return moved === null ? [change.path] : [change.path, moved];
  });
  const length = changes.reduce((sum, { diff }) => sum + (diff?.length ?? 0), 0);
  const patch = length > lineLimit ? { text: "", left: [] } : gitPatch(changes);
  const omissions = [
    ...(length > lineLimit ? [{ field: "patch" as const, reason: tooBig(length) }] : []),
    ...patch.left.map((path) => ({
      field: "patch" as const,
      reason: `no patch can say what Codex recorded of ${path}`,
    })),
  ];
  return {
    toolCallId: item.id,
    name: "apply_patch",
    title: patchTitle(changes),
    status: fileChangeStatus(item, facts),
    content: [
      {
        type: "diff",
        changes: changes.map(diffChange),
        ...(patch.text === "" ? {} : { patch: { format: "git_patch", text: patch.text } }),
      },
    ],
    locations: paths.map((path) => ({ path })),
    ...(omissions.length === 0 ? {} : { meta: { omissions } }),
  };
}

/** What has no path is no change of a file (K-29). */
const hasPath = ({ path }: FileUpdateChange): boolean => typeof path === "string";

function absolute(change: FileUpdateChange, cwd: string): FileUpdateChange {
  // A change whose kind is not told is an edit of some kind.
  const kind = change.kind ?? { type: "unknown" };
  return {
    ...change,
    path: absolutePath(change.path, cwd),
    kind:
      kind.type === "update" && kind.move_path != null
        ? { ...kind, move_path: absolutePath(kind.move_path, cwd) }
        : kind,
  };
}

function diffChange({ path, kind }: FileUpdateChange): DiffChange {
  switch (kind.type) {
    case "add":
      return { operation: "add", path };
    case "delete":
      return { operation: "delete", path };
    case "update":
      return kind.move_path == null || kind.move_path === path
        ? { operation: "modify", path }
        : { operation: "move", oldPath: path, path: kind.move_path };
    default:
      return { operation: "modify", path };
  }
}

const verbs: ReadonlyMap<string, string> = new Map([
  ["add", "Add"],
  ["delete", "Delete"],
]);

const verbOf = ({ kind }: FileUpdateChange): string => verbs.get(kind.type) ?? "Edit";

function patchTitle(changes: readonly FileUpdateChange[]): string {
  const [first, ...rest] = changes;
  if (!first) return "Edit files";
  const name = first.path.split(/[\\/]/).at(-1) ?? first.path;
  if (rest.length === 0) return `${verbOf(first)} ${name}`;
  const same = rest.every((change) => verbOf(change) === verbOf(first));
  return `${same ? verbOf(first) : "Edit"} ${changes.length} files`;
}

function fileChangeStatus(item: FileChange, facts: ItemFacts): ToolStatus {
  switch (item.status) {
    case "inProgress":
      return "in_progress";
    case "completed":
      return "completed";
    case "declined":
      return "cancelled";
    default:
      return facts.cancelled ? "cancelled" : "failed";
  }
}
