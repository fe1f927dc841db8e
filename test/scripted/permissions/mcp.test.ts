import { afterEach, describe, expect } from "vitest";
import { clause } from "../../support/clause.js";
import { isUpdate } from "../../support/host.js";
import { askMcp, chosen, dismissed, optionIds, type Rig, startMcpCall, startRig } from "./rig.js";

let rig: Rig;

afterEach(() => rig.bridge.close());

const noFields = { type: "object" as const, properties: {} };

const askTool = (tool: string, args: unknown = {}, persist?: unknown) =>
  askMcp(rig, {
    mode: "form",
    message: `Allow the tiny MCP server to run tool "${tool}"?`,
    requestedSchema: noFields,
    _meta: {
      codex_approval_kind: "mcp_tool_call",
      tool_name: tool,
      tool_params: args,
      ...(persist ? { persist } : {}),
    },
  });

const subjectOf = (dialog: { params: { subject?: unknown } }): unknown => dialog.params.subject;
const about = (toolCallId: string) => ({ type: "tool_call", toolCall: { toolCallId } });

describe("the approval of an MCP tool call", () => {
  clause(["PERM-01", "PERM-02", "PERM-11", "PERM-13"], "is a permission about the item that waits for it", async () => {
    rig = await startRig();
    const itemId = startMcpCall(rig, "mutate");
    askTool("mutate");
    const dialog = await rig.permission();
    expect(dialog.params).toMatchObject({
      title: "Allow tool call?",
      description: 'Allow the tiny MCP server to run tool "mutate"?',
      subject: about(itemId),
    });
    for (const { _meta } of dialog.params.options)
      expect(_meta).toEqual({ codex: { description: expect.any(String) } });
    expect(rig.elicitations).toEqual([]);
  });

  const kinds = [
    { persist: undefined, want: ["allow_once", "allow_session", "decline", "cancel"] },
    { persist: ["session"], want: ["allow_once", "allow_session", "decline", "cancel"] },
    { persist: ["session", "always"], want: ["allow_once", "allow_session", "allow_always", "decline", "cancel"] },
    { persist: "always", want: ["allow_once", "allow_session", "allow_always", "decline", "cancel"] },
  ];
  for (const { persist, want } of kinds) {
    clause(["PERM-11"], `with persist ${JSON.stringify(persist)} offers ${want.join(", ")}`, async () => {
      rig = await startRig();
      startMcpCall(rig, "mutate");
      askTool("mutate", {}, persist);
      expect(optionIds(await rig.permission())).toEqual(want);
    });
  }

  const no = (action: string) => ({ action, content: null, _meta: null });
  const answers = [
    { what: "allow_once", answer: chosen("allow_once"), want: { action: "accept", content: {}, _meta: null } },
    {
      what: "allow_session",
      answer: chosen("allow_session"),
      want: { action: "accept", content: {}, _meta: { persist: "session" } },
    },
    {
      what: "allow_always",
      answer: chosen("allow_always"),
      want: { action: "accept", content: {}, _meta: { persist: "always" } },
    },
    { what: "decline", answer: chosen("decline"), want: no("decline") },
    { what: "cancel", answer: chosen("cancel"), want: no("cancel") },
    { what: "an option that was not offered", answer: chosen("accept"), want: no("decline") },
    { what: "a cancelled outcome", answer: dismissed, want: no("cancel") },
  ];
  for (const { what, answer, want } of answers) {
    clause(
      ["PERM-03", "PERM-11"],
      `${what} tells Codex ${want.action} with ${JSON.stringify(want._meta)}`,
      async () => {
        rig = await startRig();
        startMcpCall(rig, "mutate");
        const asked = askTool("mutate", {}, ["session", "always"]);
        (await rig.permission()).answer(answer);
        expect(await asked.answer).toEqual(want);
      },
    );
  }

  clause(["PERM-02"], "finds its item by server, tool, arguments and order", async () => {
    rig = await startRig();
    startMcpCall(rig, "echo");
    const one = startMcpCall(rig, "mutate", { text: "one" });
    const two = startMcpCall(rig, "mutate", { text: "two" });
    const three = startMcpCall(rig, "mutate", { text: "three" });
    askTool("mutate", { text: "two" });
    askTool("mutate", { text: "not what any has" });
    askTool("mutate", { text: "nor this" });
    await rig.permission(3);
    expect(rig.permissions.map(subjectOf)).toEqual([about(two), about(one), about(three)]);
  });

  clause(["PERM-01"], "without an item has a call of its own, which ends with the question", async () => {
    rig = await startRig();
    const asked = askTool("mutate", { text: "x" });
    const dialog = await rig.permission();
    expect(subjectOf(dialog)).toMatchObject({
      toolCall: { name: "mcp", title: "tiny: mutate", kind: "execute", rawInput: { text: "x" } },
    });
    dialog.answer(chosen("allow_once"));
    await asked.answer;
    await rig.finish();
    const calls = rig.bridge.host.updates(rig.sessionId).filter(isUpdate("tool_call_update"));
    expect(calls).toEqual([expect.objectContaining({ status: "completed" })]);
  });
});

describe("an MCP request that has a message and no form", () => {
  clause(
    ["ELIC-06", "PERM-01", "PERM-11"],
    "is asked as a permission, about the only call of that server",
    async () => {
      rig = await startRig({ capabilities: { elicitation: { form: {} } } });
      const itemId = startMcpCall(rig, "ask");
      const asked = askMcp(rig, { mode: "form", message: "Shall I?", requestedSchema: noFields });
      const dialog = await rig.permission();
      expect(dialog.params).toMatchObject({
        title: "Question from tiny",
        description: "Shall I?",
        subject: about(itemId),
      });
      expect(optionIds(dialog)).toEqual(["accept", "decline", "cancel"]);
      expect(rig.elicitations).toEqual([]);
      dialog.answer(chosen("accept"));
      expect(await asked.answer).toEqual({ action: "accept", content: {}, _meta: null });
    },
  );

  const answers = [
    { what: "decline", answer: chosen("decline"), want: "decline" },
    { what: "an option that was not offered", answer: chosen("allow_once"), want: "decline" },
    { what: "a cancelled outcome", answer: dismissed, want: "cancel" },
  ];
  for (const { what, answer, want } of answers) {
    clause(["ELIC-06", "PERM-03"], `${what} tells Codex ${want}`, async () => {
      rig = await startRig();
      const asked = askMcp(rig, { mode: "form", message: "Shall I?", requestedSchema: noFields });
      (await rig.permission()).answer(answer);
      expect(await asked.answer).toEqual({ action: want, content: null, _meta: null });
    });
  }
});
