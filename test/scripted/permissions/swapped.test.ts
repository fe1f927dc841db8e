import { afterEach, expect, test } from "vitest";
import { settled } from "../../../src/policy/question.js";
import { askCommand, askPatch, chosen, type Rig, startRig } from "./rig.js";

let rig: Rig;

afterEach(() => rig.bridge.close());

test("a user of the library decides by himself what is asked, and leaves the rest as it is", async () => {
  rig = await startRig({
    agent: {
      questions: {
        itemCommandExecutionRequestApproval: ({ params }) =>
          settled({ decision: params.command === "ls" ? "accept" : "decline" }),
      },
    },
  });
  expect(await askCommand(rig, { command: "ls" }).answer).toEqual({ decision: "accept" });
  expect(await askCommand(rig, { command: "rm -r /" }).answer).toEqual({ decision: "decline" });
  const patch = askPatch(rig, []);
  (await rig.permission()).answer(chosen("allow_once"));
  expect(await patch.answer).toEqual({ decision: "accept" });
  expect(rig.permissions).toHaveLength(1);
});
