import {
  applyPatch,
  execCommand,
  functionCall,
  httpError,
  message,
  stall,
} from "../../src/testing/scripted-model/steps.js";
import { isObject, type JsonObject } from "../json.js";
import type { Probe } from "./probe.js";
import { type ProbeRig, textInput } from "./rig.js";

const itemOf = (params: JsonObject): JsonObject => (isObject(params["item"]) ? params["item"] : {});
const isItem = (type: string) => (params: JsonObject) => itemOf(params)["type"] === type;
const turnOf = (params: JsonObject): JsonObject => (isObject(params["turn"]) ? params["turn"] : {});

const running = async (rig: ProbeRig, threadId: string, text: string): Promise<string> => {
  const { turn } = await rig.codex.client.turnStart({ threadId, input: textInput(text) });
  await rig.codex.until("turn/started");
  return turn.id;
};

const listed = async ({ codex }: ProbeRig, threadId: string): Promise<number> =>
  (await codex.client.threadBackgroundTerminalsList({ threadId })).data.length;

const retries = (name: string, request: number, stream: number): Probe => ({
  name,
  question: `How often is a failing model asked with request_max_retries ${request} and stream_max_retries ${stream}?`,
  scripts: [{ key: "GO", steps: [httpError(500)] }],
  async ask(rig) {
    const config = {
      "model_providers.scripted.request_max_retries": request,
      "model_providers.scripted.stream_max_retries": stream,
    };
    const threadId = await rig.thread({ config });
    const ended = await rig.outcome(rig.turn(threadId, "GO"));
    return ended === "works" ? `${rig.model.requests.length} requests` : `its turn is ${ended}`;
  },
});

export const turnProbes: readonly Probe[] = [
  {
    name: "command-outlives-turn",
    question: "What becomes of a command that still runs when its turn ends?",
    scripts: [{ key: "GO", steps: [execCommand("sleep 1; echo late", { yield_time_ms: 250 }), message("Done.")] }],
    async ask(rig) {
      const threadId = await rig.thread();
      await rig.turn(threadId, "GO");
      const before = rig.codex.told.some(
        ({ method, params }) => method === "item/completed" && isObject(params) && isItem("commandExecution")(params),
      );
      const terminals = await listed(rig, threadId);
      const done = itemOf(await rig.codex.until("item/completed", isItem("commandExecution")));
      return `${terminals} listed; its item is completed ${before ? "before" : "after"} the turn's end, ${String(done["status"])}`;
    },
  },
  {
    name: "interrupt-leaves-command",
    question: "What does an interrupt do to a running command?",
    scripts: [{ key: "GO", steps: [execCommand("sleep 30", { yield_time_ms: 20_000 }), message("Done.")] }],
    async ask(rig) {
      const threadId = await rig.thread();
      const turnId = await running(rig, threadId, "GO");
      await rig.codex.until("item/started", isItem("commandExecution"));
      await rig.codex.client.turnInterrupt({ threadId, turnId });
      const status = String(turnOf(await rig.codex.until("turn/completed"))["status"]);
      const terminals = await listed(rig, threadId);
      await rig.codex.client.threadBackgroundTerminalsClean({ threadId });
      const done = itemOf(await rig.codex.until("item/completed", isItem("commandExecution")));
      return `turn ${status}; ${terminals} listed; cleaned away it ends as ${String(done["status"])}`;
    },
  },
  {
    name: "compaction-interrupted",
    question: "Can a compaction be interrupted?",
    scripts: [
      { key: "GO", steps: [message("Done.")] },
      { key: "", steps: [stall()] },
    ],
    async ask(rig) {
      const threadId = await rig.thread();
      const { id } = await rig.turn(threadId, "GO");
      await rig.codex.client.threadCompactStart({ threadId });
      const started = turnOf(await rig.codex.until("turn/started", (it) => turnOf(it)["id"] !== id));
      const turnId = String(started["id"]);
      await rig.codex.until("item/started", isItem("contextCompaction"));
      const interrupted = await rig.outcome(rig.codex.client.turnInterrupt({ threadId, turnId }));
      if (interrupted !== "works") return interrupted;
      const ended = turnOf(await rig.codex.until("turn/completed", (it) => turnOf(it)["id"] === turnId));
      // Whether its item completes before that is a matter of moments, on every version.
      return `turn ${String(ended["status"])}`;
    },
  },
  {
    name: "compaction-turn",
    question: "How is a compaction told?",
    scripts: [{ key: "", steps: [message("Done.")] }],
    async ask(rig) {
      const threadId = await rig.thread();
      const { id } = await rig.turn(threadId, "GO");
      await rig.codex.client.threadCompactStart({ threadId });
      await rig.codex.until("turn/completed", (it) => turnOf(it)["id"] !== id);
      const methods = rig.codex.told
        .filter(
          ({ params }) => isObject(params) && (isItem("contextCompaction")(params) || params["turnId"] === undefined),
        )
        .map(({ method }) => method);
      const items = methods.filter((it) => it.startsWith("item/")).join(", ");
      return `a turn of its own with ${items}${methods.includes("thread/compacted") ? ", and thread/compacted" : ""}`;
    },
  },
  {
    name: "turn-start-while-busy",
    question: "What does starting a turn on a busy thread do?",
    scripts: [{ key: "GO", steps: [execCommand("sleep 30", { yield_time_ms: 20_000 })] }],
    async ask(rig) {
      const threadId = await rig.thread();
      const turnId = await running(rig, threadId, "GO");
      await rig.codex.until("item/started", isItem("commandExecution"));
      const second = await rig.codex.client.turnStart({ threadId, input: textInput("MORE") });
      await rig.codex.client.threadBackgroundTerminalsClean({ threadId });
      return second.turn.id === turnId ? "it answers with the running turn's id" : "it answers with another turn's id";
    },
  },
  {
    name: "steer-cuts-answer",
    question: "Does a steer cut off an answer that is being written?",
    scripts: [
      { key: "MORE", steps: [message("Turned around.")] },
      { key: "GO", steps: [[message("Writing on."), stall()]] },
    ],
    async ask(rig) {
      const threadId = await rig.thread();
      const turnId = await running(rig, threadId, "GO");
      await rig.codex.until("item/agentMessage/delta");
      await rig.codex.client.turnSteer({ threadId, expectedTurnId: turnId, input: textInput("MORE") });
      const taken = rig.codex
        .until("item/started", (it) => isItem("userMessage")(it) && JSON.stringify(it).includes("MORE"))
        .then(() => "yes");
      // The answer never ends by itself: Codex gives it up after the silence that its config allows.
      const ended = rig.codex.until("error").then(() => "no, it waits for the answer to end");
      return Promise.race([taken, ended]);
    },
  },
  {
    name: "turn-completed-items",
    question: "Which items does the end of a turn carry?",
    scripts: [{ key: "GO", steps: [[message({ text: "First.", phase: "commentary" }), message("Last.")]] }],
    async ask(rig) {
      const threadId = await rig.thread();
      await rig.turn(threadId, "GO");
      const { items, itemsView } = turnOf(await rig.codex.until("turn/completed"));
      const types = Array.isArray(items)
        ? items.filter(isObject).map((it) => `${String(it["type"])} "${String(it["text"])}"`)
        : [];
      return `${types.join(", ") || "none"} (${String(itemsView)})`;
    },
  },
  {
    name: "review-turn-ids",
    question: "Do the answer to review/start and turn/started name the same turn?",
    git: true,
    scripts: [
      {
        key: "",
        steps: [
          message(
            JSON.stringify({
              findings: [],
              overall_correctness: "patch is correct",
              overall_explanation: "Fine.",
              overall_confidence_score: 1,
            }),
          ),
        ],
      },
    ],
    async ask(rig) {
      const threadId = await rig.thread();
      const { turn } = await rig.codex.client.reviewStart({
        threadId,
        target: { type: "custom", instructions: "Look." },
      });
      const started = turnOf(await rig.codex.until("turn/started"));
      const ended = turnOf(await rig.codex.until("turn/completed"));
      const same = (it: JsonObject): string => (it["id"] === turn.id ? "the same" : "another");
      return `turn/started names ${same(started)}, turn/completed ${same(ended)}`;
    },
  },
  {
    name: "approval-first-id",
    question: "Which id has the first request that Codex makes?",
    scripts: [{ key: "GO", steps: [execCommand("touch made.txt"), message("Done.")] }],
    async ask(rig) {
      const threadId = await rig.thread({ approvalPolicy: "untrusted" });
      await running(rig, threadId, "GO");
      const asked = await rig.codex.untilAsked("item/commandExecution/requestApproval");
      rig.codex.respond(asked, { decision: "decline" });
      await rig.codex.until("turn/completed");
      return JSON.stringify(asked.id);
    },
  },
  {
    name: "approval-unlisted-decline",
    question: "Is decline taken though it is not among the decisions that Codex offers?",
    scripts: [{ key: "GO", steps: [execCommand("touch made.txt"), message("Done.")] }],
    async ask(rig) {
      const threadId = await rig.thread({ approvalPolicy: "untrusted" });
      await running(rig, threadId, "GO");
      const asked = await rig.codex.untilAsked("item/commandExecution/requestApproval");
      const offered = isObject(asked.params) ? asked.params["availableDecisions"] : undefined;
      const names = Array.isArray(offered)
        ? offered.map((it) => (isObject(it) ? Object.keys(it).join() : String(it)))
        : [];
      rig.codex.respond(asked, { decision: "decline" });
      const item = itemOf(await rig.codex.until("item/completed", isItem("commandExecution")));
      const ended = turnOf(await rig.codex.until("turn/completed"));
      return `offered: ${names.join(", ")}; item ${String(item["status"])}, turn ${String(ended["status"])}`;
    },
  },
  {
    name: "file-change-cancel",
    question: "Does the item of a file change complete when its approval is answered with cancel?",
    scripts: [
      {
        key: "GO",
        steps: [applyPatch("*** Begin Patch\n*** Add File: new.txt\n+new\n*** End Patch"), message("Done.")],
      },
    ],
    async ask(rig) {
      const threadId = await rig.thread({ approvalPolicy: "untrusted" });
      await running(rig, threadId, "GO");
      const asked = await rig.codex.untilAsked("item/fileChange/requestApproval");
      rig.codex.respond(asked, { decision: "cancel" });
      const ended = turnOf(await rig.codex.until("turn/completed"));
      const completed = rig.codex.told.some(
        ({ method, params }) => method === "item/completed" && isObject(params) && isItem("fileChange")(params),
      );
      return `${completed ? "it does" : "it does not"}; turn ${String(ended["status"])}`;
    },
  },
  {
    name: "dynamic-tools-after-resume",
    question: "Are dynamic tools still there after a restart and a resume that does not name them?",
    scripts: [
      { key: "GO", steps: [message("Done.")] },
      { key: "CALL", steps: [functionCall("lookup", { word: "x" }), message("Done.")] },
    ],
    async ask(rig) {
      const dynamicTools = [
        {
          type: "function" as const,
          name: "lookup",
          description: "Looks up.",
          inputSchema: { type: "object", properties: {} },
        },
      ];
      const threadId = await rig.thread({ dynamicTools });
      await rig.turn(threadId, "GO");
      await rig.restart();
      await rig.codex.client.threadResume({ threadId });
      await running(rig, threadId, "CALL");
      const called = rig.codex.untilAsked("item/tool/call").then((asked) => {
        rig.codex.respond(asked, { contentItems: [{ type: "inputText", text: "y" }], success: true });
        return "they are called";
      });
      const ended = rig.codex.until("turn/completed").then(() => "the turn ends without a call");
      return Promise.race([called, ended]);
    },
  },
  {
    name: "service-tier-words",
    question: "What reaches the model for the service tiers fast, priority, default and null?",
    scripts: [{ key: "", steps: [message("Done.")] }],
    async ask(rig) {
      const sent: string[] = [];
      for (const serviceTier of ["fast", "priority", "default", null]) {
        const threadId = await rig.thread();
        await rig.turn(threadId, "GO", { serviceTier });
        const body = rig.model.requests.at(-1)?.body;
        sent.push(`${serviceTier}: ${isObject(body) ? String(body["service_tier"] ?? "nothing") : "no request"}`);
      }
      return sent.join("; ");
    },
  },
  retries("retry-keys-0-0", 0, 0),
  retries("retry-keys-1-1", 1, 1),
];
