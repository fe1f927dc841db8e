import type fc from "fast-check";
import { notifications, requests, serverRequests } from "../../src/generated/codex/methods.js";
import { codexNotifications, codexServerRequests, threadItems } from "../../src/generated/testing/arbitraries.js";
import type { NotificationDescriptor, RequestDescriptor } from "../../src/runtime/index.js";
import { CodexFailure } from "../../src/testing/scripted-codex/core.js";
import { commandExecution } from "../../src/testing/scripted-codex/items.js";
import { turnOf, turnScript } from "../../src/testing/scripted-codex/turn.js";
import type { RunningTurn, World } from "./world.js";

type Step = (world: World) => void;

/** What Codex refuses with; texts that the bridge tells apart, and others. */
const refusals = [
  "thread not found: x",
  "thread x already has an active writer",
  "no active turn to steer",
  "expected active turn id `a` but found `b`",
  "session x is archived; unarchive it first",
  "Invalid request: missing field `x`",
  "the disk is on fire",
  "",
] as const;

/** It reads, and says nothing: no answer, no word of a turn, until it is started anew. */
const isSilent = ({ silent, bridge }: World): boolean => silent > 0 && silent === bridge.codex.starts;

/** The Codex that runs, or else the next one, has said its last word. */
export const fallSilent: Step = (world) => {
  const { codex } = world.bridge;
  world.silent = codex.running ? codex.starts : codex.starts + 1;
};

/** There is one, and it speaks. */
const speaks = (world: World): boolean => world.bridge.codex.running && !isSilent(world);

/** Any request may be answered late, never, or with a refusal. */
export function meddle(world: World): void {
  world.bridge.codex.interfere = (method, answer) => {
    const { dice, calm, later } = world;
    if (isSilent(world)) return new Promise(() => undefined);
    if (calm || (method === requests.initialize.method && !dice.oneIn(8))) return answer();
    switch (dice.choose(16)) {
      case 0:
        return new Promise(() => undefined);
      case 1:
        throw new CodexFailure(dice.oneIn(2) ? -32600 : -32603, dice.pick(refusals));
      case 2:
      case 3: {
        const { starts } = world.bridge.codex;
        const given = (): boolean => world.silent !== starts;
        return new Promise((resolve) => later.push(() => given() && resolve(Promise.resolve().then(answer))));
      }
      default:
        return answer();
    }
  };
}

/** Turns as a Codex has them: one at a time and thread. */
export function playTurns(world: World): void {
  const { codex } = world.bridge;
  let count = 0;
  const start = (threadId: string): RunningTurn => {
    const running = world.turns.get(threadId);
    if (running) return running;
    count += 1;
    const turnId = `turn-${count}`;
    const turn = Object.assign(turnScript(codex, { threadId, turnId }), { turnId, begun: false });
    world.turns.set(threadId, turn);
    return turn;
  };
  const fits = (threadId: string, turnId: string): boolean => {
    const turn = world.turns.get(threadId);
    return turn?.begun === true && turn.turnId === turnId;
  };
  codex.on(requests.turnStart, ({ threadId }) => ({ turn: turnOf(start(threadId).turnId) }));
  codex.on(requests.reviewStart, ({ threadId }) => ({
    turn: turnOf(start(threadId).turnId),
    reviewThreadId: threadId,
  }));
  codex.on(requests.threadCompactStart, ({ threadId }) => {
    start(threadId);
    return {};
  });
  codex.on(requests.turnSteer, ({ threadId, expectedTurnId }) => {
    if (!fits(threadId, expectedTurnId)) throw new CodexFailure(-32600, "no active turn to steer");
    return { turnId: expectedTurnId };
  });
  codex.on(requests.turnInterrupt, ({ threadId, turnId }, { afterAnswer }) => {
    if (!fits(threadId, turnId)) throw new CodexFailure(-32600, "no active turn to interrupt");
    const turn = world.turns.get(threadId);
    world.turns.delete(threadId);
    if (!world.dice.oneIn(4)) afterAnswer(() => turn?.complete("interrupted"));
    return {};
  });
}

/** One thing that the Codex of a running turn does. */
export const turnStep: Step = (world) => {
  const { dice, turns, bridge } = world;
  const [threadId, turn] = dice.pick([...turns]) ?? [];
  if (threadId === undefined || turn === undefined || !speaks(world)) return;
  if (!turn.begun) {
    turn.begun = true;
    turn.begin();
    return;
  }
  const end = (status: "completed" | "failed" | "interrupted"): void => {
    turns.delete(threadId);
    const error = { message: "no", codexErrorInfo: null, additionalDetails: null };
    turn.complete(status, status === "failed" ? error : undefined);
  };
  const steps: [() => unknown, ...(() => unknown)[]] = [
    () => turn.message("hello", { deltas: ["hel", "lo"] }),
    () => turn.reasoning(["hm", "so"]),
    () => turn.command("ls", { output: "a\n", exitCode: dice.choose(2) }),
    () =>
      turn.itemStarted(commandExecution({ id: `open-${turn.turnId}-${dice.choose(3)}-${bridge.log.entries.length}` })),
    () => turn.patch([{ path: "/home/user/project/a", kind: { type: "add" }, diff: "x\n" }]),
    () => turn.usage(1, bridge.log.entries.length),
    () => turn.error({ message: "again", codexErrorInfo: null, additionalDetails: null }, true),
    () => end("completed"),
    () => end("completed"),
    () => end(dice.oneIn(2) ? "failed" : "interrupted"),
  ];
  dice.pick(steps)();
};

/** A known thread, a running turn and an item of few, wherever the params name one: else nothing would ever meet. */
function aim(world: World, params: unknown): unknown {
  if (typeof params !== "object" || params === null || Array.isArray(params)) return params;
  const { dice } = world;
  const aimed: Record<string, unknown> = { ...params };
  const threadId = dice.pick([...world.sessions]);
  if ("threadId" in aimed && threadId !== undefined && !dice.oneIn(6)) aimed["threadId"] = threadId;
  const turnId = world.turns.get(String(aimed["threadId"]))?.turnId;
  if (typeof aimed["turnId"] === "string" && turnId !== undefined && !dice.oneIn(4)) aimed["turnId"] = turnId;
  if (typeof aimed["itemId"] === "string") aimed["itemId"] = `item-${dice.choose(4)}`;
  const { item } = aimed;
  if (typeof item === "object" && item !== null) aimed["item"] = { ...item, id: `item-${dice.choose(4)}` };
  return aimed;
}

const notificationKeys = Object.keys(codexNotifications) as [keyof typeof codexNotifications];
const questionKeys = Object.keys(codexServerRequests) as [keyof typeof codexServerRequests];
const itemKeys = Object.keys(threadItems) as [keyof typeof threadItems];

/** Made once: an arbitrary of a large schema is slow to build. */
const made = new Map<string, fc.Arbitrary<unknown>>();
function arbitraryOf(kind: string, key: string, make: () => fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const name = `${kind} ${key}`;
  const arbitrary = made.get(name) ?? make();
  made.set(name, arbitrary);
  return arbitrary;
}

/** Any notification that the schemas allow, sometimes twice, sometimes late. */
export const anyNotification: Step = (world) => {
  const { dice, bridge, later } = world;
  if (!speaks(world)) return;
  const key = dice.pick(notificationKeys);
  const descriptor = notifications[key] as NotificationDescriptor<unknown>;
  const drawn = dice.draw(arbitraryOf("notification", key, codexNotifications[key]));
  let params = aim(world, drawn);
  if ((key === "itemStarted" || key === "itemCompleted") && typeof params === "object" && params !== null) {
    const kind = dice.pick(itemKeys);
    const item = dice.draw(arbitraryOf("item", kind, threadItems[kind] as () => fc.Arbitrary<unknown>));
    params = aim(world, { ...params, item });
  }
  const tell = (): void => {
    if (speaks(world)) bridge.codex.notify(descriptor, params);
  };
  if (dice.oneIn(6)) later.push(tell);
  else tell();
  if (dice.oneIn(6)) tell();
};

/**
 * What an answer repeats of its request. Drawn, it would have members that nobody knows, and the answer would be off the
 * schema that it is held to.
 */
const repeated: { readonly [Key in keyof typeof codexServerRequests]?: object } = {
  itemPermissionsRequestApproval: { permissions: { network: { enabled: true }, fileSystem: null } },
  itemCommandExecutionRequestApproval: {
    availableDecisions: null,
    proposedExecpolicyAmendment: null,
    proposedNetworkPolicyAmendments: [{ action: "allow", host: "example.org" }],
  },
};

/** Any request that the schemas allow; the answer is Codex's alone. */
export const anyQuestion: Step = (world) => {
  const { dice, bridge } = world;
  if (!speaks(world)) return;
  const key = dice.pick(questionKeys);
  const descriptor = serverRequests[key] as RequestDescriptor<unknown, unknown>;
  const drawn = aim(world, dice.draw(arbitraryOf("question", key, codexServerRequests[key])));
  const params = { ...Object(drawn), ...(repeated[key] ?? {}) };
  const { answer } = bridge.codex.ask(descriptor, params);
  answer.catch(() => undefined);
};

const garbage = [
  "",
  "null",
  "[]",
  "{}",
  "nonsense",
  '{"id":0}',
  '{"method":7}',
  '{"id":"x","result":{}}',
  "{".repeat(64),
] as const;

/** Lines that are no frames, and the end of Codex between any two bytes. */
export const breakCodex: Step = (world) => {
  const { dice, bridge, turns } = world;
  if (!bridge.codex.running) return;
  if (!dice.oneIn(3)) {
    if (!speaks(world)) return;
    world.garbage.codex += 1;
    bridge.codex.rawText(`${dice.pick(garbage)}\n`);
    return;
  }
  turns.clear();
  const frame =
    '{"method":"item/agentMessage/delta","params":{"threadId":"t","turnId":"u","itemId":"i","delta":"é"}}\n';
  world.garbage.codex += 1;
  if (dice.oneIn(2)) bridge.codex.rawText(frame.slice(0, dice.choose(frame.length)));
  if (dice.oneIn(4)) bridge.codex.closeOutput();
  else bridge.codex.die(dice.oneIn(2) ? { code: dice.choose(2) } : { signal: "SIGKILL" });
};
