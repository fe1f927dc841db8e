import { afterEach, beforeEach, describe, expect } from "vitest";
import { agentRequests, hostRequests } from "../../src/generated/contract/methods.js";
import type { CodexSessionHistoryItemsParams, CodexSessionHistoryParams } from "../../src/generated/contract/types.js";
import { implementPrompt } from "../../src/policy/commands/plan.js";
import { message, waitFor } from "../../src/testing/scripted-model/steps.js";
import { clause } from "../support/clause.js";
import { AgentError } from "../support/host.js";
import { startOtherClient } from "../support/other-client.js";
import { type RealBridge, startRealBridge } from "../support/real-bridge.js";
import { greet } from "../support/second-agent.js";

let bridge: RealBridge;
let sessionId: string;
let letGo: () => void;

const big = "y".repeat(1024 * 1024);

beforeEach(async () => {
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  bridge = await startRealBridge({
    scripts: [
      { key: "SAY", steps: [message("Said.")] },
      { key: "SLOW", steps: [[message({ text: "Soon.", phase: "commentary" }), waitFor(gate), message("Done.")]] },
      { key: "TIDY", steps: [message("<proposed_plan>\n# Plan\n</proposed_plan>")] },
      { key: implementPrompt, steps: [message("Carried out.")] },
      { key: "BIG", steps: [message({ text: big, deltas: null })] },
    ],
  });
  await greet(bridge.host);
  ({ sessionId } = await bridge.host.request(hostRequests.sessionNew, { cwd: bridge.home.workspace, mcpServers: [] }));
  await prompt("SAY one", 1);
}, 60_000);

afterEach(async () => {
  letGo();
  await bridge.close();
});

const start = (text: string) =>
  bridge.host.request(hostRequests.sessionPrompt, { sessionId, prompt: [{ type: "text", text }] });

async function prompt(text: string, n: number): Promise<void> {
  await start(text);
  await bridge.host.idle(sessionId, n);
}

const turns = (params: Partial<CodexSessionHistoryParams> = {}) =>
  bridge.host.request(hostRequests.codexSessionHistory, { sessionId, ...params });
const items = (params: Partial<CodexSessionHistoryItemsParams> = {}) =>
  bridge.host.request(hostRequests.codexSessionHistoryItems, { sessionId, ...params });

const refusal = async (params: object, endpoint: "turns" | "items" = "turns") => {
  const descriptor = endpoint === "turns" ? hostRequests.codexSessionHistory : hostRequests.codexSessionHistoryItems;
  const error = await bridge.host.call(descriptor.method, { sessionId, ...params }).catch((it: unknown) => it);
  if (!(error instanceof AgentError)) throw new Error(`it was answered: ${JSON.stringify(error).slice(0, 300)}`);
  return { code: error.code, data: error.data as Record<string, unknown> };
};

describe("a running thread", () => {
  clause(
    ["HIST-03", "HIST-04", "HIST-32", "HIST-43", "HIST-48", "HIST-70"],
    "is browsed without being disturbed, and not exported",
    async () => {
      await start("SLOW one");
      await bridge.host.update(
        sessionId,
        (update) => update.sessionUpdate === "agent_message" && JSON.stringify(update).includes("Soon."),
      );
      const before = bridge.host.updates(sessionId).length;
      const page = await turns({ itemsView: "full" });
      expect(page).toMatchObject({ running: true, consistency: "live", revision: null });
      expect(page.turns.map(({ status }) => status)).toEqual(["completed", "inProgress"]);
      expect((await items()).running).toBe(true);
      for (const endpoint of ["turns", "items"] as const) {
        expect(await refusal({ mode: "export" }, endpoint)).toMatchObject({
          code: -32600,
          data: { reason: "history_busy", retryable: true },
        });
      }
      expect(bridge.host.updates(sessionId)).toHaveLength(before);
      letGo();
      expect(await bridge.host.idle(sessionId, 2)).toMatchObject({ stopReason: "end_turn" });
      expect(JSON.stringify(bridge.host.updates(sessionId))).toContain("Done.");
      expect(await turns()).toMatchObject({ running: false });
    },
  );
});

describe("a thread that grows", () => {
  clause(["HIST-44", "HIST-47", "HIST-52", "HIST-70"], "keeps a browser's cursor and voids an export's", async () => {
    await prompt("SAY two", 2);
    const browsed = await turns({ limit: 1 });
    const exported = await turns({ mode: "export", limit: 1 });
    expect(exported).toMatchObject({ consistency: "optimistic", revision: expect.any(String), running: false });
    const second = await turns({ mode: "export", limit: 1, cursor: exported.nextCursor });
    expect(second).toMatchObject({ revision: exported.revision, complete: true });
    await prompt("SAY three", 3);
    expect((await turns({ cursor: browsed.nextCursor })).turns).toHaveLength(2);
    for (let again = 0; again < 2; again += 1) {
      expect(await refusal({ mode: "export", cursor: exported.nextCursor })).toMatchObject({
        code: -32600,
        data: { reason: "history_changed", retryable: true },
      });
    }
    expect((await turns({ mode: "export" })).turns).toHaveLength(3);
  });
});

describe("a plan that was carried out", () => {
  clause(
    ["HIST-40", "HIST-39"],
    "shows the command that asked for it, and not what the bridge told the model",
    async () => {
      bridge.host.on(agentRequests.requestPermission, () => ({
        outcome: { outcome: "selected", optionId: "implement_plan" },
      }));
      await prompt("/plan TIDY up", 2);
      const { turns: list } = await turns({ itemsView: "full", includeNative: true });
      const text = JSON.stringify(list.map(({ updates }) => updates));
      expect(text).toContain("/plan TIDY up");
      expect(text).toContain("Carried out.");
      expect(text).not.toContain(implementPrompt);
      expect(JSON.stringify(list.at(-1)?._meta)).toContain(implementPrompt);
      expect(JSON.stringify(bridge.host.updates(sessionId))).not.toContain(implementPrompt);
    },
  );
});

describe("the budget of a page", () => {
  clause(
    ["HIST-24", "HIST-25", "HIST-62", "HIST-63", "HIST-64", "HIST-70", "HIST-66"],
    "is 1 MiB by default; nothing is cut, and the same cursor works again",
    async () => {
      await prompt("BIG one", 2);
      const first = await items({ limit: 2 });
      const cursor = first.nextCursor;
      const tooLarge = {
        code: -32600,
        data: { reason: "history_page_too_large", retryable: true, maxBytes: 1_048_576 },
      };
      expect(await refusal({ cursor, limit: 2 }, "items")).toMatchObject(tooLarge);
      const user = await items({ cursor, limit: 1 });
      expect(user.items).toHaveLength(1);
      const alone = { cursor: user.nextCursor, limit: 1 };
      const refused = await refusal(alone, "items");
      expect(refused).toMatchObject(tooLarge);
      const bytes = Number(refused.data["bytes"]);
      const whole = await items({ ...alone, maxBytes: bytes });
      expect(Buffer.byteLength(JSON.stringify(whole))).toBe(bytes);
      expect(JSON.stringify(whole.items)).toContain(big);
      expect((await refusal({ ...alone, maxBytes: bytes - 1 }, "items")).data).toMatchObject({ bytes });
      expect((await turns({ itemsView: "full", limit: 1 })).turns).toHaveLength(1);
      for (const maxBytes of [1023, 16 * 1024 * 1024 + 1]) expect((await refusal({ maxBytes })).code).toBe(-32602);
    },
  );
});

describe("a thread by its name", () => {
  clause(["HIST-30"], "is titled by the name it was given, the first words, or nothing", async () => {
    expect((await turns()).title).toBe("SAY one");
    const empty = await bridge.host.request(hostRequests.sessionNew, { cwd: bridge.home.workspace, mcpServers: [] });
    for (const result of [await turns({ sessionId: empty.sessionId }), await items({ sessionId: empty.sessionId })]) {
      expect(result).toMatchObject({ title: null, complete: true });
    }
    const other = await startOtherClient(bridge);
    await other.client.threadNameSet({ threadId: sessionId, name: "A name" });
    await other.connection.stop();
    expect((await turns()).title).toBe("A name");
  });
});

describe("a thread that does not exist", () => {
  clause(["HIST-68", "HIST-71", "HIST-66"], "is not found, whatever its id looks like", async () => {
    for (const id of ["0199aaaa-0000-7000-8000-000000000000", "nonsense", "../../etc"]) {
      for (const endpoint of ["turns", "items"] as const) {
        expect(await refusal({ sessionId: id }, endpoint)).toMatchObject({
          code: -32600,
          data: { reason: "history_not_found", retryable: false, sessionId: id, native: { code: -32600 } },
        });
      }
    }
  });
});
