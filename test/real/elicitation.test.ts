import { afterEach, expect } from "vitest";
import { agentNotifications, agentRequests, hostRequests } from "../../src/generated/contract/methods.js";
import type { ElicitationCreateParams, ElicitationCreateResult } from "../../src/generated/contract/types.js";
import { functionCall, message } from "../../src/testing/scripted-model/steps.js";
import { clause } from "../support/clause.js";
import { isUpdate } from "../support/host.js";
import { tinyMcpServer } from "../support/mcp.js";
import { type RealBridge, startRealBridge } from "../support/real-bridge.js";

let bridge: RealBridge;

afterEach(() => bridge.close());

const tiny = { namespace: "mcp__tiny" };

const schema = {
  type: "object",
  properties: { color: { type: "string", enum: ["r", "g"], enumNames: ["Red", "Green"] } },
  required: ["color"],
};

const question = {
  id: "size",
  header: "Size",
  question: "How large?",
  options: [
    { label: "S", description: "Small" },
    { label: "L", description: "Large" },
  ],
};

const answers: ElicitationCreateResult[] = [
  { action: "accept", content: { color: "g" } },
  { action: "decline" },
  { action: "accept" },
  { action: "accept", content: { size: "L", size__other: "but light" } },
];

clause(
  ["ELIC-01", "ELIC-02", "ELIC-04", "ELIC-05", "ELIC-07", "ELIC-08", "STATE-05"],
  "the real Codex puts forms, pages and questions to the host, and takes the answers",
  async () => {
    bridge = await startRealBridge({
      git: true,
      tables: [
        "[features]",
        "default_mode_request_user_input = true",
        "suppress_unstable_features_warning = true",
        "",
        ...tinyMcpServer(),
      ],
      scripts: [
        { key: "FORM", steps: [functionCall("ask_form", { message: "Which color?", schema }, tiny), message("Done.")] },
        { key: "REFUSED", steps: [functionCall("ask_form", { message: "Again?", schema }, tiny), message("Done.")] },
        {
          key: "PAGE",
          steps: [functionCall("ask_url", { message: "Look", url: "https://example.org/" }, tiny), message("Done.")],
        },
        { key: "QUESTION", steps: [functionCall("request_user_input", { questions: [question] }), message("Done.")] },
      ],
    });
    const { host, home, model } = bridge;
    const asked: ElicitationCreateParams[] = [];
    host.on(agentRequests.elicitationCreate, (params) => {
      asked.push(params);
      return answers[asked.length - 1] ?? { action: "cancel" };
    });
    await host.request(hostRequests.initialize, {
      protocolVersion: 2,
      info: { name: "test", version: "0" },
      capabilities: { elicitation: { form: {}, url: {} } },
    });
    const { sessionId } = await host.request(hostRequests.sessionNew, { cwd: home.workspace, mcpServers: [] });
    let turns = 0;
    const turn = async (key: string): Promise<void> => {
      turns += 1;
      await host.request(hostRequests.sessionPrompt, { sessionId, prompt: [{ type: "text", text: key }] });
      expect(await host.idle(sessionId, turns)).toMatchObject({ stopReason: "end_turn" });
    };
    /** What the tool gave back to the model. */
    const output = (key: string): string => {
      const { input } = Object(model.requests.findLast((request) => request.key === key)?.body);
      const last = Object(input).findLast(({ type }: { type: string }) => type === "function_call_output");
      return JSON.stringify(last).replaceAll("\\", "");
    };
    const states = (): string[] =>
      host.updates(sessionId).flatMap((update) => (isUpdate("state_update")(update) ? [update.state] : []));

    await turn("FORM");
    const call = host.updates(sessionId).find(isUpdate("tool_call_update"));
    expect(asked[0]).toEqual({
      mode: "form",
      sessionId,
      toolCallId: call?.toolCallId,
      message: "Which color?",
      requestedSchema: {
        type: "object",
        properties: {
          color: {
            type: "string",
            oneOf: [
              { const: "r", title: "Red" },
              { const: "g", title: "Green" },
            ],
          },
        },
        required: ["color"],
      },
    });
    expect(output("FORM")).toContain('{"color":"g"}');
    expect(states()).toEqual(["running", "requires_action", "running", "idle"]);

    await turn("REFUSED");
    expect(output("REFUSED")).toContain("decline");

    await turn("PAGE");
    expect(asked[2]).toMatchObject({ mode: "url", url: "https://example.org/", message: "Look" });
    const page = asked[2] as Extract<ElicitationCreateParams, { mode: "url" }>;
    expect(host.notifications(agentNotifications.elicitationComplete)).toEqual([{ elicitationId: page.elicitationId }]);

    await turn("QUESTION");
    expect(asked[3]).toMatchObject({ mode: "form", toolCallId: expect.any(String), message: "How large?" });
    expect(output("QUESTION")).toContain("user_note: but light");
  },
  60_000,
);
