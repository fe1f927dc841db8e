import { afterEach, describe, expect, test } from "vitest";
import { requests } from "../../../src/generated/codex/methods.js";
import type { CodexErrorInfo } from "../../../src/generated/codex/types.js";
import { CodexFailure } from "../../../src/testing/scripted-codex/core.js";
import { clause } from "../../support/clause.js";
import { isUpdate } from "../../support/host.js";
import { kinds, owned, type Rig, startRig } from "./rig.js";

let rig: Rig;

afterEach(() => rig.close());

const failure = (codexErrorInfo: CodexErrorInfo | null, message = "It went wrong.") => ({
  message,
  codexErrorInfo,
  additionalDetails: "details",
});

async function failWith(codexErrorInfo: CodexErrorInfo | null) {
  rig = await startRig();
  const turn = await rig.begin();
  turn.error(failure(codexErrorInfo), false);
  turn.complete("failed", failure(codexErrorInfo));
  return rig.host.idle(rig.sessionId);
}

clause(["REC-11"], "a full context window ends as max_tokens (K-33)", async () => {
  expect(await failWith("contextWindowExceeded")).toMatchObject({ stopReason: "max_tokens" });
});

for (const category of ["cyberPolicy", "bioPolicy", "misalignmentPolicyViolation"] as const) {
  clause(["REC-12"], `${category} ends as a refusal`, async () => {
    expect(await failWith(category)).toMatchObject({ stopReason: "refusal" });
  });
}

for (const [info, category, retryable] of [
  ["usageLimitExceeded", "usageLimitExceeded", false],
  ["serverOverloaded", "serverOverloaded", true],
  [{ httpConnectionFailed: { httpStatusCode: 401 } }, "httpConnectionFailed", true],
  [null, "other", false],
] as const) {
  clause(
    ["REC-13", "REC-14", "STATE-09", "STATE-10", "STATE-11"],
    `${category} ends as an error that says so`,
    async () => {
      const idle = await failWith(info);
      expect(idle).toMatchObject({
        stopReason: "error",
        error: { code: expect.any(Number), message: "It went wrong.", data: { codex: { category, retryable } } },
      });
      const [text, last] = rig.updates().slice(-2);
      expect(last).toBe(idle);
      expect(text).toMatchObject({
        sessionUpdate: "agent_message_chunk",
        content: { type: "text", text: "It went wrong." },
        _meta: {
          codex: {
            error: {
              message: "It went wrong.",
              codexErrorInfo: info,
              additionalDetails: "details",
              category,
              retryable,
            },
          },
        },
      });
      expect(rig.codex.calls(requests.turnStart)).toHaveLength(1);
      (await rig.begin(2)).complete();
      expect(await rig.host.idle(rig.sessionId, 2)).toMatchObject({ stopReason: "end_turn" });
    },
  );
}

test("a start that Codex refuses ends as an error, and the next prompt works", async () => {
  rig = await startRig();
  const start = rig.codex.hold(requests.turnStart);
  await rig.prompt("hi", owned("mine"));
  await start.received();
  start.fail(new CodexFailure(-32600, "not now"));
  expect(await rig.host.idle(rig.sessionId)).toMatchObject({ stopReason: "error", _meta: owned("mine") });
  (await rig.begin(2)).complete();
  expect(await rig.host.idle(rig.sessionId, 2)).toMatchObject({ stopReason: "end_turn" });
});

describe("a retry", () => {
  const retries = () =>
    rig
      .updates()
      .filter(isUpdate("session_info_update"))
      .filter((it) => it._meta != null);

  clause(["UPD-15"], "is told, is no end, and is taken back when the turn goes on (K-33)", async () => {
    rig = await startRig();
    const turn = await rig.begin();
    turn.error(failure(null, "Reconnecting... 1/5"), true);
    await rig.clock.settle();
    expect(retries()).toMatchObject([{ _meta: { codex: { retry: { message: "Reconnecting... 1/5" } } } }]);
    expect(rig.idles()).toEqual([]);
    turn.message("there");
    turn.complete();
    expect(await rig.host.idle(rig.sessionId)).toMatchObject({ stopReason: "end_turn" });
    expect(retries().at(-1)).toMatchObject({ _meta: { codex: {} } });
    expect(retries()).toHaveLength(2);
  });

  clause(["UPD-15"], "is taken back when the turn ends with it", async () => {
    rig = await startRig();
    const turn = await rig.begin();
    turn.error(failure(null, "Reconnecting... 5/5"), true);
    turn.error(failure("serverOverloaded"), false);
    turn.complete("failed", failure("serverOverloaded"));
    await rig.host.idle(rig.sessionId);
    expect(retries().at(-1)).toMatchObject({ _meta: { codex: {} } });
    expect(kinds(rig.updates()).at(-1)).toBe("state_update idle");
  });
});

clause(["STATE-08"], "the tokens of a turn are what its session total grew by", async () => {
  rig = await startRig();
  const first = await rig.begin();
  first.usage(10, 10);
  first.usage(15, 25);
  first.complete();
  expect(await rig.host.idle(rig.sessionId)).toMatchObject({ usage: { totalTokens: 25 } });
  const second = await rig.begin(2);
  second.usage(7, 32);
  second.complete();
  expect(await rig.host.idle(rig.sessionId, 2)).toMatchObject({ usage: { totalTokens: 7 } });
  (await rig.begin(3)).complete();
  expect(await rig.host.idle(rig.sessionId, 3)).not.toHaveProperty("usage");
});
