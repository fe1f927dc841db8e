import { afterEach, beforeEach, expect, test } from "vitest";
import { notifications, requests } from "../../../src/generated/codex/methods.js";
import type { Account, GetAccountResponse } from "../../../src/generated/codex/types.js";
import { agentNotifications, hostRequests } from "../../../src/generated/contract/methods.js";
import { CodexFailure } from "../../../src/testing/scripted-codex/core.js";
import { recorded } from "../../../src/testing/scripted-codex/recorded.js";
import type { Bridge } from "../../support/bridge.js";
import { startBridge } from "../../support/bridge-agent.js";
import { initialize } from "../handshake/rig.js";

let bridge: Bridge;

beforeEach(() => {
  bridge = startBridge();
});
afterEach(() => bridge.close());

function account(it: Account | null, requiresOpenaiAuth = true): void {
  const answer: GetAccountResponse = { ...recorded(requests.accountRead), account: it, requiresOpenaiAuth };
  bridge.codex.on(requests.accountRead, () => answer);
}

const status = () => bridge.host.request(hostRequests.authStatus, {});
const pushed = () => bridge.host.notifications(agentNotifications.authStatusUpdate);

async function changed(): Promise<void> {
  bridge.codex.notify(notifications.accountUpdated, { authMode: null, planType: null });
  await bridge.clock.settle();
}

const chatgpt: Account = { type: "chatgpt", email: "ada@example.com", planType: "plus", workspaceName: "Lovelace" };
const signedIn = {
  state: "authenticated",
  accounts: [{ label: "ChatGPT plus", active: true, email: "ada@example.com", organization: "Lovelace" }],
};

test.each([
  [null, true, { state: "unauthenticated" }],
  [null, false, { state: "not_required" }],
  [{ type: "apiKey" }, true, { state: "authenticated", accounts: [{ label: "OpenAI API key", active: true }] }],
  [chatgpt, true, signedIn],
  [
    { type: "chatgpt", email: null, planType: "unknown" },
    true,
    { state: "authenticated", accounts: [{ label: "ChatGPT", active: true }] },
  ],
  [{ type: "gcp" }, false, { state: "authenticated", accounts: [{ label: "Google Cloud", active: true }] }],
] satisfies [Account | null, boolean, object][])(
  "auth/status of %j, required: %s (R-05)",
  async (it, required, want) => {
    await initialize(bridge);
    account(it, required);
    expect(await status()).toEqual(want);
  },
);

test("a Codex that does not say is no error, and never asks the host to sign in (R-05)", async () => {
  await initialize(bridge);
  bridge.codex.on(requests.accountRead, () => {
    throw new CodexFailure(-32603, "the keyring is locked");
  });
  expect(await status()).toEqual({ state: "unknown" });
});

test("auth/status_update tells a change once, and nothing that was told already (R-05)", async () => {
  account(null);
  await initialize(bridge);
  await bridge.clock.settle();
  expect(pushed()).toEqual([]);
  await changed();
  expect(pushed()).toEqual([{ state: "unauthenticated" }]);
  await changed();
  expect(pushed()).toHaveLength(1);
  account(chatgpt);
  await changed();
  expect(pushed()).toEqual([{ state: "unauthenticated" }, signedIn]);
  account({ type: "apiKey" });
  const answer = await status();
  await changed();
  expect(pushed()).toHaveLength(2);
  expect(answer.state).toBe("authenticated");
});

test("nobody who has not been greeted is told (R-05)", async () => {
  account(null);
  await bridge.codex.received(requests.initialize);
  await bridge.clock.settle();
  await changed();
  expect(pushed()).toEqual([]);
});
