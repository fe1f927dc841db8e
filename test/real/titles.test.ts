import { afterEach, describe, expect } from "vitest";
import type { ContentBlock } from "../../src/generated/acp/types.js";
import { hostRequests } from "../../src/generated/contract/methods.js";
import { message } from "../../src/testing/scripted-model/steps.js";
import { clause } from "../support/clause.js";
import { codexes } from "../support/codexes.js";
import { type Host, isUpdate } from "../support/host.js";
import { type RealBridge, startRealBridge } from "../support/real-bridge.js";
import { greet, type SecondAgent, startSecondAgent } from "../support/second-agent.js";

let bridge: RealBridge;
let second: SecondAgent | null = null;

afterEach(async () => {
  await second?.close();
  second = null;
  await bridge.close();
});

const text = (value: string): ContentBlock => ({ type: "text", text: value });
const link = (name: string): ContentBlock => ({ type: "resource_link", name, uri: `file:///nowhere/${name}` });
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const prompts: readonly (readonly [string, readonly ContentBlock[]])[] = [
  ["Look at", [text("Look at "), link("a.txt"), text(" and mend it")]],
  ["Mend it", [link("a.txt"), text("Mend it\nplease")]],
  ["a.txt", [link("a.txt"), link("b.txt")]],
  [
    "Read this",
    [{ type: "resource", resource: { uri: "file:///nowhere/c.txt", text: "words of a file" } }, text("Read this")],
  ],
  ["x".repeat(119).concat("…"), [link("x".repeat(3000)), text("x".repeat(200))]],
  ["[Image]", [{ type: "image", mimeType: "image/png", data: pixel }]],
];

const titlesOf = (host: Host, sessionId: string) =>
  host
    .updates(sessionId)
    .filter(isUpdate("session_info_update"))
    .flatMap(({ title }) => (title === undefined ? [] : [title]));

describe.each(codexes)("Codex $version", (codex) => {
  clause(
    ["REPLAY-09", "REPLAY-10", "REPLAY-11", "LIST-22"],
    "a session has one title, live, listed and replayed, by the words of its first prompt, its first file or its name",
    async () => {
      bridge = await startRealBridge({ codex, git: true, scripts: [{ key: "", steps: [message("Done.")] }] });
      const { host, home } = bridge;
      await greet(host);
      const base = { cwd: home.workspace, mcpServers: [] };
      const expected = new Map<string, string>();
      for (const [title, prompt] of prompts) {
        const { sessionId } = await host.request(hostRequests.sessionNew, base);
        await host.request(hostRequests.sessionPrompt, { sessionId, prompt: [...prompt] });
        await host.idle(sessionId);
        expect(titlesOf(host, sessionId)).toEqual([title]);
        expected.set(sessionId, title);
      }
      const [named = ""] = expected.keys();
      await host.request(hostRequests.codexSessionRename, { sessionId: named, name: `${"My name ".repeat(30)}!` });
      expected.set(named, `${"My name ".repeat(30)}!`);
      const listed = async (of: Host) => {
        const { sessions } = await of.request(hostRequests.sessionList, { cwd: home.workspace });
        return new Map(sessions.map(({ sessionId, title }) => [sessionId, title]));
      };
      expect(await listed(host)).toEqual(expected);

      host.close();
      await bridge.waits.within("the first agent to end", bridge.agent.exited);
      second = await startSecondAgent(bridge);
      expect(await listed(second.host)).toEqual(expected);
      for (const [sessionId, title] of expected) {
        await second.host.request(hostRequests.sessionResume, { ...base, sessionId, replayFrom: { type: "start" } });
        expect(titlesOf(second.host, sessionId)).toEqual([title]);
      }
      const { sessionId: fork } = await second.host.request(hostRequests.sessionFork, { ...base, sessionId: named });
      expect(titlesOf(second.host, fork)).toEqual([expected.get(named)]);
    },
  );
});
