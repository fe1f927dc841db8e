import { describe, expect, test } from "vitest";
import { hostRequests } from "../../../src/generated/contract/methods.js";
import { seededPick } from "../../../src/testing/virtual-clock.js";
import { startBridge } from "../../support/bridge-agent.js";
import { actions, type Play, playCodex } from "./play.js";
import { Watch } from "./watch.js";

/** Whole bridges that one run drives, each under an interleaving of its own. */
const seeds = 300;

async function drive(seed: number): Promise<void> {
  const bridge = startBridge({ pick: seededPick(seed) });
  const { host, clock } = bridge;
  await host.request(hostRequests.initialize, {
    protocolVersion: 2,
    info: { name: "test", version: "0" },
    capabilities: {},
  });
  const { sessionId } = await host.request(hostRequests.sessionNew, { cwd: "/home/user/project", mcpServers: [] });
  await clock.settle();
  const opened = host.updates(sessionId).length;
  const play: Play = { bridge, sessionId, choose: seededPick(seed ^ 0x5bd1e995), running: null };
  playCodex(play);
  const answers: Promise<unknown>[] = [];
  for (let step = 0; step < 24; step += 1) {
    const list = actions(play, answers);
    await list[play.choose(list.length)]?.();
  }
  const closing = host.request(hostRequests.sessionClose, { sessionId });
  await clock.advance(20_000);
  await closing;
  await Promise.all(answers);
  const count = host.updates(sessionId).length;
  if (play.running?.begun && bridge.codex.running) play.running.message("after the close");
  await clock.advance(20_000);
  const updates = host.updates(sessionId);
  expect(updates).toHaveLength(count);
  const watch = new Watch();
  // The strict checker holds every frame to the schema that this type is made from.
  for (const update of updates.slice(opened)) watch.see(update as Parameters<Watch["see"]>[0]);
  expect(watch.active).toBe(false);
  await bridge.close();
}

describe(`a whole bridge keeps its promises under ${seeds} interleavings`, () => {
  const size = 25;
  for (let first = 1; first <= seeds; first += size) {
    test(`seeds ${first} to ${first + size - 1}`, async () => {
      for (let seed = first; seed < first + size; seed += 1) {
        await drive(seed).catch((cause: unknown) => {
          throw new Error(`seed ${seed}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
        });
      }
    });
  }
});
