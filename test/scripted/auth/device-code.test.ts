import { afterEach, beforeEach, expect, test } from "vitest";
import { requests } from "../../../src/generated/codex/methods.js";
import { agentNotifications, agentRequests, hostNotifications } from "../../../src/generated/contract/methods.js";
import type { ElicitationCreateResult } from "../../../src/generated/contract/types.js";
import type { Bridge } from "../../support/bridge.js";
import { startBridge } from "../../support/bridge-agent.js";
import { clause } from "../../support/clause.js";
import { AgentError } from "../../support/host.js";
import { initialize } from "../handshake/rig.js";
import { ended, givenUp, login, serveLogins } from "./rig.js";

const methodId = "chat-gpt-device-code";

let bridge: Bridge;
/** The pages that the host was asked to show: their params, and their ids. */
let shown: { readonly params: unknown; readonly id: string | number }[];
let answerPage: (answer: ElicitationCreateResult | Error) => void;

beforeEach(async () => {
  bridge = startBridge({ env: { NO_BROWSER: "1" } });
  shown = [];
  serveLogins(bridge);
  bridge.host.on(agentRequests.elicitationCreate, (params, id) => {
    shown.push({ params, id });
    return new Promise((resolve, reject) => {
      answerPage = (answer) => (answer instanceof Error ? reject(answer) : resolve(answer));
    });
  });
  await initialize(bridge, { elicitation: { url: {} } });
});
afterEach(() => bridge.close());

/** Begins a sign-in and waits for its page. The answer is boxed: it is still to come. */
async function begin(): Promise<{ readonly answer: Promise<unknown>; readonly requestId: number }> {
  const answer = login(bridge, methodId);
  const requestId = bridge.host.lastId;
  answer.catch(() => undefined);
  await bridge.clock.settle();
  expect(shown).toHaveLength(1);
  return { answer, requestId };
}

const completions = () => bridge.host.notifications(agentNotifications.elicitationComplete);

/** Ids of the host's requests that the bridge took back. */
const takenBack = () =>
  bridge.host
    .frames()
    .filter(({ method }) => method === hostNotifications.cancelRequest.method)
    .map(({ params }) => Object(params).requestId);

clause(["AUTH-07", "INIT-23"], "is shown as a page of the request, and told of when it is done", async () => {
  const { answer, requestId } = await begin();
  answerPage({ action: "accept" });
  await bridge.clock.settle();
  expect(completions()).toEqual([]);
  ended(bridge, true);
  expect(await answer).toEqual({});
  expect(shown.map(({ params }) => params)).toEqual([
    {
      mode: "url",
      requestId,
      elicitationId: "login-1",
      url: "https://auth.openai.com/codex/device",
      message: expect.stringContaining("ABCD-1234"),
    },
  ]);
  expect(completions()).toEqual([{ elicitationId: "login-1" }]);
  expect([takenBack(), givenUp(bridge)]).toEqual([[], []]);
});

test("is done although nobody has closed the page, which is then taken back", async () => {
  const { answer } = await begin();
  ended(bridge, true);
  expect(await answer).toEqual({});
  expect(completions()).toEqual([{ elicitationId: "login-1" }]);
  expect(takenBack()).toEqual(shown.map(({ id }) => id));
  expect(givenUp(bridge)).toEqual([]);
});

test.each(["decline", "cancel"] as const)("ends at Codex when the user answers the page with %s", async (action) => {
  const { answer } = await begin();
  answerPage({ action });
  await expect(answer).rejects.toMatchObject({ code: -32800, message: "Sign-in was cancelled" });
  expect(givenUp(bridge)).toEqual([{ loginId: "login-1" }]);
  expect(completions()).toEqual([]);
});

test.each(["before", "after"])("is cancelled with its request, %s the page was answered", async (when) => {
  const { answer, requestId } = await begin();
  if (when === "after") answerPage({ action: "accept" });
  await bridge.clock.settle();
  bridge.host.notify(hostNotifications.cancelRequest, { requestId });
  await expect(answer).rejects.toMatchObject({ code: -32800 });
  await bridge.clock.settle();
  expect(takenBack()).toEqual(when === "after" ? [] : shown.map(({ id }) => id));
  expect(givenUp(bridge)).toEqual([{ loginId: "login-1" }]);
  expect(completions()).toEqual([]);
});

test("that Codex ends takes its page back, with Codex's reason", async () => {
  const { answer } = await begin();
  ended(bridge, false, "the code expired");
  await expect(answer).rejects.toMatchObject({ code: -32603, message: "Sign-in failed: the code expired" });
  expect(takenBack()).toEqual(shown.map(({ id }) => id));
  expect(completions()).toEqual([]);
});

test("goes with a Codex that dies, and so does its page", async () => {
  const { answer } = await begin();
  bridge.codex.die({ code: 1 });
  await expect(answer).rejects.toMatchObject({ message: expect.stringContaining("Codex exited with code 1") });
  expect(takenBack()).toEqual(shown.map(({ id }) => id));
});

test("fails with a host that cannot show the page", async () => {
  const { answer } = await begin();
  answerPage(new AgentError(-32601, "no such thing here", undefined));
  await expect(answer).rejects.toMatchObject({
    code: -32603,
    message: "Sign-in failed: the host did not show the page",
  });
  expect(givenUp(bridge)).toEqual([{ loginId: "login-1" }]);
});

test("of another request is another: each ends by its own id", async () => {
  let number = 0;
  bridge.codex.on(requests.accountLoginStart, () => {
    number += 1;
    const verificationUrl = "https://auth.openai.com/codex/device";
    return {
      type: "chatgptDeviceCode" as const,
      loginId: `login-${number}`,
      userCode: `CODE-${number}`,
      verificationUrl,
    };
  });
  const first = login(bridge, methodId);
  const second = login(bridge, methodId);
  await bridge.clock.settle();
  expect(shown.map(({ params }) => Object(params).elicitationId)).toEqual(["login-1", "login-2"]);
  ended(bridge, true, null, "login-2");
  expect(await second).toEqual({});
  const failed = expect(first).rejects.toMatchObject({ code: -32603 });
  ended(bridge, false, "taken by another", "login-1");
  await failed;
  expect(completions()).toEqual([{ elicitationId: "login-2" }]);
});
