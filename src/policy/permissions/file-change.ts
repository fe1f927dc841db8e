import type {
  FileChangeApprovalDecision,
  FileChangeRequestApprovalParams,
  FileChangeRequestApprovalResponse,
} from "../../generated/codex/types.js";
import { absolutePath } from "../../projection/update.js";
import type { SessionState } from "../../session/turn/state.js";
import type { Asked, Reply } from "../question.js";
import { ask } from "./ask.js";
import { optionOf, rowOf } from "./options.js";
import { itemSubject } from "./subject.js";

/** Paths named in a description; the tool call has them all. */
const pathsShown = 10;

const says = (decision: FileChangeApprovalDecision): FileChangeRequestApprovalResponse => ({ decision });

/** Edits (PERM-09). The request names no path: what is to be edited is known from the item that came before. */
export function fileChangeApproval(
  asked: Asked<FileChangeRequestApprovalParams>,
): Reply<FileChangeRequestApprovalResponse> {
  const { params, state } = asked;
  const row = rowOf("Make edits?");
  return ask(asked, {
    title: row.title,
    description: [
      params.reason,
      pathsText(state, params.itemId),
      params.grantRoot && `Writing under ${params.grantRoot} is asked for until the session ends.`,
    ],
    subject: itemSubject(state, params, () => ({
      type: "fileChange",
      id: params.itemId,
      changes: [],
      status: "inProgress",
    })),
    choices: row.options.map((option) => ({ option: optionOf(option), decision: says(option.decision) })),
    unknown: says("decline"),
    unanswered: says("cancel"),
  });
}

function pathsText({ ledger, cwd }: SessionState, itemId: string): string {
  const item = ledger.get(itemId)?.item;
  if (item?.type !== "fileChange") return "";
  const paths = item.changes.map(({ path }) => absolutePath(path, cwd));
  const more = paths.length - pathsShown;
  return [...paths.slice(0, pathsShown), ...(more > 0 ? [`and ${more} more`] : [])].join("\n");
}
