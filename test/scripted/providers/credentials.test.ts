import { afterEach, describe, expect, test } from "vitest";
import { notifications, requests } from "../../../src/generated/codex/methods.js";
import { hostRequests } from "../../../src/generated/contract/methods.js";
import { CodexFailure } from "../../../src/testing/scripted-codex/core.js";
import { turnOf } from "../../../src/testing/scripted-codex/turn.js";
import { cwd, type ProvidersRig, startProviders } from "./rig.js";

let rig: ProvidersRig;

afterEach(() => rig.close());

const secret = "token-of-the-gateway";
const quote = `the gateway does not know "${secret}"`;

const said = (): string => JSON.stringify(rig.host.frames());

async function onGateway(): Promise<string> {
  rig = await startProviders();
  await rig.catalog({ id: "one", bearerToken: secret }, [{ id: "m-one" }]);
  return rig.opened({ alwith: { model: "m-one" } });
}

describe("a credential of a gateway that Codex quotes", () => {
  test("is not in the error of a turn, and what the conversation says stays as it is", async () => {
    const sessionId = await onGateway();
    const turn = await rig.begin(sessionId);
    turn.message(`You asked for ${secret}.`);
    const error = { message: quote, codexErrorInfo: null, additionalDetails: quote };
    turn.error(error, true);
    rig.codex.notify(notifications.warning, { threadId: sessionId, message: quote });
    turn.error(error, false);
    turn.complete("failed", error);
    await rig.clock.settle();
    expect(await rig.host.idle(sessionId)).toMatchObject({ stopReason: "error" });
    expect(said()).toContain("[redacted]");
    expect(said()).not.toContain(JSON.stringify(quote).slice(1, -1));
    expect(said()).toContain(`You asked for ${secret}.`);
  });

  test("is not in the refusal of a request", async () => {
    await onGateway();
    rig.codex.on(requests.threadStart, () => {
      throw new CodexFailure(-32600, quote, { quoted: [secret] });
    });
    await expect(rig.open({ alwith: { model: "m-one" } })).rejects.toMatchObject({
      code: -32600,
      message: 'the gateway does not know "[redacted]"',
      data: { quoted: ["[redacted]"] },
    });
    expect(said()).not.toContain(secret);
  });

  test("is not in the stored errors of a replay", async () => {
    const sessionId = await onGateway();
    rig.codex.on(requests.threadTurnsList, () => ({
      data: [
        turnOf("t", {
          status: "failed",
          itemsView: "full",
          error: { message: quote, codexErrorInfo: null, additionalDetails: null },
        }),
      ],
      nextCursor: null,
      backwardsCursor: null,
    }));
    const replay = { sessionId, cwd, mcpServers: [], replayFrom: { type: "start" as const } };
    await rig.host.request(hostRequests.sessionResume, replay);
    expect(said()).not.toContain(secret);
  });
});
