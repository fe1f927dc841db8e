import { afterEach, describe, expect, test } from "vitest";
import { notifications, serverRequests } from "../../../src/generated/codex/methods.js";
import type { McpElicitationSchema } from "../../../src/generated/codex/types.js";
import { agentNotifications } from "../../../src/generated/contract/methods.js";
import type { ElicitationCreateResult } from "../../../src/generated/contract/types.js";
import { clause } from "../../support/clause.js";
import { answersTo, askMcp, ids, type Rig, startMcpCall, startRig, withdrawn } from "./rig.js";

let rig: Rig;

afterEach(() => rig.bridge.close());

const forms = { capabilities: { elicitation: { form: {} } } };
const pages = { capabilities: { elicitation: { url: {} } } };

const schema: McpElicitationSchema = {
  type: "object",
  properties: {
    name: { type: "string", title: "Name", minLength: 1, format: null },
    color: { type: "string", enum: ["r", "g"], enumNames: ["Red", "Green"], default: "g" },
    size: { type: "string", enum: ["S", "L"] },
    shape: { type: "string", oneOf: [{ const: "o", title: "Round" }], description: "Its form" },
    tags: { type: "array", items: { type: "string", enum: ["a", "b"] }, minItems: 1 },
    more: { type: "array", items: { anyOf: [{ const: "x", title: "X" }] } },
    count: { type: "integer", minimum: 0, maximum: 9, default: 3 },
    price: { type: "number", default: null },
    sure: { type: "boolean", default: false },
  },
  required: ["name"],
};

const askForm = (requestedSchema: McpElicitationSchema = schema) =>
  askMcp(rig, { mode: "form", message: "Please fill in", requestedSchema });

const askPage = () =>
  askMcp(rig, { mode: "url", message: "Please visit", url: "https://example.org/page", elicitationId: "page-1" });

describe("a form of an MCP server", () => {
  clause(["ELIC-01", "ELIC-02"], "goes to a client that has forms, with its choices titled", async () => {
    rig = await startRig(forms);
    const itemId = startMcpCall(rig, "ask");
    askForm();
    expect((await rig.elicitation()).params).toEqual({
      mode: "form",
      sessionId: rig.sessionId,
      toolCallId: itemId,
      message: "Please fill in",
      requestedSchema: {
        type: "object",
        properties: {
          name: { type: "string", title: "Name", minLength: 1 },
          color: {
            type: "string",
            default: "g",
            oneOf: [
              { const: "r", title: "Red" },
              { const: "g", title: "Green" },
            ],
          },
          size: {
            type: "string",
            oneOf: [
              { const: "S", title: "S" },
              { const: "L", title: "L" },
            ],
          },
          shape: { type: "string", description: "Its form", oneOf: [{ const: "o", title: "Round" }] },
          tags: { type: "array", items: { type: "string", enum: ["a", "b"] }, minItems: 1 },
          more: { type: "array", items: { anyOf: [{ const: "x", title: "X" }] } },
          count: { type: "integer", minimum: 0, maximum: 9, default: 3 },
          price: { type: "number" },
          sure: { type: "boolean", default: false },
        },
        required: ["name"],
      },
    });
  });

  test("is not tied to a call when the server has several", async () => {
    rig = await startRig(forms);
    startMcpCall(rig, "ask");
    startMcpCall(rig, "ask");
    askForm();
    expect((await rig.elicitation()).params).not.toHaveProperty("toolCallId");
  });

  const answers: readonly { what: string; answer: ElicitationCreateResult; want: unknown }[] = [
    {
      what: "an accepted form",
      answer: { action: "accept", content: { name: "n" } },
      want: { action: "accept", content: { name: "n" }, _meta: null },
    },
    {
      what: "an accepted empty one",
      answer: { action: "accept" },
      want: { action: "accept", content: {}, _meta: null },
    },
    { what: "a declined one", answer: { action: "decline" }, want: { action: "decline", content: null, _meta: null } },
    { what: "a cancelled one", answer: { action: "cancel" }, want: { action: "cancel", content: null, _meta: null } },
    {
      what: "an action of another kind",
      answer: { action: "_later", content: { name: "n" } },
      want: { action: "cancel", content: null, _meta: null },
    },
  ];
  for (const { what, answer, want } of answers) {
    clause(["ELIC-01", "STATE-05"], `K-15: ${what} reaches Codex once, and the turn goes on`, async () => {
      rig = await startRig(forms);
      const asked = askForm();
      (await rig.elicitation()).answer(answer);
      expect(await asked.answer).toEqual(want);
      await rig.finish();
      expect(rig.states()).toEqual(["running", "requires_action", "running", "idle"]);
    });
  }

  test("an error of the client cancels it", async () => {
    rig = await startRig(forms);
    const asked = askForm();
    (await rig.elicitation()).fail(new Error("no"));
    expect(await asked.answer).toEqual({ action: "cancel", content: null, _meta: null });
  });

  for (const { what, options } of [
    { what: "without elicitation", options: {} },
    { what: "with pages only", options: pages },
  ]) {
    clause(["ELIC-03"], `is cancelled for a client ${what}, and nothing is asked or shown`, async () => {
      rig = await startRig(options);
      await rig.settle();
      const before = rig.bridge.host.frames().length;
      const asked = askForm();
      expect(await asked.answer).toEqual({ action: "cancel", content: null, _meta: null });
      await rig.settle();
      expect(rig.bridge.host.frames()).toHaveLength(before);
    });
  }

  const emptyChoices: McpElicitationSchema["properties"][] = [
    { a: { type: "string", enum: [] } },
    { a: { type: "string", oneOf: [] } },
    { a: { type: "array", items: { type: "string", enum: [] } } },
    { a: { type: "array", items: { anyOf: [] } } },
  ];
  for (const properties of emptyChoices) {
    clause(["ELIC-03"], `with a choice of nothing is cancelled: ${JSON.stringify(properties)}`, async () => {
      rig = await startRig(forms);
      const asked = askForm({ type: "object", properties });
      expect(await asked.answer).toEqual({ action: "cancel", content: null, _meta: null });
      expect(rig.elicitations).toEqual([]);
    });
  }

  clause(["ELIC-02"], "keeps only whole bounds of a whole number", async () => {
    rig = await startRig(forms);
    askForm({ type: "object", properties: { n: { type: "integer", minimum: 1, maximum: 2.5, default: 0.5 } } });
    expect((await rig.elicitation()).params).toMatchObject({
      requestedSchema: { properties: { n: { type: "integer", minimum: 1 } } },
    });
    expect(JSON.stringify(rig.elicitations[0]?.params)).not.toMatch(/maximum|default/);
  });

  clause(["ELIC-03"], "that holds a field without a counterpart is cancelled as a whole", async () => {
    rig = await startRig(forms);
    rig.bridge.codex.raw({
      id: 77,
      method: serverRequests.mcpServerElicitationRequest.method,
      params: {
        ...ids(rig.turn),
        serverName: "tiny",
        mode: "form",
        message: "m",
        requestedSchema: { type: "object", properties: { a: { type: "colour" }, b: { type: "string" } } },
      },
    });
    await rig.settle();
    expect(answersTo(rig.bridge, 77)).toEqual([{ action: "cancel", content: null, _meta: null }]);
    expect(rig.elicitations).toEqual([]);
  });

  for (const mode of ["openai/form", "openaiForm", "openai/userVerification"] as const) {
    test(`K-15: mode ${mode} is cancelled unasked`, async () => {
      rig = await startRig({ capabilities: { elicitation: { form: {}, url: {} } } });
      const given =
        mode === "openai/userVerification"
          ? { mode, challenge: "c", title: "t", description: "d" }
          : { mode, requestedSchema: {} };
      const asked = askMcp(rig, given);
      expect(await asked.answer).toEqual({ action: "cancel", content: null, _meta: null });
      expect(rig.elicitations).toEqual([]);
    });
  }
});

describe("a page of an MCP server", () => {
  const completed = () => rig.bridge.host.notifications(agentNotifications.elicitationComplete);

  clause(["ELIC-04", "ELIC-05"], "is shown, and completed once Codex resolves the request", async () => {
    rig = await startRig(pages);
    const itemId = startMcpCall(rig, "ask");
    const asked = askPage();
    const dialog = await rig.elicitation();
    expect(dialog.params).toEqual({
      mode: "url",
      sessionId: rig.sessionId,
      toolCallId: itemId,
      elicitationId: "page-1",
      url: "https://example.org/page",
      message: "Please visit",
    });
    expect(completed()).toEqual([]);
    dialog.answer({ action: "accept" });
    expect(await asked.answer).toEqual({ action: "accept", content: {}, _meta: null });
    await rig.settle();
    expect(completed()).toEqual([{ elicitationId: "page-1" }]);
    await rig.finish();
    expect(completed()).toHaveLength(1);
  });

  clause(["ELIC-05"], "that Codex resolves while it is shown is completed and taken back", async () => {
    rig = await startRig(pages);
    const { id } = askPage();
    const dialog = await rig.elicitation();
    rig.bridge.codex.notify(notifications.serverRequestResolved, { threadId: rig.turn.threadId, requestId: id });
    await rig.settle();
    expect(completed()).toEqual([{ elicitationId: "page-1" }]);
    expect(withdrawn(rig.bridge)).toEqual([dialog.id]);
    expect(answersTo(rig.bridge, id)).toEqual([]);
  });

  for (const action of ["decline", "cancel"] as const) {
    clause(["ELIC-05"], `is not completed after ${action}`, async () => {
      rig = await startRig(pages);
      const asked = askPage();
      (await rig.elicitation()).answer({ action });
      expect(await asked.answer).toEqual({ action, content: null, _meta: null });
      await rig.finish();
      expect(completed()).toEqual([]);
    });
  }

  clause(["ELIC-04"], "is cancelled for a client that has forms only", async () => {
    rig = await startRig(forms);
    expect(await askPage().answer).toEqual({ action: "cancel", content: null, _meta: null });
    expect(rig.elicitations).toEqual([]);
  });
});
