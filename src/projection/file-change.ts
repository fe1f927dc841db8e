import type { DiffChange } from "../generated/acp/types.js";
import type { FileUpdateChange } from "../generated/codex/types.js";
import { gitPatch } from "./git-patch.js";
import type { ToolStatus, ToolView } from "./tool-view.js";
import { absolutePath, type ItemFacts, type ItemOf } from "./update.js";

type FileChange = ItemOf<"fileChange">;

/** A patch as a tool call (TOOL-08): the structured changes, one git patch over all files, and every path. */
export function fileChangeView(item: FileChange, facts: ItemFacts): ToolView {
  const changes = item.changes.map((change) => absolute(change, facts.cwd));
  const paths = changes.flatMap((change) => {
    const moved = change.kind.type === "update" ? (change.kind.move_path ?? null) : null;
    return moved === null ? [change.path] : [change.path, moved];
  });
  const patch = gitPatch(changes);
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
  };
}

function absolute(change: FileUpdateChange, cwd: string): FileUpdateChange {
  const { kind } = change;
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
  }
}

const verbs = { add: "Add", delete: "Delete", update: "Edit" } as const;

function patchTitle(changes: readonly FileUpdateChange[]): string {
  const [first, ...rest] = changes;
  if (!first) return "Edit files";
  const name = first.path.split(/[\\/]/).at(-1) ?? first.path;
  if (rest.length === 0) return `${verbs[first.kind.type]} ${name}`;
  const same = rest.every((change) => change.kind.type === first.kind.type);
  return `${same ? verbs[first.kind.type] : "Edit"} ${changes.length} files`;
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
