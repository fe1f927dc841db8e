import type { CreateElicitationResponse, ElicitationPropertySchema } from "../../generated/acp/types.js";
import type {
  ToolRequestUserInputParams,
  ToolRequestUserInputQuestion,
  ToolRequestUserInputResponse,
} from "../../generated/codex/types.js";
import { standardNotice } from "../../projection/notice.js";
import type { Asked, Reply } from "../question.js";

const unanswered: ToolRequestUserInputResponse = { answers: {} };

const otherOf = (id: string): string => `${id}__other`;

/**
 * Codex's own questions as a form tied to the item that asks (ELIC-07, ELIC-08). Secrets never go into a form (D-21):
 * those questions stay unanswered, and the host is told so; the same where the client has no forms.
 */
export function userInput(asked: Asked<ToolRequestUserInputParams>): Reply<ToolRequestUserInputResponse> {
  const { params, sessionId, capabilities } = asked;
  const open = params.questions.filter((question) => question.isSecret !== true);
  const secret = params.questions.filter((question) => question.isSecret === true);
  const say = secret.length === 0 ? {} : { say: refused("Codex asked for a secret, which a form must not do", secret) };
  if (open.length === 0) return { kind: "settled", result: unanswered, ...say };
  if (capabilities.elicitation?.form == null) {
    const told = refused("Codex asked a question that this client cannot show", params.questions);
    return { kind: "settled", result: unanswered, say: told };
  }
  return {
    kind: "elicitation",
    blocking: params.isBlocking,
    request: {
      mode: "form",
      sessionId,
      toolCallId: params.itemId,
      message: open.map(({ question }) => question).join("\n"),
      requestedSchema: { type: "object", properties: Object.fromEntries(open.flatMap(fieldsOf)) },
    },
    decide: (answer) => answersOf(open, answer),
    unanswered,
    ...say,
  };
}

const refused = (title: string, questions: readonly ToolRequestUserInputQuestion[]) =>
  standardNotice("warning", title, questions.map(({ question }) => question).join("\n"));

function fieldsOf({ id, header, question, options, isOther }: ToolRequestUserInputQuestion) {
  const choices = (options ?? []).map(({ label, description }) => ({
    const: label,
    title: label,
    ...(description === "" ? {} : { description }),
  }));
  const field: ElicitationPropertySchema = {
    type: "string",
    title: header,
    description: question,
    ...(choices.length === 0 ? {} : { oneOf: choices }),
  };
  const other: ElicitationPropertySchema = { type: "string", title: `${header}: other`, description: "Another answer" };
  return [[id, field], ...(isOther === true ? [[otherOf(id), other]] : [])] as [string, ElicitationPropertySchema][];
}

/** A choice as its label, what was typed beside it as Codex's own clients mark it. */
function answersOf(
  questions: readonly ToolRequestUserInputQuestion[],
  answer: CreateElicitationResponse,
): ToolRequestUserInputResponse {
  const content = answer.action === "accept" && "content" in answer && answer.content ? answer.content : {};
  const textOf = (name: string): string => {
    const value = Object.hasOwn(content, name) ? Reflect.get(content, name) : null;
    return typeof value === "string" ? value : "";
  };
  return {
    answers: Object.fromEntries(
      questions.flatMap(({ id, isOther }) => {
        const chosen = textOf(id);
        const other = isOther === true ? textOf(otherOf(id)) : "";
        const answers = [...(chosen === "" ? [] : [chosen]), ...(other === "" ? [] : [`user_note: ${other}`])];
        return answers.length === 0 ? [] : [[id, { answers }]];
      }),
    ),
  };
}
