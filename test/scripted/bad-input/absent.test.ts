import { afterEach, expect, test } from "vitest";
import { hostRequests } from "../../../src/generated/contract/methods.js";
import type { BridgeInProcess } from "../../support/bridge.js";
import { startBridge } from "../../support/bridge-agent.js";
import { initialize } from "../handshake/rig.js";

let bridge: BridgeInProcess;

afterEach(() => bridge.close());

const off = { annotations: 5, _meta: "none" };
const resource = { uri: "file:///a.txt", text: "t", mimeType: 7, _meta: [] };

// The draft has a receiver read such a member as absent; shown on, it would be off the schema of what a host is told.
test("a member of a prompt that is off schema where that counts as absent goes nowhere", async () => {
  bridge = startBridge();
  await initialize(bridge);
  const { host, clock } = bridge;
  const { sessionId } = await host.request(hostRequests.sessionNew, { cwd: "/home/user/project", mcpServers: [] });
  const sent = [
    { type: "text", text: "x", ...off },
    { type: "image", data: "AAAA", mimeType: "image/png", uri: 5, ...off },
    {
      type: "resource_link",
      name: "n",
      uri: "file:///n",
      mimeType: 5,
      title: 5,
      description: [],
      icons: 3,
      size: "1",
      ...off,
    },
    { type: "resource", resource, ...off },
  ];
  expect(await host.call(hostRequests.sessionPrompt.method, { sessionId, prompt: sent, _meta: 5 })).toHaveProperty(
    "messageId",
  );
  await clock.settle();
  const echo = host.updates(sessionId).find((update) => update.sessionUpdate === "user_message");
  expect(echo).toHaveProperty("content", [
    { type: "text", text: "x" },
    { type: "image", data: "AAAA", mimeType: "image/png" },
    { type: "resource_link", name: "n", uri: "file:///n" },
    { type: "resource", resource: { uri: "file:///a.txt", text: "t" } },
  ]);
});

test("a blob of no media type is no image", async () => {
  bridge = startBridge();
  await initialize(bridge);
  const { host } = bridge;
  const { sessionId } = await host.request(hostRequests.sessionNew, { cwd: "/home/user/project", mcpServers: [] });
  const prompt = [{ type: "resource", resource: { uri: "file:///a.png", blob: "AAAA", mimeType: 7 } }];
  await expect(host.call(hostRequests.sessionPrompt.method, { sessionId, prompt })).rejects.toMatchObject({
    code: -32602,
    data: { path: "/prompt/0/resource" },
  });
});
