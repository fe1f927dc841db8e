/**
 * File searches as Codex tells of them, for sessions that are open and for the host's own, in any order: the host hears
 * everything as it was told, and each search under a session's id is one call of it from its first word to its end.
 */

import fc from "fast-check";
import { expect } from "vitest";
import { notifications } from "../../src/generated/codex/methods.js";
import { agentNotifications, hostRequests } from "../../src/generated/contract/methods.js";
import { initialize } from "../scripted/handshake/rig.js";
import { startBridge } from "../support/bridge-agent.js";
import { clause } from "../support/clause.js";
import { isUpdate } from "../support/host.js";

type Step =
  | { readonly type: "found"; readonly of: number; readonly files: readonly string[] }
  | { readonly type: "done"; readonly of: number }
  | { readonly type: "lost" };

const of = fc.nat(2);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant("found" as const),
      of,
      files: fc.array(fc.constantFrom("a.ts", "b/a.ts"), { maxLength: 2 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant("done" as const), of }) },
  { weight: 1, arbitrary: fc.constant({ type: "lost" as const }) },
);

const file = (path: string) => ({
  root: "/home/user",
  path,
  file_name: path,
  match_type: "file" as const,
  score: 1,
  indices: null,
});

/** What a session's calls should have said: `new`, `more`, or how they ended. */
interface Wanted {
  readonly said: string[];
  open: boolean;
}

clause(["PASS-16", "PASS-17", "TOOL-15"], "searches in any order keep their own", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
      const bridge = startBridge();
      const { host, codex, clock } = bridge;
      await initialize(bridge);
      const open = async () =>
        (await host.request(hostRequests.sessionNew, { cwd: "/home/user", mcpServers: [] })).sessionId;
      const ids = [await open(), "the-hosts-own"];
      const wanted: Wanted = { said: [], open: false };
      const found: unknown[] = [];
      const done: unknown[] = [];
      for (const it of steps) {
        if (it.type === "lost") {
          codex.die({ code: 1 });
          await clock.settle();
          if (wanted.open) wanted.said.push("failed");
          wanted.open = false;
          // The next request starts Codex again; sooner, a third loss would make it wait.
          await clock.advance(60_000);
          await host.call(hostRequests.codexAccountRead.method, {});
          continue;
        }
        const sessionId = ids[it.of % ids.length] ?? "";
        const own = sessionId === ids[0];
        if (it.type === "found") {
          const params = { sessionId, query: "a", files: it.files.map(file) };
          codex.notify(notifications.fuzzyFileSearchSessionUpdated, params);
          found.push(params);
          if (own) wanted.said.push(wanted.open ? "more" : "new");
          if (own) wanted.open = true;
        } else {
          codex.notify(notifications.fuzzyFileSearchSessionCompleted, { sessionId });
          done.push({ sessionId });
          if (own && wanted.open) wanted.said.push("completed");
          if (own) wanted.open = false;
        }
      }
      await clock.settle();
      expect(host.notifications(agentNotifications.codexFuzzyFileSearchUpdated)).toEqual(found);
      expect(host.notifications(agentNotifications.codexFuzzyFileSearchCompleted)).toEqual(done);
      const calls = host.updates(ids[0] ?? "").filter(isUpdate("tool_call_update"));
      let current: unknown = null;
      const said = calls.map(({ toolCallId, status }) => {
        if (status !== "in_progress") {
          expect(toolCallId).toBe(current);
          return status;
        }
        const first = toolCallId !== current;
        current = toolCallId;
        return first ? "new" : "more";
      });
      expect(said).toEqual(wanted.said);
      const starts = calls.filter((_, index) => said[index] === "new").map(({ toolCallId }) => toolCallId);
      expect(new Set(starts).size).toBe(starts.length);
      await bridge.close();
    }),
    { numRuns: 40 },
  );
});
