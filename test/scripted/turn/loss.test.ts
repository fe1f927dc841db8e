import { afterEach, describe, expect, test } from "vitest";
import { requests } from "../../../src/generated/codex/methods.js";
import { commandExecution } from "../../../src/testing/scripted-codex/items.js";
import { clause } from "../../support/clause.js";
import { kinds, type Rig, stallSkills, startRig } from "./rig.js";

let rig: Rig;

afterEach(() => rig.close());

clause(
  ["CLOSE-09", "CLOSE-10"],
  "an end that Codex told before it went stands, with all that came before",
  async () => {
    rig = await startRig();
    const turn = await rig.begin();
    turn.message("all of it", { deltas: ["all ", "of it"] });
    turn.complete();
    rig.codex.die({ code: 1 });
    expect(await rig.host.idle(rig.sessionId)).toMatchObject({ stopReason: "end_turn" });
    expect(kinds(rig.updates())).toContain("agent_message");
    await rig.clock.settle();
    expect(rig.idles()).toHaveLength(1);
  },
);

clause(["CLOSE-10"], "also when its commands were still being asked about", async () => {
  rig = await startRig();
  const turn = await rig.begin();
  turn.itemStarted(commandExecution({ id: "c" }));
  const list = rig.codex.hold(requests.threadBackgroundTerminalsList);
  turn.complete();
  await list.received();
  rig.codex.die({ code: 1 });
  expect(await rig.host.idle(rig.sessionId)).toMatchObject({ stopReason: "end_turn", background: [] });
  expect(rig.updates()).toContainEqual(
    expect.objectContaining({ terminalId: "c", exitStatus: { exitCode: null, signal: null } }),
  );
});

describe("K-01: Codex ends in the middle of a turn", () => {
  const ways = {
    exits: () => rig.codex.die({ code: 0 }),
    "is killed": () => rig.codex.die({ signal: "SIGKILL" }),
    "closes its output": () => rig.codex.closeOutput(),
  };
  for (const [way, end] of Object.entries(ways)) {
    clause(
      ["REC-04", "REC-05", "REC-06", "CLOSE-09"],
      `${way}: what is open is settled, then one idle with the error`,
      async () => {
        rig = await startRig();
        const turn = await rig.begin();
        turn.itemStarted(commandExecution({ id: "c" }));
        turn.outputDelta("c", "last words");
        end();
        expect(await rig.host.idle(rig.sessionId)).toMatchObject({ stopReason: "error" });
        const last = rig.updates().slice(-5);
        expect(kinds(last)).toEqual([
          "terminal_output_chunk",
          "tool_call_update",
          "terminal_update",
          "agent_message_chunk",
          "state_update idle",
        ]);
        expect(last[1]).toMatchObject({ status: "failed", _meta: { codex: { reconciled: true } } });
        expect(last[2]).toMatchObject({
          exitStatus: { exitCode: null, signal: null },
          _meta: { codex: { turnOutcome: "failed" } },
        });
      },
    );
  }

  const stages: Record<string, () => Promise<unknown>> = {
    "while the turn is prepared": async () => {
      await stallSkills(rig);
      await rig.prompt("hi");
    },
    "before it named the turn": async () => {
      const start = rig.codex.hold(requests.turnStart);
      await rig.prompt("hi");
      await start.received();
    },
    "before the turn started": async () => {
      await rig.prompt("hi");
      await rig.codex.answered(requests.turnStart);
    },
    "while it is being stopped": async () => {
      await rig.begin();
      const interrupt = rig.codex.hold(requests.turnInterrupt);
      rig.cancel();
      await interrupt.received();
    },
  };
  for (const [stage, reach] of Object.entries(stages)) {
    test(`${stage}: one idle, and the next prompt gets a new Codex that has the thread again`, async () => {
      rig = await startRig();
      await reach();
      rig.codex.die({ code: 1 });
      await rig.host.idle(rig.sessionId);
      await rig.clock.settle();
      expect(rig.idles()).toHaveLength(1);
      const turns = rig.codex.calls(requests.turnStart).length;
      (await rig.begin(turns + 1)).complete();
      expect(await rig.host.idle(rig.sessionId, 2)).toMatchObject({ stopReason: "end_turn" });
      expect(rig.codex.starts).toBe(2);
      expect(rig.codex.calls(requests.threadResume)).toHaveLength(1);
    });
  }
});
