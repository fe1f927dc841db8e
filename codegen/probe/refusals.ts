import type { CodexErrorKind } from "../../src/codex/error-text.js";
import { execCommand, message, stall } from "../../src/testing/scripted-model/steps.js";
import type { Probe } from "./probe.js";
import { type ProbeRig, textInput } from "./rig.js";

const scripts = [
  { key: "GO", steps: [message("Done.")] },
  { key: "BUSY", steps: [execCommand("sleep 30", { yield_time_ms: 20_000 })] },
  { key: "", steps: [stall()] },
];

const unknown = "019a0000-0000-7000-8000-000000000000";

/** Codex gives nearly all errors one code: the bridge classifies by these texts. */
const refusal = (
  name: string,
  question: string,
  kind: CodexErrorKind,
  work: (rig: ProbeRig) => Promise<Promise<unknown>[]> | Promise<unknown>[],
): Probe => ({
  name: `says-${name}`,
  question,
  kind,
  scripts,
  async ask(rig) {
    const texts: string[] = [];
    for (const one of await work(rig)) texts.push(await rig.outcome(one));
    return [...new Set(texts)].join("; ");
  },
});

const stored = async (rig: ProbeRig): Promise<string> => {
  const threadId = await rig.thread();
  await rig.turn(threadId, "GO");
  return threadId;
};

export const refusalProbes: readonly Probe[] = [
  refusal("unknown-thread-read", "What does reading an unknown thread say?", "thread-not-found", ({ codex }) => [
    codex.client.threadRead({ threadId: unknown }),
  ]),
  refusal("unknown-thread-resume", "What does resuming an unknown thread say?", "thread-not-found", ({ codex }) => [
    codex.client.threadResume({ threadId: unknown }),
  ]),
  refusal("unknown-thread-turn", "What does a turn on an unknown thread say?", "thread-not-found", ({ codex }) => [
    codex.client.turnStart({ threadId: unknown, input: textInput("GO") }),
  ]),
  refusal(
    "unknown-thread-unarchive",
    "What does unarchiving an unknown thread say?",
    "thread-not-found",
    ({ codex }) => [codex.client.threadUnarchive({ threadId: unknown })],
  ),
  refusal("bad-thread-id", "What does an id that is none say?", "thread-not-found", ({ codex }) => [
    codex.client.threadRead({ threadId: "zebra" }),
  ]),
  refusal("unknown-turn", "What does a fork at an unknown turn say?", "turn-not-found", async (rig) => [
    rig.codex.client.threadFork({ threadId: await stored(rig), lastTurnId: unknown }),
  ]),
  refusal("archived", "What does resuming an archived thread say?", "thread-archived", async (rig) => {
    const threadId = await stored(rig);
    await rig.codex.client.threadArchive({ threadId });
    return [rig.codex.client.threadResume({ threadId })];
  }),
  refusal("empty-turns", "What does listing the turns of a thread without any say?", "thread-empty", async (rig) => [
    rig.codex.client.threadTurnsList({ threadId: await rig.thread() }),
  ]),
  refusal("legacy-items", "What does listing the items of a legacy thread say?", "history-unsupported", async (rig) => {
    const threadId = await rig.thread({ historyMode: "legacy" });
    await rig.turn(threadId, "GO");
    return [rig.codex.client.threadItemsList({ threadId })];
  }),
  refusal(
    "active-writer",
    "What does resuming a thread that another process has open say?",
    "active-writer",
    async (rig) => {
      const threadId = await stored(rig);
      const { client } = await rig.second();
      return [client.threadResume({ threadId })];
    },
  ),
  refusal("nothing-to-interrupt", "What does an interrupt without a turn say?", "no-active-turn", async (rig) => [
    rig.codex.client.turnInterrupt({ threadId: await stored(rig), turnId: unknown }),
  ]),
  refusal("nothing-to-steer", "What does a steer without a turn say?", "no-active-turn", async (rig) => [
    rig.codex.client.turnSteer({ threadId: await stored(rig), expectedTurnId: unknown, input: textInput("MORE") }),
  ]),
  refusal(
    "other-turn",
    "What does a steer into another turn than the running one say?",
    "other-active-turn",
    async (rig) => {
      const threadId = await rig.thread();
      await rig.codex.client.turnStart({ threadId, input: textInput("BUSY") });
      await rig.codex.until("item/started", (it) => JSON.stringify(it).includes("commandExecution"));
      const answer = rig.codex.client.turnSteer({ threadId, expectedTurnId: unknown, input: textInput("MORE") });
      // Its refusal is what is asked about; here it only has to have come.
      await answer.catch(() => undefined);
      await rig.codex.client.threadBackgroundTerminalsClean({ threadId });
      return [answer];
    },
  ),
  refusal("review-not-steerable", "What does a steer into a review say?", "turn-not-steerable", async (rig) => {
    const threadId = await rig.thread();
    const review = { type: "custom" as const, instructions: "Look." };
    const { turn } = await rig.codex.client.reviewStart({ threadId, target: review });
    await rig.codex.until("turn/started");
    return [rig.codex.client.turnSteer({ threadId, expectedTurnId: turn.id, input: textInput("MORE") })];
  }),
  refusal("fork-depends", "What does deleting a thread that has a fork say?", "fork-depends", async (rig) => {
    const threadId = await stored(rig);
    await rig.codex.client.threadFork({ threadId });
    return [rig.codex.client.threadDelete({ threadId })];
  }),
  refusal("bad-cursor", "What does a cursor that is none say?", "invalid-cursor", async (rig) => [
    rig.codex.client.threadTurnsList({ threadId: await stored(rig), cursor: "zebra" }),
  ]),
  refusal("missing-member", "What do params without a member that is required say?", "invalid-params", ({ codex }) => [
    codex.request("thread/read", {}),
  ]),
  {
    name: "says-unknown-method",
    question: "What does a method that Codex does not have say?",
    async ask(rig) {
      const text = await rig.outcome(rig.codex.request("codex-acp-kit/methods", {}));
      const list = text.indexOf("expected one of");
      return list < 0 ? text : `${text.slice(0, list)}expected one of, and all methods`;
    },
  },
];
