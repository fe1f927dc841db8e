/** A prompt that goes into a turn of the real Codex just when that turn has ended. */
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect } from "vitest";
import { hostRequests } from "../../src/generated/contract/methods.js";
import { message } from "../../src/testing/scripted-model/steps.js";
import { clause } from "../support/clause.js";
import { codexes } from "../support/codexes.js";
import { isUpdate } from "../support/host.js";
import { startUpdates, type UpdatesRig } from "./updates-rig.js";

let rig: UpdatesRig;

afterEach(() => rig.bridge.close());

const path = fileURLToPath(new URL("../support/children/late-steer.mjs", import.meta.url));
const owned = (messageId: string) => ({ alwith: { messageId } });
const cases = codexes.flatMap((codex) => (["refusal", "end"] as const).map((first) => ({ codex, first })));

describe.each(cases)("Codex $codex.version refuses a steer, and the $first is heard of first:", ({ codex, first }) => {
  clause(["PROMPT-13", "REC-16", "STATE-07"], "the prompt opens a turn of its own, once", async () => {
    rig = await startUpdates({
      codex: { ...codex, path },
      env: { REAL_CODEX: codex.path, HEARS_FIRST: first },
      scripts: [
        { key: "FIRST", steps: [message("One.")] },
        { key: "MORE", steps: [message("Two.")] },
      ],
    });
    const { host } = rig.bridge;
    const { sessionId, ofKind } = await rig.open();
    const prompt = (text: string, messageId: string) =>
      host.request(hostRequests.sessionPrompt, {
        sessionId,
        prompt: [{ type: "text", text }],
        _meta: owned(messageId),
      });
    await prompt("FIRST", "first");
    // From here on Codex can be asked to steer; its end of the turn waits for that.
    await host.update(sessionId, (it) => isUpdate("agent_message")(it));
    expect(await prompt("MORE", "more")).toEqual({ messageId: "more" });
    await host.idle(sessionId, 2);
    const told = host.updates(sessionId).flatMap((update) => {
      if (isUpdate("state_update")(update)) return [[update.state, Object(update._meta).alwith]];
      return isUpdate("agent_message")(update) ? [update.content] : [];
    });
    expect(told).toEqual([
      ["running", { messageId: "first" }],
      [{ type: "text", text: "One." }],
      ["idle", { messageId: "first" }],
      ["running", { messageId: "more" }],
      [{ type: "text", text: "Two." }],
      ["idle", { messageId: "more" }],
    ]);
    const turns = new Map(ofKind("user_message").map((it) => [it.messageId, Object(it._meta?.["codex"]).turnId]));
    expect(new Set(turns.values()).size).toBe(2);
    expect(ofKind("user_message").filter(({ content }) => content !== undefined)).toHaveLength(2);
    expect(rig.bridge.model.requests).toHaveLength(2);
  });
});
