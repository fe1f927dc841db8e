import { describe, expect, test } from "vitest";
import { agentNotifications, hostRequests } from "../../../src/generated/acp-v1/methods.js";
import { seededPick } from "../../../src/testing/virtual-clock.js";
import { startBridge } from "../../support/bridge-agent.js";
import { AgentError } from "../../support/host.js";
import { schemasV1 } from "../../support/schemas-v1.js";
import { actions, type Play, playCodex } from "./play.js";

const seeds = 120;

/** However Codex behaves, each prompt of a host of version 1 is answered once, and nothing comes after the close. */
async function drive(seed: number): Promise<void> {
  const bridge = startBridge({ pick: seededPick(seed), held: schemasV1 });
  const { host, clock } = bridge;
  await host.request(hostRequests.initialize, { protocolVersion: 1 });
  const { sessionId } = await host.request(hostRequests.sessionNew, { cwd: "/home/user/project", mcpServers: [] });
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
  for (const answer of await Promise.all(answers)) {
    // The checker holds answers to the schema, and refuses a second one.
    if (!(answer instanceof AgentError)) expect(answer).toHaveProperty("stopReason");
  }
  const told = host.notifications(agentNotifications.sessionUpdate).length;
  if (play.running?.begun && bridge.codex.running) play.running.message("after the close");
  await clock.advance(20_000);
  expect(host.notifications(agentNotifications.sessionUpdate)).toHaveLength(told);
  await bridge.close();
}

describe(`each prompt of a host of version 1 is answered once, under ${seeds} interleavings`, () => {
  const size = 20;
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
