import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { applyPatch, message } from "../../src/testing/scripted-model/steps.js";
import { isObject } from "../json.js";
import type { Probe } from "./probe.js";
import type { ProbeRig } from "./rig.js";

const scripts = [
  { key: "GO", steps: [message("Done.")] },
  { key: "DELETE", steps: [applyPatch("*** Begin Patch\n*** Delete File: old.txt\n*** End Patch"), message("Done.")] },
];

const storedThread = async (rig: ProbeRig, text = "GO"): Promise<string> => {
  const threadId = await rig.thread();
  await rig.turn(threadId, text);
  return threadId;
};

export const historyProbes: readonly Probe[] = [
  {
    name: "fork-unprompted-listed",
    question: "Is a fork listed before its first turn?",
    scripts,
    async ask(rig) {
      const { thread } = await rig.codex.client.threadFork({ threadId: await storedThread(rig) });
      const { data } = await rig.codex.client.threadList({});
      const found = data.find(({ id }) => id === thread.id);
      return found === undefined ? "no" : `yes, with the preview "${found.preview}"`;
    },
  },
  {
    name: "fork-lineage",
    question: "Where does forkedFromId stand?",
    scripts,
    async ask(rig) {
      const source = await storedThread(rig);
      const { thread } = await rig.codex.client.threadFork({ threadId: source });
      await rig.turn(thread.id, "GO");
      const read = (await rig.codex.client.threadRead({ threadId: thread.id })).thread;
      const listed = (await rig.codex.client.threadList({})).data.find(({ id }) => id === thread.id);
      const names = [
        ...(thread.forkedFromId === source ? ["the answer to the fork"] : []),
        ...(read.forkedFromId === source ? ["reading"] : []),
        ...(listed?.forkedFromId === source ? ["listing"] : []),
      ];
      return names.join(", ") || "nowhere";
    },
  },
  {
    name: "fork-keeps-turn-ids",
    question: "Have the turns that a fork copies the ids of the source?",
    scripts,
    async ask(rig) {
      const source = await storedThread(rig);
      const { thread } = await rig.codex.client.threadFork({ threadId: source });
      const ids = async (threadId: string) =>
        (await rig.codex.client.threadTurnsList({ threadId })).data.map(({ id }) => id).join();
      return (await ids(source)) === (await ids(thread.id)) ? "yes" : "no";
    },
  },
  {
    name: "item-anchor",
    question: "May a page of items begin at an item?",
    scripts,
    async ask(rig) {
      const threadId = await rig.thread();
      const { id: turnId } = await rig.turn(threadId, "GO");
      const { data } = await rig.codex.client.threadItemsList({ threadId, turnId });
      const itemId = data[0]?.item.id ?? "";
      const page = rig.codex.client.threadItemsList({ threadId, turnId, cursor: { type: "item", itemId } });
      const outcome = await rig.outcome(page);
      if (outcome !== "works") return outcome;
      const [from, to] = [data.length, (await page).data.length];
      return to === from - 1 ? "yes, after the item" : `yes, with ${to} of ${from} items`;
    },
  },
  {
    name: "items-have-times",
    question: "Do the pages of items tell when each began and ended?",
    scripts,
    async ask(rig) {
      const { data } = await rig.codex.client.threadItemsList({ threadId: await storedThread(rig) });
      return data.every(({ startedAtMs }) => typeof startedAtMs === "number") ? "yes" : "no";
    },
  },
  {
    name: "default-history-mode",
    question: "Which history mode has a thread that asks for none?",
    scripts,
    async ask(rig) {
      const { thread } = await rig.codex.client.threadRead({ threadId: await storedThread(rig) });
      return String(thread.historyMode);
    },
  },
  {
    name: "deleted-content-kept",
    question: "Where does the content of a deleted file stay?",
    scripts,
    async ask(rig) {
      const threadId = await storedThread(rig, "DELETE");
      await rig.restart();
      const items = await rig.codex.client.threadItemsList({ threadId });
      const turns = await rig.codex.client.threadTurnsList({ threadId, itemsView: "full" });
      const { thread } = await rig.codex.client.threadRead({ threadId });
      const rollout = thread.path ? await readFile(thread.path, "utf8") : "";
      const holds = (value: unknown): boolean =>
        JSON.stringify(value).includes('"diff":"old\\n"') && JSON.stringify(value).includes('"delete"');
      const places = [
        ...(holds(items) ? ["pages of items"] : []),
        ...(holds(turns) ? ["pages of turns"] : []),
        ...(rollout.includes('"content":"old\\n"') ? ["the rollout"] : []),
      ];
      return places.join(", ") || "nowhere";
    },
  },
  {
    name: "empty-thread-materialised",
    question: "Can a thread be resumed that has a name and no turn?",
    async ask(rig) {
      const threadId = await rig.thread();
      const before = await rig.outcome(rig.codex.client.threadResume({ threadId }));
      await rig.codex.client.threadNameSet({ threadId, name: "named" });
      const after = await rig.outcome(rig.codex.client.threadResume({ threadId }));
      return `without a name: ${before}; with one: ${after}`;
    },
  },
  {
    name: "warm-resume-overrides",
    question: "Does resuming a thread that is still open change its model?",
    scripts,
    async ask(rig) {
      const threadId = await storedThread(rig);
      const warm = (await rig.codex.client.threadResume({ threadId, model: "gpt-5.4" })).model;
      await rig.codex.client.threadUnsubscribe({ threadId });
      const again = (await rig.codex.client.threadResume({ threadId, model: "gpt-5.4" })).model;
      return `while subscribed: ${warm}; after an unsubscribe: ${again}`;
    },
  },
  {
    name: "second-process",
    question: "What may another process do with a thread that one has open?",
    scripts,
    async ask(rig) {
      const threadId = await storedThread(rig);
      const { client } = await rig.second();
      const { thread } = await client.threadRead({ threadId });
      const parts = [
        `its status: ${isObject(thread.status) ? String(thread.status["type"]) : "none"}`,
        `items: ${await rig.outcome(client.threadItemsList({ threadId }))}`,
        `name: ${await rig.outcome(client.threadNameSet({ threadId, name: "named" }))}`,
        `fork: ${await rig.outcome(client.threadFork({ threadId }))}`,
        `archive: ${await rig.outcome(client.threadArchive({ threadId }))}`,
      ];
      return parts.join("; ");
    },
  },
  {
    name: "trust-is-written",
    question: "Does opening a git repository for writing mark it as trusted in the user's config?",
    git: true,
    async ask(rig) {
      await rig.thread({ sandbox: "workspace-write" });
      const config = await readFile(join(rig.codexHome, "config.toml"), "utf8");
      return config.includes('trust_level = "trusted"') ? "yes" : "no";
    },
  },
];
