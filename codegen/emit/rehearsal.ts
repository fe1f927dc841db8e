import responses from "../../src/testing/scripted-codex/recordings/responses.json" with { type: "json" };
import { isObject } from "../json.js";
import type { Emitter } from "../model/model.js";
import { docComment, header } from "./text.js";

/** What the real Codex answered, as JSON, for the rehearsal that the agent holds before its host asks. */
export const emitRehearsal: Emitter = ({ contract }) => {
  const used = contract.codex.requests.filter(({ use }) => use !== "unused").map(({ method }) => method);
  const recorded: Readonly<Record<string, unknown>> = responses;
  const answers = used.flatMap((method) =>
    recorded[method] === undefined ? [] : `  ${JSON.stringify(method)}: ${quoted(firstOfEach(recorded[method]))},\n`,
  );
  const text = [
    header("src/testing/scripted-codex/recordings"),
    docComment(
      "Results by method, as JSON; of each list its first item. Answers to requests that have none are errors.",
    ),
    `export const rehearsalAnswers: Readonly<Record<string, string>> = {\n${answers.join("")}};\n`,
  ];
  return [{ path: "src/generated/agent/rehearsal.ts", text: text.join("") }];
};

/** The day of a recording says nothing, and would make every new one look like a change. */
const quoted = (value: unknown): string =>
  JSON.stringify(JSON.stringify(value).replaceAll(/\d{4}-\d\d-\d\d/gu, "2000-01-01"));

/** Each shape once is enough: a list of twenty models would make every start dearer. */
const firstOfEach = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.slice(0, 1).map(firstOfEach);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, firstOfEach(member)]));
};
