import { afterAll, beforeAll, describe, expect, vi } from "vitest";
import { hostNotifications, hostRequests } from "../../src/generated/contract/methods.js";
import { message, reasoning, stall, usage } from "../../src/testing/scripted-model/steps.js";
import { clause } from "../support/clause.js";
import { isUpdate } from "../support/host.js";
import { startUpdates, type UpdatesRig } from "./updates-rig.js";

let rig: UpdatesRig;

afterAll(() => rig.bridge.close());

beforeAll(async () => {
  rig = await startUpdates({
    files: {
      ".agents/skills/tidy/SKILL.md": "---\nname: tidy\ndescription: Tidies up.\n---\nTidy up.\n",
    },
    scripts: [
      {
        key: "THINK",
        steps: [[reasoning(["Let me see."]), message("One and two."), usage({ inputTokens: 700, outputTokens: 77 })]],
      },
      { key: "STALL", steps: [stall()] },
    ],
  });
});

describe("the real Codex's words", () => {
  clause(
    ["UPD-01", "UPD-04", "UPD-06", "UPD-11"],
    "stream under its items' ids, and are whole when they are replayed",
    async () => {
      const { sessionId, ofKind, turn, resume } = await rig.open();
      expect(await turn("THINK")).toMatchObject({ stopReason: "end_turn" });
      const chunks = ofKind("agent_message_chunk");
      expect(chunks.length).toBeGreaterThan(1);
      const [said] = chunks;
      expect(new Set(chunks.map(({ messageId }) => messageId)).size).toBe(1);
      expect(chunks.map(({ content }) => Object(content).text).join("")).toBe("One and two.");
      const thoughts = ofKind("agent_thought_chunk");
      expect(thoughts.map(({ content }) => Object(content).text).join("")).toBe("Let me see.");
      expect(ofKind("usage_update").at(-1)).toMatchObject({ used: 777, size: expect.any(Number) });

      const before = rig.bridge.host.updates(sessionId).length;
      await rig.bridge.host.request(hostRequests.sessionClose, { sessionId });
      await resume(true);
      const replayed = rig.bridge.host.updates(sessionId).slice(before);
      expect(replayed.filter(isUpdate("agent_message_chunk"))).toEqual([]);
      expect(replayed.filter(isUpdate("agent_thought_chunk"))).toEqual([]);
      // Codex's own record has them under the ids that were streamed.
      expect(replayed.filter(isUpdate("agent_message"))).toMatchObject([
        { messageId: said?.messageId, content: [{ type: "text", text: "One and two." }] },
      ]);
      expect(replayed.filter(isUpdate("agent_thought"))).toMatchObject([
        { messageId: thoughts[0]?.messageId, content: [{ type: "text", text: "Let me see." }] },
      ]);
    },
    60_000,
  );

  clause(
    ["UPD-14", "UPD-16", "UPD-17"],
    "give the session its title, its commands and its options",
    async () => {
      const { sessionId, ofKind, prompt } = await rig.open();
      const { host } = rig.bridge;
      await host.update(
        sessionId,
        (update) => isUpdate("available_commands_update")(update) && JSON.stringify(update).includes('"name":"$tidy"'),
      );
      const names = ofKind("available_commands_update")
        .at(-1)
        ?.availableCommands.map((command) => Object(command).name);
      expect(names).toEqual(expect.arrayContaining(["plan", "compact", "review", "$tidy"]));

      const { configOptions } = await host.request(hostRequests.sessionSetConfigOption, {
        sessionId,
        configId: "mode",
        type: "id",
        value: "read-only",
      });
      await host.update(sessionId, isUpdate("config_option_update"));
      expect(ofKind("config_option_update").at(-1)).toMatchObject({ configOptions });
      const told = ofKind("config_option_update").length;
      await prompt("/plan");
      await host.idle(sessionId);
      expect(ofKind("config_option_update").length).toBeGreaterThan(told);
      expect(JSON.stringify(ofKind("config_option_update").at(-1))).toMatch(
        /"collaboration_mode"[^}]*"currentValue":"plan"/,
      );

      const other = await rig.open();
      await other.prompt("THINK about it\nand more");
      await host.idle(other.sessionId);
      const titles = () => other.ofKind("session_info_update").flatMap(({ title }) => (title == null ? [] : [title]));
      expect(titles()).toEqual(["THINK about it"]);
      await host.request(hostRequests.codexSessionRename, { sessionId: other.sessionId, name: "Thoughts" });
      await vi.waitFor(() => expect(titles()).toEqual(["THINK about it", "Thoughts"]));
    },
    60_000,
  );
});

clause(
  ["REC-18"],
  "a session that is opened anew while it runs finds its turn, and stops it",
  async () => {
    const { sessionId, prompt, ofKind, resume } = await rig.open();
    const { host } = rig.bridge;
    await prompt("STALL");
    await host.update(
      sessionId,
      (update) => isUpdate("user_message")(update) && Object(update._meta?.["codex"]).messageSentAt !== undefined,
    );
    const before = ofKind("state_update").length;
    await resume(false);
    await host.update(sessionId, () => ofKind("state_update").length > before);
    expect(ofKind("state_update").at(-1)).toMatchObject({ state: "running" });
    host.notify(hostNotifications.sessionCancel, { sessionId });
    expect(await host.idle(sessionId)).toMatchObject({ stopReason: "cancelled" });
  },
  60_000,
);
