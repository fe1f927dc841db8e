/** What a turn of the real Codex can be beside words, commands and patches, and each way in which one fails. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { agentRequests, hostNotifications, hostRequests } from "../../src/generated/contract/methods.js";
import {
  cut,
  functionCall,
  httpError,
  message,
  type Part,
  reasoning,
  responseFailed,
  responseIncomplete,
  stall,
  webSearch,
} from "../../src/testing/scripted-model/steps.js";
import { isUpdate } from "../support/host.js";
import { startUpdates, type UpdatesRig } from "./updates-rig.js";

let rig: UpdatesRig;

/** How the model fails, what Codex calls it, and how the turn ends. */
const failures: readonly (readonly [key: string, step: Part, category: string, stopReason: string])[] = [
  [
    "E400",
    httpError(400, { error: { code: "context_length_exceeded", message: "too long" } }),
    "contextWindowExceeded",
    "max_tokens",
  ],
  ["E404", httpError(404, { error: { code: "model_not_found", message: "no such model" } }), "modelNotFound", "error"],
  ["E500", httpError(500), "internalServerError", "error"],
  ["E503", httpError(503, { error: { code: "server_is_overloaded", message: "busy" } }), "serverOverloaded", "error"],
  ["EQUOTA", responseFailed("insufficient_quota"), "usageLimitExceeded", "error"],
  ["ERATE", responseFailed("rate_limit_exceeded"), "rateLimitExceeded", "error"],
  ["ECYBER", responseFailed("cyber_policy"), "cyberPolicy", "refusal"],
  ["EPROMPT", responseFailed("invalid_prompt"), "other", "error"],
  ["EMAX", responseIncomplete("max_output_tokens"), "other", "error"],
  ["ECUT", cut(), "other", "error"],
];

const findings = JSON.stringify({
  findings: [
    {
      title: "The shed is empty",
      body: "Nothing is kept in it.",
      confidence_score: 0.9,
      priority: 2,
      code_location: { absolute_file_path: "/shed.ts", line_range: { start: 1, end: 1 } },
    },
  ],
  overall_correctness: "patch is incorrect",
  overall_explanation: "It holds nothing.",
  overall_confidence_score: 0.9,
});

const plan = "# Plan\n- tidy the shed\n";

beforeAll(async () => {
  rig = await startUpdates({
    tables: ["[tools.update_plan]", "enabled = true"],
    scripts: [
      { key: "THINK", steps: [[reasoning(["Look first.", "Then leap."]), message("Leapt.")]] },
      {
        key: "STEPS",
        steps: [
          functionCall("update_plan", {
            explanation: "two steps",
            plan: [
              { step: "look", status: "completed" },
              { step: "leap", status: "in_progress" },
            ],
          }),
          message("Planned."),
        ],
      },
      { key: "WEB", steps: [[webSearch("how to leap"), message("Searched.")]] },
      { key: "SHED", steps: [message(`Here it is.\n<proposed_plan>\n${plan}</proposed_plan>`)] },
      { key: "Implement", steps: [message("Tidied.")] },
      { key: "STALL", steps: [stall()] },
      { key: "FINDINGS", steps: [message(findings)] },
      ...failures.map(([key, step]) => ({ key, steps: [step] })),
      { key: "", steps: [message("Whatever you say.")] },
    ],
  });
});

afterAll(() => rig.bridge.close());

describe("a turn of the real Codex", () => {
  test("with thoughts streams each summary as a paragraph of one thought", async () => {
    const { turn, ofKind } = await rig.open();
    expect(await turn("THINK")).toMatchObject({ stopReason: "end_turn" });
    const chunks = ofKind("agent_thought_chunk");
    expect(new Set(chunks.map(({ messageId }) => messageId)).size).toBe(1);
    const thought = chunks.map(({ content }) => Object(content).text).join("");
    expect(thought).toBe("Look first.\n\nThen leap.");
    expect(ofKind("agent_message_chunk").length).toBeGreaterThan(0);
  });

  test("with a list of steps shows it as a plan, and no call", async () => {
    const { turn, ofKind, calls } = await rig.open();
    expect(await turn("STEPS")).toMatchObject({ stopReason: "end_turn" });
    expect(ofKind("plan_update").at(-1)).toMatchObject({
      plan: {
        type: "items",
        entries: [
          { content: "look", status: "completed" },
          { content: "leap", status: "in_progress" },
        ],
      },
    });
    expect(calls()).toEqual([]);
  });

  test("with a search of the web is a call that ends", async () => {
    const { turn, calls } = await rig.open();
    expect(await turn("WEB")).toMatchObject({ stopReason: "end_turn" });
    expect(calls()[0]).toMatchObject({
      name: "web_search",
      kind: "fetch",
      title: expect.stringContaining("how to leap"),
    });
    expect(calls().at(-1)).toMatchObject({ status: "completed" });
  });

  test.each([
    ["implement_plan", "Tidied."],
    ["revise_plan", "Here it is."],
  ])("in plan mode asks about its plan, and %s is done", async (optionId, last) => {
    const { turn, ofKind } = await rig.open();
    const asked: string[] = [];
    rig.bridge.host.on(agentRequests.requestPermission, ({ title, options }) => {
      asked.push(title, ...options.map((option) => option.optionId));
      return { outcome: { outcome: "selected", optionId } };
    });
    expect(await turn("/plan SHED")).toMatchObject({ stopReason: "end_turn" });
    expect(asked).toEqual(["Implement this plan?", "implement_plan", "revise_plan"]);
    expect(ofKind("plan_update").at(-1)).toMatchObject({
      plan: { type: "markdown", content: expect.stringContaining("tidy the shed") },
    });
    expect(JSON.stringify(ofKind("agent_message").at(-1))).toContain(last);
    expect(JSON.stringify(ofKind("agent_message"))).not.toContain("proposed_plan");
    expect(ofKind("state_update").map(({ state }) => state)).toContain("requires_action");
  });

  test("that compacts the conversation says so until it is done", async () => {
    const { sessionId, turn, prompt, ofKind } = await rig.open();
    await turn("THINK");
    await prompt("/compact");
    expect(await rig.bridge.host.idle(sessionId, 2)).toMatchObject({ stopReason: "end_turn" });
    expect(ofKind("compaction_update").map(({ status }) => status)).toEqual(["in_progress", "completed"]);
  });

  test("that reviews ends with what was found, once, whatever Codex says it twice", async () => {
    await writeFile(join(rig.bridge.home.workspace, "shed.ts"), "export const shed = 1;\n");
    const { turn, ofKind, sessionId } = await rig.open();
    expect(await turn("/review FINDINGS")).toMatchObject({ stopReason: "end_turn" });
    const said = ofKind("agent_message").map(({ content }) => JSON.stringify(content));
    expect(said.filter((text) => text.includes("The shed is empty"))).toHaveLength(1);
    // Its turn has two names at Codex, and another prompt starts a turn like any other.
    await rig.session(sessionId).prompt("THINK");
    expect(await rig.bridge.host.idle(sessionId, 2)).toMatchObject({ stopReason: "end_turn" });
  });

  test("that reviews can be stopped, although Codex starts it under another name", async () => {
    const { sessionId, prompt } = await rig.open();
    await prompt("/review STALL");
    await rig.bridge.host.update(sessionId, (it) => isUpdate("state_update")(it) && it.state === "running");
    rig.bridge.host.notify(hostNotifications.sessionCancel, { sessionId });
    expect(await rig.bridge.host.idle(sessionId)).toMatchObject({ stopReason: "cancelled" });
  });

  test("that is stopped in one piece with its prompt never runs, or is interrupted, and the next one works (K-04)", async () => {
    const { host } = rig.bridge;
    const { sessionId, prompt } = await rig.open();
    const frame = (id: number | null, method: string, params: object) => ({
      jsonrpc: "2.0",
      ...(id === null ? {} : { id }),
      method,
      params: { sessionId, ...params },
    });
    host.rawFrames(
      frame(9001, hostRequests.sessionPrompt.method, { prompt: [{ type: "text", text: "STALL" }] }),
      frame(null, hostNotifications.sessionCancel.method, {}),
    );
    expect(await host.idle(sessionId)).toMatchObject({ stopReason: "cancelled" });
    await prompt("THINK");
    expect(await host.idle(sessionId, 2)).toMatchObject({ stopReason: "end_turn" });
  });
});

describe("a turn of the real Codex that fails", () => {
  test.each(failures)("%s ends once, with Codex's own word for it, and the session goes on", async (...row) => {
    const [key, , category, stopReason] = row;
    const { sessionId, turn, prompt, ofKind } = await rig.open();
    const end = await turn(key);
    expect(end).toMatchObject({ stopReason });
    const told = ofKind("agent_message_chunk").flatMap(({ _meta }) => Object(_meta?.["codex"]).error ?? []);
    expect(told).toEqual([expect.objectContaining({ category })]);
    expect("error" in end).toBe(stopReason === "error");
    await prompt("THINK");
    expect(await rig.bridge.host.idle(sessionId, 2)).toMatchObject({ stopReason: "end_turn" });
  });
});
