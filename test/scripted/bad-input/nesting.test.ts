import { afterEach, beforeEach, expect, test } from "vitest";
import { requests } from "../../../src/generated/codex/methods.js";
import { agentRequests, hostRequests } from "../../../src/generated/contract/methods.js";
import { depthOf, maxHostDepth, maxReadDepth } from "../../../src/host/nesting.js";
import type { BridgeInProcess } from "../../support/bridge.js";
import { startBridge } from "../../support/bridge-agent.js";
import { initialize } from "../handshake/rig.js";

let bridge: BridgeInProcess;

beforeEach(async () => {
  bridge = startBridge();
  await initialize(bridge, { elicitation: { url: {} } });
  await bridge.clock.settle();
});
afterEach(() => bridge.close());

const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);

/** A request whose deepest part lies `depth` levels deep. */
const request = (id: number, depth: number) => ({
  jsonrpc: "2.0",
  id,
  method: hostRequests.sessionList.method,
  params: { _meta: { a: JSON.parse(nested(depth - 3)) } },
});

const answerTo = (id: number | null) => bridge.host.frame(`the answer to ${id}`, (frame) => frame["id"] === id);
const fault = { code: -32600, message: expect.stringContaining(`nested more than ${maxHostDepth} levels deep`) };

test("a message may be nested to the limit; beyond it its request is refused, and the next is served", async () => {
  bridge.host.rawFrames(request(901, maxHostDepth));
  expect(await answerTo(901)).toHaveProperty("result");
  for (const depth of [maxHostDepth + 1, 3000]) {
    bridge.host.rawFrames(request(depth, depth));
    expect(await answerTo(depth)).toMatchObject({ error: fault });
  }
  bridge.host.raw(nested(maxReadDepth + 1));
  expect(await answerTo(null)).toMatchObject({ error: fault });
  expect(await bridge.host.request(hostRequests.sessionList, {})).toEqual({ sessions: [] });
});

test("a notification beyond it has no effect and no answer", async () => {
  const before = bridge.host.frames().length;
  bridge.host.raw(
    `{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s","_meta":{"a":${nested(5000)}}}}`,
  );
  await bridge.clock.settle();
  expect(bridge.host.frames()).toHaveLength(before);
});

test("an answer beyond it, or under an id beyond it, is one that failed, or none", async () => {
  const { host, codex } = bridge;
  let asked: string | number = "";
  host.on(agentRequests.elicitationCreate, (_params, id) => {
    asked = id;
    return new Promise(() => undefined);
  });
  codex.on(requests.accountLoginCancel, () => ({ status: "canceled" as const }));
  codex.on(requests.accountLoginStart, () => ({
    type: "chatgptDeviceCode" as const,
    loginId: "login-1",
    userCode: "ABCD",
    verificationUrl: "https://auth.openai.com/codex/device",
  }));
  const login = host.call(hostRequests.authLogin.method, { methodId: "chat-gpt-device-code" });
  const failed = expect(login).rejects.toMatchObject({ message: "Sign-in failed: the host did not show the page" });
  await bridge.clock.settle();
  host.raw(`{"jsonrpc":"2.0","id":${nested(5000)},"result":{}}`);
  expect(await answerTo(null)).toMatchObject({ error: fault });
  host.raw(`{"jsonrpc":"2.0","id":${JSON.stringify(asked)},"result":{"action":"accept","_meta":${nested(5000)}}}`);
  await failed;
});

test("depth is what JSON has, not what its strings hold", () => {
  for (const [text, depth] of [
    ["1", 0],
    ["[]", 1],
    ['{"a":[{}],"b":[]}', 3],
    ['["[[[","\\"[[","\\\\",[]]', 2],
    ['"[[[', 0],
    ["]]][[", 0],
    ["", 0],
  ] as const)
    expect([text, depthOf(text)]).toEqual([text, depth]);
});
