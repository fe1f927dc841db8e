import type {
  CommandExecutionApprovalDecision,
  CommandExecutionRequestApprovalParams,
  CommandExecutionRequestApprovalResponse,
  NetworkPolicyAmendment,
} from "../../generated/codex/types.js";
import type { ItemOf } from "../../projection/update.js";
import { equalJson } from "../../runtime/index.js";
import { type Asked, type Choice, type Reply, settled } from "../question.js";
import { ask } from "./ask.js";
import { permissionsText } from "./describe.js";
import { optionOf, type RowOf, rowOf } from "./options.js";
import { itemSubject } from "./subject.js";

type CommandRow = RowOf<"Run command?" | "Allow network access?" | "Send input to command?">;

const says = (decision: CommandExecutionApprovalDecision): CommandExecutionRequestApprovalResponse => ({ decision });

/** A command, input for a running one, or a connection it wants to make (PERM-04 to PERM-08). */
export function commandApproval(
  asked: Asked<CommandExecutionRequestApprovalParams>,
): Reply<CommandExecutionRequestApprovalResponse> {
  const { params, state } = asked;
  // Only a client that opts in is sent these, and the bridge does not.
  if (params.kind === "humanCommand") return settled(says("decline"));
  const network = params.networkApprovalContext ?? null;
  const row: CommandRow =
    params.kind === "writeStdin"
      ? rowOf("Send input to command?")
      : network
        ? rowOf("Allow network access?")
        : rowOf("Run command?");
  // A callback of its own is about a part of the command that the tool call shows.
  const part = params.kind !== "writeStdin" && params.approvalId != null ? params.command : null;
  return ask(asked, {
    title: row.title,
    description: [
      params.reason,
      network && `${network.protocol}: ${network.host}`,
      part,
      params.additionalPermissions && permissionsText(params.additionalPermissions),
    ],
    subject: itemSubject(state, params, () => commandItem(params, state.cwd)),
    choices: choicesOf(row, params).map(({ option, decision }) => ({ option, decision: says(decision) })),
    unknown: says("decline"),
    unanswered: says("cancel"),
  });
}

/** Codex's own list counts where it sends one, in its order; else all that the table offers (PERM-08). */
function choicesOf(
  row: CommandRow,
  params: CommandExecutionRequestApprovalParams,
): Choice<CommandExecutionApprovalDecision>[] {
  const listed = params.availableDecisions ?? null;
  const decisions = listed ?? row.options.flatMap((option) => offered(option, params));
  const proposals = [...(params.proposedNetworkPolicyAmendments ?? [])];
  const choices = decisions.flatMap((decision) => choiceOf(row, decision, proposals));
  // The id of an option must say which it is.
  const first = new Map(choices.toReversed().map((choice) => [choice.option.optionId, choice]));
  return choices.filter((choice) => first.get(choice.option.optionId) === choice);
}

/** What a row of the table offers for this request when Codex sends no list. */
function offered(
  { kind, decision }: CommandRow["options"][number],
  params: CommandExecutionRequestApprovalParams,
): CommandExecutionApprovalDecision[] {
  if (typeof decision === "string") return [decision];
  if ("acceptWithExecpolicyAmendment" in decision) {
    const execpolicy_amendment = params.proposedExecpolicyAmendment ?? [];
    return execpolicy_amendment.length === 0 ? [] : [{ acceptWithExecpolicyAmendment: { execpolicy_amendment } }];
  }
  return (params.proposedNetworkPolicyAmendments ?? [])
    .filter((proposal) => kindOf(proposal) === kind)
    .map((network_policy_amendment) => ({ applyNetworkPolicyAmendment: { network_policy_amendment } }));
}

const kindOf = ({ action }: NetworkPolicyAmendment) => (action === "allow" ? "allow_always" : "reject_always");

/** The option for a decision; none for a kind of decision that the table does not have. */
function choiceOf(
  { options }: CommandRow,
  decision: CommandExecutionApprovalDecision,
  proposals: NetworkPolicyAmendment[],
): Choice<CommandExecutionApprovalDecision>[] {
  if (typeof decision === "string") {
    const option = options.find((it) => it.decision === decision);
    return option ? [{ option: optionOf(option), decision }] : [];
  }
  if ("acceptWithExecpolicyAmendment" in decision) {
    const option = options.find((it) => it.optionId === "accept_execpolicy_amendment");
    if (!option) return [];
    const prefix = decision.acceptWithExecpolicyAmendment.execpolicy_amendment.join(" ");
    const description = option.description.replace("<proposed>", () => `\`${prefix}\``);
    return [{ option: optionOf(option, { description }), decision }];
  }
  if (!("applyNetworkPolicyAmendment" in decision)) return [];
  const amendment = decision.applyNetworkPolicyAmendment.network_policy_amendment;
  const option = options.find(
    (it) => it.optionId === "apply_network_policy_amendment:<n>" && it.kind === kindOf(amendment),
  );
  if (!option) return [];
  let n = proposals.findIndex((proposal) => equalJson(proposal, amendment));
  // One that is listed but was not proposed is counted after those that were.
  if (n < 0) n = proposals.push(amendment) - 1;
  const optionId = option.optionId.replace("<n>", String(n));
  const description = `${option.description} (${amendment.host})`;
  return [{ option: optionOf(option, { optionId, description }), decision }];
}

/** The command as an item, for an approval that comes before Codex has reported one. */
const commandItem = (params: CommandExecutionRequestApprovalParams, cwd: string): ItemOf<"commandExecution"> => ({
  type: "commandExecution",
  id: params.itemId,
  command: params.command ?? "",
  cwd: params.cwd ?? cwd,
  processId: null,
  source: "agent",
  status: "inProgress",
  commandActions: params.commandActions ?? [],
  aggregatedOutput: null,
  exitCode: null,
  durationMs: null,
});
