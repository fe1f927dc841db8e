import { afterEach, beforeEach, expect, test } from "vitest";
import { hostRequests } from "../../src/generated/contract/methods.js";
import { execCommand, message } from "../../src/testing/scripted-model/steps.js";
import { isUpdate } from "../support/host.js";
import { type RealBridge, startRealBridge } from "../support/real-bridge.js";

let bridge: RealBridge;

beforeEach(async () => {
  bridge = await startRealBridge({
    git: true,
    scripts: [
      { key: "TELL", steps: [message("Told.")] },
      { key: "OUTLIVE", steps: [execCommand("sleep 300", { yield_time_ms: 250 }), message("It goes on.")] },
    ],
  });
  await bridge.host.request(hostRequests.initialize, {
    protocolVersion: 2,
    info: { name: "test", version: "0" },
    capabilities: {},
  });
});
afterEach(() => bridge.close());

async function told(words: string, fields: object = {}): Promise<string> {
  const { host, home } = bridge;
  const { sessionId } = await host.request(hostRequests.sessionNew, { cwd: home.workspace, mcpServers: [], ...fields });
  await host.request(hostRequests.sessionPrompt, { sessionId, prompt: [{ type: "text", text: words }] });
  await host.idle(sessionId);
  return sessionId;
}

test("the real Codex archives, unarchives, names and knows a session for a host of the draft alone (R-05)", async () => {
  const { host } = bridge;
  const sessionId = await told("TELL me");
  const status = () => host.request(hostRequests.sessionStatus, { sessionId });
  expect(await status()).toEqual({ status: "open", state: { state: "idle", background: [] } });
  const titled = await host.request(hostRequests.sessionSetTitle, { sessionId, title: "  Told  " });
  expect(titled).toEqual({ title: "Told" });
  await host.update(sessionId, (it) => isUpdate("session_info_update")(it) && it.title === "Told");
  const blank = host.request(hostRequests.sessionSetTitle, { sessionId, title: "  " });
  await expect(blank).rejects.toMatchObject({ code: -32602 });

  // Open, it is no archived one; archived, it is closed.
  expect(await host.request(hostRequests.sessionUnarchive, { sessionId })).toEqual({});
  for (let round = 0; round < 2; round++) {
    expect(await host.request(hostRequests.sessionArchive, { sessionId })).toEqual({});
    expect(await status()).toEqual({ status: "saved" });
  }
  expect((await host.request(hostRequests.sessionList, {})).sessions).toEqual([]);
  for (let round = 0; round < 2; round++) {
    expect(await host.request(hostRequests.sessionUnarchive, { sessionId })).toEqual({});
  }
  expect((await host.request(hostRequests.sessionList, {})).sessions).toMatchObject([{ sessionId, title: "Told" }]);
  const nobody = "019b0000-0000-7000-8000-000000000000";
  for (const { method } of [hostRequests.sessionArchive, hostRequests.sessionUnarchive, hostRequests.sessionStatus]) {
    const answer = host.call(method, { sessionId: nobody });
    await expect(answer, method).rejects.toMatchObject({ code: -32002, data: { sessionId: nobody } });
  }
});

test("the real Codex says who is signed in, and takes a system prompt of the draft (R-05)", async () => {
  const { host, model } = bridge;
  expect(await host.request(hostRequests.authStatus, {})).toEqual({ state: "not_required" });
  const marker = "Answer as a lighthouse keeper would.";
  await told("TELL me", { systemPrompt: { mode: "append", content: [{ type: "text", text: marker }] } });
  const sent = Object(model.requests.find(({ key }) => key === "TELL")?.body).input;
  const roles = sent.flatMap((item: { role?: string }) => (JSON.stringify(item).includes(marker) ? [item.role] : []));
  expect(roles).toEqual(["developer"]);
});

test("a host ends a command of the real Codex that outlived its turn (R-05)", async () => {
  const { host } = bridge;
  const sessionId = await told("OUTLIVE");
  const terminals = () => host.updates(sessionId).filter(isUpdate("terminal_update"));
  const offer = terminals().find(({ capabilities }) => capabilities != null);
  expect(offer).toMatchObject({ capabilities: { cancel: {} } });
  const terminalId = offer?.terminalId ?? "";
  expect(await host.request(hostRequests.terminalCancel, { sessionId, terminalId })).toEqual({});
  await host.update(sessionId, (it) => isUpdate("terminal_update")(it) && it.exitStatus != null);
  expect(terminals().at(-1)).toMatchObject({ terminalId, capabilities: null });
  await host.update(
    sessionId,
    (it) => isUpdate("state_update")(it) && Array.isArray(it.background) && it.background.length === 0,
  );
  const again = host.request(hostRequests.terminalCancel, { sessionId, terminalId });
  await expect(again).rejects.toMatchObject({ code: -32602, data: { terminalId } });
});
