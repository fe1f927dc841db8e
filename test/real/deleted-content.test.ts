import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect } from "vitest";
import { hostRequests } from "../../src/generated/contract/methods.js";
import { applyPatch, message } from "../../src/testing/scripted-model/steps.js";
import { clause } from "../support/clause.js";
import { type RealBridge, startRealBridge } from "../support/real-bridge.js";
import { greet } from "../support/second-agent.js";

let bridge: RealBridge;

afterEach(() => bridge.close());

const deleting = (name: string) => [
  applyPatch(`*** Begin Patch\n*** Delete File: ${name}.txt\n*** End Patch\n`),
  message("Deleted."),
];

/** Bodies of deleted files that a record holds as such: a patch's text names only the path (ROLL-02). */
function deletedIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(deletedIn);
  if (typeof value !== "object" || value === null) return [];
  const { type, content, kind, diff } = value as Readonly<Record<string, unknown>>;
  if (type === "delete" && typeof content === "string") return [content];
  if (typeof kind === "object" && kind !== null && "type" in kind && kind.type === "delete") return [String(diff)];
  return Object.values(value).flatMap(deletedIn);
}

/** Lines of all rollouts below the home of Codex. */
async function rollouts(): Promise<{ readonly text: string; readonly line: unknown }[]> {
  const root = join(bridge.home.codexHome, "sessions");
  const names = (await readdir(root, { recursive: true })).filter((name) => name.endsWith(".jsonl"));
  const texts = await Promise.all(names.map((name) => readFile(join(root, name), "utf8")));
  return texts
    .flatMap((text) => text.split("\n").filter((line) => line !== ""))
    .map((text) => ({ text, line: JSON.parse(text) }));
}

/** Files below a folder that hold this text. */
async function holding(folder: string, words: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const found = await Promise.all(files.map(async (file) => (await readFile(file)).includes(words)));
  return files.filter((_, index) => found[index]);
}

clause(
  ["ROLL-01", "ROLL-02", "ROLL-04", "ROLL-09"],
  "what a patch deleted is in Codex's record, in a new, a resumed and a forked thread, and in no second place",
  async () => {
    const names = ["started", "resumed", "forked"];
    bridge = await startRealBridge({
      git: true,
      files: Object.fromEntries(names.map((name) => [`${name}.txt`, `the words of ${name}\nand more\n`])),
      env: { INITIAL_AGENT_MODE: "agent-full-access" },
      scripts: names.map((name) => ({ key: name.toUpperCase(), steps: deleting(name) })),
    });
    const { host, home } = bridge;
    await greet(host);
    const base = { cwd: home.workspace, mcpServers: [] };
    const idles = (id: string): number => host.updates(id).filter((it) => "state" in it && it.state === "idle").length;
    const turn = async (sessionId: string, name: string): Promise<void> => {
      const before = idles(sessionId);
      const prompt = [{ type: "text" as const, text: name.toUpperCase() }];
      await host.request(hostRequests.sessionPrompt, { sessionId, prompt });
      expect(await host.update(sessionId, (it) => JSON.stringify(it).includes(`-the words of ${name}`))).toBeDefined();
      await host.idle(sessionId, before + 1);
    };
    const { sessionId } = await host.request(hostRequests.sessionNew, base);
    await turn(sessionId, "started");
    await host.request(hostRequests.sessionClose, { sessionId });
    await host.request(hostRequests.sessionResume, { ...base, sessionId });
    await turn(sessionId, "resumed");
    const fork = await host.request(hostRequests.sessionFork, { ...base, sessionId });
    await turn(fork.sessionId, "forked");
    await host.request(hostRequests.sessionClose, { sessionId });
    await host.request(hostRequests.sessionClose, { sessionId: fork.sessionId });

    const lines = await rollouts();
    const bodies = new Set(deletedIn(lines.map(({ line }) => line)));
    for (const name of names) expect(bodies).toContain(`the words of ${name}\nand more\n`);
    const calls = lines.filter(({ text }) => text.includes("*** Delete File"));
    expect(calls.length).toBeGreaterThan(0);
    expect(deletedIn(calls.map(({ line }) => Object(line).payload?.input ?? null))).toEqual([]);

    for (const name of names) {
      const places = await holding(home.home, `the words of ${name}`);
      const others = places.filter((place) => !place.startsWith(home.codexHome) && !place.includes("/.git/"));
      expect(others).toEqual([]);
    }
  },
);
