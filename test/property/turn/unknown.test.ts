/** What a newer Codex may say and no schema of ours has: the turn ends as it would have, and every frame to the host is on contract. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { notifications, requests } from "../../../src/generated/codex/methods.js";
import { hostRequests } from "../../../src/generated/contract/methods.js";
import { codexNotifications } from "../../../src/generated/testing/arbitraries.js";
import { anyJson } from "../../../src/testing/schema/index.js";
import type { ScriptedCodex } from "../../../src/testing/scripted-codex/core.js";
import { turnOf, turnScript } from "../../../src/testing/scripted-codex/turn.js";
import { startBridge } from "../../support/bridge-agent.js";
import { isUpdate, type Update } from "../../support/host.js";

const runs = 100;

interface Frame {
  readonly method: string;
  readonly params: unknown;
}

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const turnId = "turn-1";
const messageId = "msg-last";
const commandId = "call-1";

/** Values of these members are of a closed list in our schemas, and tell nothing of whose turn it is or how it ends. */
const soft = new Set(["itemsView", "phase", "source"]);

/** The value with a member more in each object, and values that nobody knows where the schema has a list of them. */
const novel = (value: unknown, spoil: boolean): unknown => {
  if (Array.isArray(value)) return value.map((it) => novel(it, spoil));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, member]): [string, unknown] => {
    if (spoil && soft.has(key) && typeof member === "string") return [key, "novel"];
    if (spoil && key === "commandActions") return [key, [{ type: "novel", command: "x", novel: 1 }]];
    return [key, novel(member, spoil)];
  });
  return { ...Object.fromEntries(entries), novel: { of: ["a", { newer: "Codex" }] } };
};

/** Notifications about a turn that leave its end alone. */
const harmless = [
  "hookCompleted",
  "turnPlanUpdated",
  "itemStarted",
  "itemCompleted",
  "itemAgentMessageDelta",
  "itemPlanDelta",
  "itemCommandExecutionOutputDelta",
  "itemCommandExecutionTerminalInteraction",
  "itemFileChangePatchUpdated",
  "itemMcpToolCallProgress",
  "itemReasoningSummaryTextDelta",
  "itemReasoningSummaryPartAdded",
  "itemReasoningTextDelta",
  "itemAutoApprovalReviewStarted",
  "itemAutoApprovalReviewCompleted",
  "mcpServerStartupStatusUpdated",
  "warning",
  "guardianWarning",
  "configWarning",
  "deprecationNotice",
  "modelVerification",
] as const;

type Known = (typeof harmless)[number];

interface Noise {
  /** Before which frame of the turn. */
  readonly at: number;
  readonly frame: Frame;
  /** For an item of a type that nobody knows. */
  readonly item?: string;
}

const threadId = "the session's";

/** A plan that is done asks the user whether to go on: that is no noise. */
const isPlan = ({ params }: Frame): boolean =>
  isObject(params) && isObject(params["item"]) && params["item"]["type"] === "plan";

const known = (key: Known): fc.Arbitrary<Frame> =>
  codexNotifications[key]()
    .map((params): Frame => {
      const ours = "threadId" in params ? { ...params, threadId } : params;
      const { method } = notifications[key];
      return { method, params: novel("turnId" in params ? { ...ours, turnId } : ours, true) };
    })
    .filter((frame) => !isPlan(frame));

const unknownNotification: fc.Arbitrary<Frame> = fc.record({
  method: fc.constantFrom("novel/thing", "turn/novel", "item/novel/delta", "thread/novel"),
  params: anyJson.map((json) => (isObject(json) ? { ...json, threadId, turnId } : json)),
});

const unknownItem: fc.Arbitrary<{ frame: Frame; item: string }> = fc
  .record({
    id: fc.nat({ max: 5 }),
    type: fc.constantFrom("novelItem", "futureToolCall", "__proto__", "constructor"),
    json: anyJson,
    method: fc.constantFrom(notifications.itemStarted.method, notifications.itemCompleted.method),
  })
  .map(({ id, type, json, method }) => {
    const item = { ...(isObject(json) ? json : { payload: json }), type, id: `novel-${id}` };
    return { item: item.id, frame: { method, params: { threadId, turnId, item, startedAtMs: 1, completedAtMs: 2 } } };
  });

/** A turn with a command and a message, as the frames that the scripted Codex would send. */
function storyOf(codex: ScriptedCodex, threadId: string): Frame[] {
  const frames: Frame[] = [];
  const recorder: ScriptedCodex = {
    ...codex,
    notify: ({ method }, params) => void frames.push({ method, params }),
  };
  const story = turnScript(recorder, { threadId, turnId }, [{ type: "text", text: "go", text_elements: [] }]);
  story.begin();
  story.command("ls", { id: commandId, output: "a\nb\n" });
  story.message("All done.", { id: messageId, phase: "final_answer", deltas: ["All ", "done."] });
  story.complete();
  return frames;
}

/** What a host ends up with of the turn itself. */
const outcomeOf = (updates: readonly Update[]) => ({
  ends: updates.flatMap((it) => (isUpdate("state_update")(it) && it.state === "idle" ? [it.stopReason] : [])),
  message: updates
    .filter(isUpdate("agent_message"))
    .filter((it) => it.messageId === messageId)
    .at(-1)?.content,
  command: updates
    .filter(isUpdate("tool_call_update"))
    .filter((it) => it.toolCallId === commandId)
    .at(-1)?.status,
});

async function play(noises: readonly Noise[], spoil: boolean): Promise<void> {
  const bridge = startBridge();
  const { host, codex, clock } = bridge;
  await host.request(hostRequests.initialize, {
    protocolVersion: 2,
    info: { name: "test", version: "0" },
    capabilities: {},
  });
  const { sessionId } = await host.request(hostRequests.sessionNew, { cwd: "/home/user/project", mcpServers: [] });
  codex.on(requests.turnStart, () => ({ turn: turnOf(turnId) }));
  await clock.settle();
  const opened = host.updates(sessionId).length;
  await host.request(hostRequests.sessionPrompt, { sessionId, prompt: [{ type: "text", text: "go" }] });
  const story = storyOf(codex, sessionId);
  const inside = story.findIndex(({ method }) => method === notifications.turnStarted.method) + 1;
  for (const [index, frame] of story.entries()) {
    // Within the turn: what comes before or after it belongs to none.
    for (const it of noises.filter(({ at }) => inside + (at % (story.length - inside - 1)) === index)) {
      codex.raw({ ...placed(it.frame, sessionId), emittedAtMs: 1 });
    }
    codex.raw({ ...frame, params: novel(frame.params, spoil), emittedAtMs: 1 });
  }
  await clock.settle();
  const updates = host.updates(sessionId).slice(opened);
  expect(outcomeOf(updates)).toEqual({
    ends: ["end_turn"],
    message: [{ type: "text", text: "All done." }],
    command: "completed",
  });
  const calls = updates.filter(isUpdate("tool_call_update"));
  for (const id of new Set(noises.flatMap(({ item }) => item ?? []))) {
    expect(calls.find(({ toolCallId }) => toolCallId === id)).toMatchObject({ name: "_codex_item", kind: "other" });
  }
  await bridge.close();
}

/** The frame for the session's own thread, where it names one. */
const placed = ({ method, params }: Frame, threadId: string): Frame => ({
  method,
  params: isObject(params) && "threadId" in params ? { ...params, threadId } : params,
});

const noise: fc.Arbitrary<Noise> = fc.oneof(
  fc.record({ at: fc.nat(), frame: fc.constantFrom(...harmless).chain(known) }),
  fc.record({ at: fc.nat(), frame: unknownNotification }),
  fc.tuple(fc.nat(), unknownItem).map(([at, it]) => ({ at, ...it })),
);

test(`a turn ends as ever, whatever a newer Codex says in it: ${runs} mixtures`, { timeout: 120_000 }, async () => {
  await fc.assert(fc.asyncProperty(fc.array(noise, { maxLength: 12 }), fc.boolean(), play), { numRuns: runs });
});

test("with nothing new it ends as it should", () => play([], false));
