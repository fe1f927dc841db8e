import { message } from "../../src/testing/scripted-model/steps.js";
import type { Probe } from "./probe.js";
import type { ProbeRig } from "./rig.js";

const scripts = [{ key: "GO", steps: [message("Done.")] }];

/** Which model a thread's turn went to. */
const turnOn = async (rig: ProbeRig, threadId: string): Promise<string> => {
  const before = { scripted: rig.model.requests.length, other: rig.other.requests.length };
  const ended = await rig.outcome(rig.turn(threadId, "GO"));
  if (ended !== "works") return `its turn is ${ended}`;
  const asked = [
    ...(rig.model.requests.length > before.scripted ? ["the first"] : []),
    ...(rig.other.requests.length > before.other ? ["the other"] : []),
  ];
  return `its turn goes to ${asked.join(" and ") || "no provider"}`;
};

/** A thread with one turn, on the process's own provider. */
const storedThread = async (rig: ProbeRig, provider?: string): Promise<string> => {
  const threadId = await rig.thread(provider === undefined ? {} : { modelProvider: provider });
  await rig.turn(threadId, "GO");
  return threadId;
};

/** Which provider a thread is on decides whether a session can change its model source. */
export const providerProbes: readonly Probe[] = [
  {
    name: "provider-on-start",
    question: "May a thread start on another provider than the process's own?",
    scripts,
    async ask(rig) {
      return turnOn(rig, await rig.thread({ modelProvider: "other" }));
    },
  },
  {
    name: "provider-on-resume",
    question: "May a stored thread be resumed on another provider?",
    scripts,
    kind: ["provider-fixed", "provider-not-default"],
    async ask(rig) {
      const threadId = await storedThread(rig);
      await rig.restart();
      const resumed = await rig.outcome(rig.codex.client.threadResume({ threadId, modelProvider: "other" }));
      return resumed === "works" ? turnOn(rig, threadId) : resumed;
    },
  },
  {
    name: "provider-on-fork",
    question: "May a fork go to another provider?",
    scripts,
    async ask(rig) {
      const threadId = await storedThread(rig);
      const { thread } = await rig.codex.client.threadFork({ threadId, modelProvider: "other" });
      return turnOn(rig, thread.id);
    },
  },
  {
    name: "provider-recorded-after-move",
    question: "Which provider do reading and listing name after a move?",
    scripts,
    async ask(rig) {
      const threadId = await storedThread(rig);
      await rig.restart();
      const moved = await rig.outcome(rig.codex.client.threadResume({ threadId, modelProvider: "other" }));
      if (moved !== "works") return "there is no move";
      await rig.turn(threadId, "GO");
      const { thread } = await rig.codex.client.threadRead({ threadId });
      const { data } = await rig.codex.client.threadList({ modelProviders: [] });
      const listed = data.find(({ id }) => id === threadId)?.modelProvider ?? "nothing";
      return `reading: ${thread.modelProvider}; listing: ${listed}`;
    },
  },
  {
    name: "provider-repointed",
    question: "May a thread be resumed under the same provider id with another address?",
    scripts,
    async ask(rig) {
      const threadId = await storedThread(rig);
      await rig.restart();
      const config = { "model_providers.scripted.base_url": rig.other.url };
      const resumed = await rig.outcome(rig.codex.client.threadResume({ threadId, config }));
      return resumed === "works" ? turnOn(rig, threadId) : resumed;
    },
  },
  {
    name: "provider-entry-missing",
    question: "What is said when a thread's provider is not configured any more?",
    scripts,
    kind: "provider-not-configured",
    async ask(rig) {
      const entry = { name: "gone", base_url: rig.model.url, wire_api: "responses" };
      const threadId = await rig.thread({ modelProvider: "gone", config: { model_providers: { gone: entry } } });
      const first = await rig.outcome(rig.turn(threadId, "GO"));
      if (first !== "works") return `its first turn is ${first}`;
      await rig.restart();
      return rig.outcome(rig.codex.client.threadResume({ threadId }));
    },
  },
  {
    name: "provider-reserved",
    question: "May the built-in provider be redefined for a thread?",
    kind: "provider-reserved",
    async ask(rig) {
      const openai = { name: "mine", base_url: rig.other.url, wire_api: "responses" };
      return rig.outcome(rig.thread({ config: { model_providers: { openai } } }));
    },
  },
];
