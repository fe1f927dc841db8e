/** Turns of the real Codex that go on elsewhere, or would go on for ever. */
import { afterEach, expect, test } from "vitest";
import { hostNotifications } from "../../src/generated/contract/methods.js";
import { execCommand, functionCall, message, waitFor } from "../../src/testing/scripted-model/steps.js";
import { isUpdate } from "../support/host.js";
import { startUpdates, type UpdatesRig } from "./updates-rig.js";

let rig: UpdatesRig;

afterEach(() => rig.bridge.close());

test("a helper that Codex starts is one call; what it does by itself is shown in no session", async () => {
  let helped = (): void => undefined;
  const helper = new Promise<void>((resolve) => {
    helped = resolve;
  });
  rig = await startUpdates({
    // Its last words are asked for once its command is over.
    asked: ({ key, step }) => {
      if (key === "CHILD" && step === 1) helped();
    },
    // Codex gives its helpers to models that it does not know.
    model: "mystery-1",
    scripts: [
      {
        key: "DELEGATE",
        steps: [
          functionCall("spawn_agent", { message: "CHILD, go" }, { namespace: "multi_agent_v1" }),
          [waitFor(helper), message("Sent.")],
        ],
      },
      { key: "CHILD", steps: [execCommand("echo from the helper"), message("The helper is done.")] },
    ],
  });
  const { host } = rig.bridge;
  const { sessionId, turn, calls, ofKind } = await rig.open();
  expect(await turn("DELEGATE")).toMatchObject({ stopReason: "end_turn" });
  expect(calls()[0]).toMatchObject({ name: "collab", kind: "other" });
  expect(calls().at(-1)).toMatchObject({ status: "completed" });
  expect(ofKind("terminal_update")).toEqual([]);
  const others = host.frames().filter(({ params }) => {
    const about = Object(params).sessionId;
    return about !== undefined && about !== sessionId;
  });
  expect(others).toEqual([]);
  expect(JSON.stringify(host.frames())).not.toContain("from the helper");
});

test("a provider that is gone is tried for ever, said once and again, and ends when it is stopped", async () => {
  rig = await startUpdates({ scripts: [{ key: "HELLO", steps: [message("Hello.")] }] });
  const { host, model } = rig.bridge;
  const { sessionId, turn, prompt, ofKind } = await rig.open();
  await turn("HELLO");
  await model.close();
  await prompt("HELLO");
  await host.update(
    sessionId,
    (it) => isUpdate("session_info_update")(it) && Object(it._meta?.["codex"]).retry !== undefined,
  );
  host.notify(hostNotifications.sessionCancel, { sessionId });
  expect(await host.idle(sessionId, 2)).toMatchObject({ stopReason: "cancelled" });
  expect(ofKind("agent_message")).toHaveLength(1);
});
