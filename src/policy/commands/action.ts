import type { ContentBlock } from "../../generated/acp/types.js";
import type { UserInput } from "../../generated/codex/types.js";
import type { PromptAction } from "../../session/turn/state.js";
import { inputOf } from "../prompt-input.js";
import { type Command, commandOf } from "./parse.js";

/** What a prompt makes Codex do, with what input. */
export interface Intent {
  readonly action: PromptAction;
  readonly input: readonly UserInput[];
  /** `/plan` turns plan mode on before anything else happens. */
  readonly planMode: boolean;
}

export function intentOf(prompt: readonly ContentBlock[]): Intent {
  const command = commandOf(prompt);
  if (!command) return { action: { kind: "turn" }, input: inputOf(prompt), planMode: false };
  const planMode = command.name === "plan";
  const rest = prompt.slice(1);
  if (planMode && (command.argument !== "" || rest.length > 0)) {
    const task: ContentBlock[] = command.argument === "" ? [] : [{ type: "text", text: command.argument }];
    return { action: { kind: "turn" }, input: inputOf([...task, ...rest]), planMode };
  }
  return { action: actionOf(command), input: [], planMode };
}

function actionOf({ name, argument }: Command): PromptAction {
  switch (name) {
    case "review":
      return {
        kind: "review",
        target: argument === "" ? { type: "uncommittedChanges" } : { type: "custom", instructions: argument },
      };
    case "review-branch":
      return argument === ""
        ? { kind: "answer", command: name }
        : { kind: "review", target: { type: "baseBranch", branch: argument } };
    case "review-commit":
      return argument === ""
        ? { kind: "answer", command: name }
        : { kind: "review", target: { type: "commit", sha: argument } };
    case "compact":
      return { kind: "compact" };
    default:
      return { kind: "answer", command: name };
  }
}
