/**
 * Turns of every kind, told to a host of draft v2 and to hosts of version 1: at the end they have the same. On a failure
 * fast-check prints the seed and the path; run again with `fc.assert(…, { seed, path })`.
 */

import fc from "fast-check";
import { expect, test } from "vitest";
import { agentNotifications, hostRequests as theirs } from "../../src/generated/acp-v1/methods.js";
import type { ClientCapabilities } from "../../src/generated/acp-v1/types.js";
import { notifications } from "../../src/generated/codex/methods.js";
import type { ThreadItem } from "../../src/generated/codex/types.js";
import { hostRequests } from "../../src/generated/contract/methods.js";
import type { Update } from "../../src/projection/update.js";
import * as items from "../../src/testing/scripted-codex/items.js";
import { nextTurn, type TurnScript } from "../../src/testing/scripted-codex/turn.js";
import type { BridgeInProcess } from "../support/bridge.js";
import { startBridge } from "../support/bridge-agent.js";
import { schemasV1 } from "../support/schemas-v1.js";
import { type Shown, shownOf, shownOfV1 } from "../support/shown.js";

/** Something that happens in a turn; `id` names what it is about. */
type Step = (play: Play, id: string) => void;

interface Play {
  readonly turn: TurnScript;
  readonly bridge: BridgeInProcess;
}

const text = fc.oneof(fc.string({ unit: "grapheme", maxLength: 40 }), fc.constantFrom("a\nb\n", "```x```", "ä😀"));
const pieces = fc.array(text, { maxLength: 4 });

const begun =
  (item: (id: string) => ThreadItem, then: (play: Play, id: string) => void): Step =>
  (play, id) => {
    play.turn.itemStarted(item(id));
    then(play, id);
  };

const at = ({ turn: { threadId, turnId } }: Play, itemId: string) => ({ threadId, turnId, itemId });

const message = fc.tuple(pieces, text, fc.nat(2)).map(
  ([deltas, rest, ends]): Step =>
    begun(
      (id) => items.agentMessage({ id }),
      ({ turn }, id) => {
        for (const delta of deltas) turn.messageDelta(id, delta);
        // Codex may say it twice.
        for (let times = 0; times < ends; times += 1) {
          turn.itemCompleted(items.agentMessage({ id, text: deltas.join("") + rest }));
        }
      },
    ),
);

const thought = fc.tuple(fc.array(text, { maxLength: 3 }), fc.boolean()).map(
  ([summary, streamed]): Step =>
    ({ turn }, id) => {
      if (streamed) turn.reasoning(summary, { id });
      else turn.item(items.reasoning({ id }), items.reasoning({ id, summary }));
    },
);

const reads = [{ type: "read" as const, command: "cat a", name: "a", path: "/home/user/project/a" }];

const command = fc
  .record({
    deltas: pieces,
    record: fc.option(text),
    exitCode: fc.constantFrom(0, 1),
    ends: fc.boolean(),
    shell: fc.boolean(),
  })
  .map(({ deltas, record, exitCode, ends, shell }): Step => {
    const item = (id: string) =>
      items.commandExecution({ id, command: "run", ...(shell ? {} : { commandActions: reads }) });
    return begun(item, ({ turn }, id) => {
      for (const delta of deltas) turn.outputDelta(id, delta);
      const status = exitCode === 0 ? "completed" : "failed";
      if (ends) turn.itemCompleted({ ...item(id), status, exitCode, aggregatedOutput: record ?? deltas.join("") });
    });
  });

const change = fc.constantFrom(
  { path: "new", kind: { type: "add" as const }, diff: "one\ntwo" },
  { path: "a b", kind: { type: "delete" as const }, diff: "gone\n" },
  { path: "f", kind: { type: "update" as const, move_path: null }, diff: "@@ -1,2 +1 @@\n a\n-b\n" },
  {
    path: "g",
    kind: { type: "update" as const, move_path: "h" },
    diff: "@@ -1 +1 @@\n-é\n+e\n\\ No newline at end of file\n",
  },
);

const patch = fc.array(change, { minLength: 1, maxLength: 3 }).map(
  (changes): Step =>
    ({ turn }, id) =>
      void turn.patch(changes, { id }),
);

const mcp = fc.tuple(pieces, fc.boolean()).map(
  ([progress, ends]): Step =>
    begun(
      (id) => items.mcpToolCall({ id, server: "s", tool: "t" }),
      (play, id) => {
        for (const said of progress)
          play.bridge.codex.notify(notifications.itemMcpToolCallProgress, { ...at(play, id), message: said });
        if (ends)
          play.turn.itemCompleted({ ...items.mcpToolCall({ id, server: "s", tool: "t" }), status: "completed" });
      },
    ),
);

const other = fc.constantFrom<Step>(
  ({ turn }, id) => turn.item(items.webSearch({ id, query: "what" })),
  ({ turn }, id) => turn.item(items.imageView({ id, path: "/home/user/project/a.png" })),
  ({ turn }, id) => turn.itemStarted(items.contextCompaction({ id })),
  ({ turn }, id) => turn.item(items.contextCompaction({ id })),
  ({ turn }) => turn.usage(7, 7),
  ({ turn }) => turn.error({ message: "again", codexErrorInfo: null, additionalDetails: null }, true),
  ({ bridge, turn: { threadId, turnId } }) =>
    bridge.codex.notify(notifications.turnPlanUpdated, {
      threadId,
      turnId,
      explanation: null,
      plan: [
        { step: "first", status: "completed" },
        { step: "second", status: "inProgress" },
      ],
    }),
  ({ bridge, turn: { threadId } }) =>
    bridge.codex.notify(notifications.threadNameUpdated, { threadId, threadName: "Named" }),
  ({ turn }, id) =>
    turn.itemCompleted(items.userMessage({ id, content: [{ type: "text", text: "hi", text_elements: [] }] })),
);

const steps = fc.array(fc.oneof(message, thought, command, patch, mcp, other), { maxLength: 8 });
type End = "completed" | "failed" | "interrupted";
const end = fc.constantFrom<End>("completed", "failed", "interrupted");
const failure = { message: "it failed", codexErrorInfo: null, additionalDetails: null };

/** Runs the turn to its end. The receipt of the prompt is the same in both versions. */
async function run(bridge: BridgeInProcess, sessionId: string, list: readonly Step[], ends: End) {
  const answer = bridge.host.call("session/prompt", {
    sessionId,
    prompt: [{ type: "text", text: "go" }],
    _meta: { alwith: { messageId: "mine" } },
  });
  answer.catch(() => undefined);
  const turn = await nextTurn(bridge.codex);
  turn.begin();
  for (const [index, step] of list.entries()) step({ turn, bridge }, `item-${index}`);
  turn.complete(ends, ends === "failed" ? failure : undefined);
  await bridge.clock.settle();
  await bridge.clock.advance(10_000);
  return answer.catch((error: unknown) => ({ failed: (error as Error).message }));
}

const cwd = "/home/user/project";

async function draft(list: readonly Step[], ends: End): Promise<Shown> {
  const bridge = startBridge();
  const { host } = bridge;
  await host.request(hostRequests.initialize, {
    protocolVersion: 2,
    info: { name: "t", version: "0" },
    capabilities: {},
  });
  const { sessionId } = await host.request(hostRequests.sessionNew, { cwd, mcpServers: [] });
  await run(bridge, sessionId, list, ends);
  await bridge.close();
  // The strict checker holds every frame to the schema that this type is made from.
  return shownOf(host.updates(sessionId) as Update[], new Set(["mine"]));
}

async function versionOne(list: readonly Step[], ends: End, clientCapabilities: ClientCapabilities) {
  const bridge = startBridge({ held: schemasV1 });
  const { host } = bridge;
  await host.request(theirs.initialize, { protocolVersion: 1, clientCapabilities });
  const { sessionId } = await host.request(theirs.sessionNew, { cwd, mcpServers: [] });
  const answer = await run(bridge, sessionId, list, ends);
  await bridge.close();
  const updates = host.notifications(agentNotifications.sessionUpdate).map(({ update }) => update);
  return { answer, shown: shownOfV1(updates), updates };
}

const reason = {
  completed: { stopReason: "end_turn" },
  interrupted: { stopReason: "cancelled" },
  failed: { failed: failure.message },
};

const all: ClientCapabilities = {
  _meta: { terminal_output: true },
  plan: {},
  session: { compaction: {}, notices: {}, configOptions: { boolean: {} } },
};

/** Kinds that the stable schema of version 1 does not have. */
const unstable = new Set([
  "plan_update",
  "plan_removed",
  "subagent_update",
  "session_message",
  "session_message_chunk",
]);

test("a host of version 1 ends up with what a host of draft v2 has", async () => {
  await fc.assert(
    fc.asyncProperty(steps, end, fc.boolean(), async (list, ends, declares) => {
      const wanted = await draft(list, ends);
      const { answer, shown, updates } = await versionOne(list, ends, declares ? all : {});
      expect(shown).toEqual(wanted);
      expect(answer).toMatchObject(reason[ends]);
      if (!declares) expect(updates.filter(({ sessionUpdate }) => unstable.has(sessionUpdate))).toEqual([]);
    }),
    { numRuns: 60 },
  );
});
