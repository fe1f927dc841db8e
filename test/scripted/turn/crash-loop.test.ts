import { afterEach, expect, test } from "vitest";
import { requests } from "../../../src/generated/codex/methods.js";
import { hostRequests } from "../../../src/generated/contract/methods.js";
import { type Rig, startRig } from "./rig.js";

let rig: Rig;

afterEach(() => rig.close());

/** The next turn starts, and Codex ends in it. */
async function crash(): Promise<void> {
  const idles = rig.idles().length;
  await rig.begin(rig.codex.calls(requests.turnStart).length + 1);
  rig.codex.die({ code: 1 });
  await rig.host.idle(rig.sessionId, idles + 1);
  await rig.clock.settle();
}

/** A prompt is accepted, and its turn ends with why there is no Codex. */
async function refused(idles: number, why: RegExp): Promise<void> {
  const before = rig.updates().length;
  await rig.prompt("hi");
  expect(await rig.host.idle(rig.sessionId, idles)).toMatchObject({ stopReason: "error" });
  expect(JSON.stringify(rig.updates().slice(before))).toMatch(why);
}

test("a Codex that keeps ending is not started over and over, and the session lives on", async () => {
  rig = await startRig();
  for (let round = 0; round < 3; round++) await crash();
  expect(rig.codex.starts).toBe(3);
  await refused(4, /ended 3 times within a minute/);
  const other = rig.host.request(hostRequests.sessionNew, { cwd: "/home/user", mcpServers: [] });
  await expect(other).rejects.toMatchObject({
    code: -32603,
    data: { reason: "codex_crash_loop", count: 3, retryAfterMs: 1000 },
  });
  // Nothing starts by itself.
  await rig.clock.advance(999);
  expect(rig.codex.starts).toBe(3);
  await rig.clock.advance(1);
  await crash();
  expect(rig.codex.starts).toBe(4);
  await refused(6, /started again in 2 s at the earliest/);
  await rig.clock.advance(60_000);
  const turns = rig.codex.calls(requests.turnStart).length;
  (await rig.begin(turns + 1)).complete();
  expect(await rig.host.idle(rig.sessionId, 7)).toMatchObject({ stopReason: "end_turn" });
});

test("a day that is set back does not shut Codex out for a day", async () => {
  rig = await startRig();
  for (let round = 0; round < 3; round++) await crash();
  rig.clock.jump(-86_400_000);
  await refused(4, /started again in 1 s at the earliest/);
  await rig.clock.advance(1000);
  const turns = rig.codex.calls(requests.turnStart).length;
  (await rig.begin(turns + 1)).complete();
  expect(await rig.host.idle(rig.sessionId, 5)).toMatchObject({ stopReason: "end_turn" });
});
