/**
 * One mapping: for every turn that the scripted Codex can send, what a client has after the live turn is what it has
 * after a replay and from the history, but for `differences`. On a failure fast-check prints the seed and the path; run
 * again with `fc.assert(…, { seed, path })`.
 */

import fc from "fast-check";
import { expect, test } from "vitest";
import { notifications, requests } from "../../../src/generated/codex/methods.js";
import type { ThreadItem, Turn } from "../../../src/generated/codex/types.js";
import { agentRequests, hostNotifications, hostRequests } from "../../../src/generated/contract/methods.js";
import { fileUri } from "../../../src/projection/user-input.js";
import { userMessage } from "../../../src/testing/scripted-codex/items.js";
import { nextTurn, type TurnScript, turnOf } from "../../../src/testing/scripted-codex/turn.js";
import { keepThreads, storedThread } from "../../scripted/history/rig.js";
import type { BridgeInProcess } from "../../support/bridge.js";
import { startBridge } from "../../support/bridge-agent.js";
import { comparable, type Known, keepsPlace } from "../../support/differences.js";
import type { Update } from "../../support/host.js";
import { transcriptOf } from "../../support/transcript.js";
import { type ItemPlan, type Piece, type TurnPlan, turnPlans } from "./turn-plans.js";

const cwd = "/home/user/project";

/** What Codex has of a turn once it is over. */
interface Played {
  readonly turn: Turn;
  /** Every item was told whole before the next began, so that the order of the record is that of the turn. */
  readonly inOrder: boolean;
}

function send({ codex }: BridgeInProcess, { threadId, turnId }: TurnScript, itemId: string, piece: Piece): void {
  const at = { threadId, turnId, itemId };
  switch (piece.kind) {
    case "message":
      codex.notify(notifications.itemAgentMessageDelta, { ...at, delta: piece.text });
      break;
    case "summary":
      codex.notify(notifications.itemReasoningSummaryTextDelta, { ...at, delta: piece.text, summaryIndex: 0 });
      break;
    case "raw":
      codex.notify(notifications.itemReasoningTextDelta, { ...at, delta: piece.text, contentIndex: 0 });
      break;
    case "plan":
      codex.notify(notifications.itemPlanDelta, { ...at, delta: piece.text });
      break;
    case "output":
      codex.notify(notifications.itemCommandExecutionOutputDelta, { ...at, delta: piece.text });
      break;
    case "stdin":
      codex.notify(notifications.itemCommandExecutionTerminalInteraction, {
        ...at,
        processId: "1",
        stdin: piece.text,
      });
      break;
    case "progress":
      codex.notify(notifications.itemMcpToolCallProgress, { ...at, message: piece.text });
      break;
    case "patch":
      codex.notify(notifications.itemFileChangePatchUpdated, { ...at, changes: piece.changes });
      break;
  }
}

/** Runs the turn as Codex does, and gives what Codex has recorded of it. */
async function play(bridge: BridgeInProcess, sessionId: string, plan: TurnPlan, n: number): Promise<Played> {
  const { codex, host, clock } = bridge;
  await host.request(hostRequests.sessionPrompt, { sessionId, prompt: [{ type: "text", text: plan.prompt }] });
  const script = await nextTurn(codex, n);
  const startedAt = codex.now();
  const recorded: ThreadItem[] = [];
  const record = (item: ThreadItem): void => {
    recorded.push({ ...item, startedAtMs: startedAt, completedAtMs: codex.now() });
  };
  script.begin();
  record(
    userMessage({
      id: `user_${script.turnId}_1`,
      clientId: codex.calls(requests.turnStart)[n - 1]?.params.clientUserMessageId ?? null,
      content: [...script.input],
    }),
  );
  // Ids are the thread's, not the turn's.
  const named = (item: ThreadItem): ThreadItem => ({ ...item, id: `${n}-${item.id}` });
  const end = ({ ended }: ItemPlan): void => {
    if (!ended) return;
    script.itemCompleted(named(ended));
    record(named(ended));
  };
  for (const item of plan.items) {
    if (!item.silent) {
      script.itemStarted(named(item.started));
      for (const piece of item.pieces) send(bridge, script, named(item.started).id, piece);
    }
    if (!item.late) end(item);
  }
  for (const item of plan.items) if (item.late) end(item);
  for (const { left } of plan.items)
    if (left) recorded.push({ ...named(left), startedAtMs: startedAt, completedAtMs: null });
  await clock.advance(2000);
  if (plan.end === "interrupted") {
    const interrupts = codex.calls(requests.turnInterrupt).length;
    host.notify(hostNotifications.sessionCancel, { sessionId });
    await codex.received(requests.turnInterrupt, interrupts + 1);
    script.complete("interrupted");
  } else script.complete(plan.end, plan.end === "failed" ? plan.error : undefined);
  await host.idle(sessionId, n);
  const turn = turnOf(script.turnId, {
    status: plan.end,
    error: plan.end === "failed" ? plan.error : null,
    items: recorded,
    itemsView: "full",
    startedAt: Math.floor(startedAt / 1000),
    completedAt: Math.floor(codex.now() / 1000),
    durationMs: codex.now() - startedAt,
  });
  return { turn, inOrder: plan.items.every(inPlace) };
}

const inPlace = ({ late, left, started }: ItemPlan): boolean =>
  keepsPlace({ type: started.type, overlaps: late || left !== null });

interface Told {
  readonly live: readonly Update[];
  readonly replayed: readonly Update[];
  readonly history: readonly Update[];
  readonly played: readonly Played[];
}

/** The same turns three times: as they run, replayed, and from the history. */
async function tell(bridge: BridgeInProcess, plans: readonly TurnPlan[]): Promise<Told> {
  const { codex, host } = bridge;
  await host.request(hostRequests.initialize, {
    protocolVersion: 2,
    info: { name: "test", version: "0" },
    capabilities: {},
  });
  host.on(agentRequests.requestPermission, () => ({ outcome: { outcome: "cancelled" as const } }));
  const { sessionId } = await host.request(hostRequests.sessionNew, { cwd, mcpServers: [] });
  const played: Played[] = [];
  for (const [index, plan] of plans.entries()) played.push(await play(bridge, sessionId, plan, index + 1));
  const live = host.updates(sessionId);
  await host.request(hostRequests.sessionClose, { sessionId });
  // Not the bridge's own, so that no receipts of reviews are missed.
  const thread = storedThread({ id: sessionId, sessionId, cwd, originator: "codex_exec", status: { type: "idle" } });
  keepThreads(codex, [{ thread, turns: played.map(({ turn }) => turn) }]);
  await host.request(hostRequests.sessionResume, { sessionId, cwd, mcpServers: [], replayFrom: { type: "start" } });
  const replayed = host.updates(sessionId).slice(live.length);
  const { turns } = await host.request(hostRequests.codexSessionHistory, {
    sessionId,
    itemsView: "full",
    limit: 100,
    maxBytes: 16 * 1024 * 1024,
  });
  return { live, replayed, history: turns.flatMap(({ updates }) => updates) as Update[], played };
}

test("a turn is the same to a client whether it ran, was replayed or was read from the history", async () => {
  let turns = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(turnPlans, { minLength: 1, maxLength: 5 }), async (plans) => {
      const bridge = startBridge();
      try {
        const { live, replayed, history, played } = await tell(bridge, plans);
        const items = played.flatMap(({ turn }) => turn.items);
        const ids = new Set(
          items.flatMap((item) => (item.type === "userMessage" ? [item.id, item.clientId] : [item.id])),
        );
        const failures = new Set(played.map(({ turn }) => `error-${turn.id}`));
        const grown = plans.flatMap((plan, at) =>
          plan.items.flatMap(({ pieces, started }) =>
            pieces.some(({ kind }) => kind === "patch") ? [`${at + 1}-${started.id}`] : [],
          ),
        );
        const grew = (id: string): boolean => grown.includes(id);
        const uris = items.flatMap((item) =>
          item.type === "userMessage"
            ? item.content.flatMap((input) => (input.type === "localImage" ? [fileUri(input.path)] : []))
            : [],
        );
        const attached = (uri: unknown): boolean => uris.includes(String(uri));
        const recorded = (id: string): boolean => ids.has(id) || failures.has(id);
        const known = { grew, attached, recorded, history: false };
        const all = (): boolean => true;
        const compare = (updates: readonly Update[], more: Partial<Known>) =>
          comparable(transcriptOf(updates), { ...known, ...more });
        // What was not recorded is known live alone; the other two invent nothing (REPLAY-02).
        const [ran, again] = [compare(live, {}), compare(replayed, { recorded: all })];
        expect(Object.fromEntries(again)).toEqual(Object.fromEntries(ran));
        if (played.every(({ inOrder }) => inOrder)) expect([...again.keys()]).toEqual([...ran.keys()]);
        const read = compare(history, { recorded: all, history: true });
        expect(Object.fromEntries(read)).toEqual(Object.fromEntries(compare(live, { history: true })));
        expect([...read.keys()]).toEqual([...compare(replayed, { history: true }).keys()]);
        turns += plans.length;
      } finally {
        await bridge.close();
      }
    }),
    { numRuns: 100 },
  );
  expect(turns).toBeGreaterThan(200);
}, 60_000);
