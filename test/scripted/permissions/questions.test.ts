import { afterEach, describe, expect, test } from "vitest";
import { serverRequests } from "../../../src/generated/codex/methods.js";
import type { ToolRequestUserInputParams, ToolRequestUserInputQuestion } from "../../../src/generated/codex/types.js";
import type { ElicitationCreateResult } from "../../../src/generated/contract/types.js";
import { clause } from "../../support/clause.js";
import { isUpdate } from "../../support/host.js";
import { ids, type Rig, startRig } from "./rig.js";

let rig: Rig;

afterEach(() => rig.bridge.close());

const forms = { capabilities: { elicitation: { form: {} } } };

const color: ToolRequestUserInputQuestion = {
  id: "color",
  header: "Color",
  question: "Which color?",
  isOther: true,
  isSecret: false,
  options: [
    { label: "Blue", description: "Like the sea" },
    { label: "Red", description: "" },
  ],
};
const note: ToolRequestUserInputQuestion = { id: "note", header: "Note", question: "Anything else?" };
const secret: ToolRequestUserInputQuestion = { id: "key", header: "Key", question: "Your API key?", isSecret: true };

const askUser = (questions: ToolRequestUserInputQuestion[], fields: Partial<ToolRequestUserInputParams> = {}) =>
  rig.bridge.codex.ask(serverRequests.itemToolRequestUserInput, {
    ...ids(rig.turn),
    itemId: "ask-1",
    isBlocking: true,
    questions,
    autoResolutionMs: null,
    ...fields,
  });

const notices = () => rig.bridge.host.updates(rig.sessionId).filter(isUpdate("notice"));

describe("questions of Codex", () => {
  clause(["ELIC-07", "ELIC-08"], "become one form about the item, with a text field for another answer", async () => {
    rig = await startRig(forms);
    askUser([color, note]);
    expect((await rig.elicitation()).params).toEqual({
      mode: "form",
      sessionId: rig.sessionId,
      toolCallId: "ask-1",
      message: "Which color?\nAnything else?",
      requestedSchema: {
        type: "object",
        properties: {
          color: {
            type: "string",
            title: "Color",
            description: "Which color?",
            oneOf: [
              { const: "Blue", title: "Blue", description: "Like the sea" },
              { const: "Red", title: "Red" },
            ],
          },
          color__other: { type: "string", title: "Color: other", description: "Another answer" },
          note: { type: "string", title: "Note", description: "Anything else?" },
        },
      },
    });
  });

  const answers: readonly { what: string; answer: ElicitationCreateResult; want: unknown }[] = [
    {
      what: "choices and texts",
      answer: { action: "accept", content: { color: "Blue", note: "no" } },
      want: { color: { answers: ["Blue"] }, note: { answers: ["no"] } },
    },
    {
      what: "another answer",
      answer: { action: "accept", content: { color__other: "Green" } },
      want: { color: { answers: ["user_note: Green"] } },
    },
    {
      what: "a choice and a note to it",
      answer: { action: "accept", content: { color: "Red", color__other: "dark" } },
      want: { color: { answers: ["Red", "user_note: dark"] } },
    },
    { what: "nothing", answer: { action: "accept", content: {} }, want: {} },
    { what: "no content", answer: { action: "accept" }, want: {} },
    { what: "what is no text", answer: { action: "accept", content: { color: 1, note: "" } }, want: {} },
    { what: "a refusal", answer: { action: "decline" }, want: {} },
    { what: "a dismissal", answer: { action: "cancel" }, want: {} },
  ];
  for (const { what, answer, want } of answers) {
    clause(["ELIC-07", "ELIC-08"], `K-15: ${what} goes back as ${JSON.stringify(want)}`, async () => {
      rig = await startRig(forms);
      const asked = askUser([color, note]);
      (await rig.elicitation()).answer(answer);
      expect(await asked.answer).toEqual({ answers: want });
      await rig.finish();
      expect(rig.states()).toEqual(["running", "requires_action", "running", "idle"]);
    });
  }

  clause(["STATE-06"], "that do not block the turn leave it running", async () => {
    rig = await startRig(forms);
    const asked = askUser([note], { isBlocking: false });
    const dialog = await rig.elicitation();
    await rig.settle();
    expect(rig.states()).toEqual(["running"]);
    dialog.answer({ action: "accept", content: { note: "n" } });
    expect(await asked.answer).toEqual({ answers: { note: { answers: ["n"] } } });
    await rig.finish();
    expect(rig.states()).toEqual(["running", "idle"]);
  });

  test("for a secret are never asked; the others are, and the host is told", async () => {
    rig = await startRig(forms);
    const asked = askUser([secret, note]);
    const dialog = await rig.elicitation();
    expect(JSON.stringify(dialog.params)).not.toContain("API key");
    expect(notices()).toEqual([expect.objectContaining({ severity: "warning", description: "Your API key?" })]);
    dialog.answer({ action: "accept", content: { note: "n", key: "sk-1" } });
    expect(await asked.answer).toEqual({ answers: { note: { answers: ["n"] } } });
  });

  test("for secrets alone are not answered, and the host is told", async () => {
    rig = await startRig(forms);
    expect(await askUser([secret]).answer).toEqual({ answers: {} });
    expect(rig.elicitations).toEqual([]);
    expect(notices()).toHaveLength(1);
    expect(rig.states()).toEqual(["running"]);
  });

  clause(["ELIC-03"], "are not answered where the client has no forms, and the host is told", async () => {
    rig = await startRig({ capabilities: { elicitation: { url: {} } } });
    expect(await askUser([color]).answer).toEqual({ answers: {} });
    expect(rig.elicitations).toEqual([]);
    expect(notices()).toEqual([expect.objectContaining({ severity: "warning", description: "Which color?" })]);
  });
});
