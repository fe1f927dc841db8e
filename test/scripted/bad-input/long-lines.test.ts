import { expect, test } from "vitest";
import { requests } from "../../../src/generated/codex/methods.js";
import { hostNotifications, hostRequests } from "../../../src/generated/contract/methods.js";
import { startBridgeProcess } from "../../support/bridge.js";
import { initialize } from "../handshake/rig.js";

const jsonrpc = "2.0";
const limit = 64 * 1024 * 1024;

test("may have 64 MiB; a longer one is refused with the limit, and stderr stays empty", async () => {
  const other = await startBridgeProcess();
  try {
    await initialize(other);
    const { host, agent, codex } = other;
    codex.on(requests.accountRead, () => ({ account: null, requiresOpenaiAuth: true }));
    const { method } = hostRequests.codexAccountRead;
    /** Params that make a line of so many bytes, under an id of one figure. */
    const padded = (bytes: number): object => {
      const rest = JSON.stringify({ jsonrpc, id: 1, method, params: { rest: "" } });
      return { rest: "x".repeat(bytes - rest.length) };
    };
    host.rawFrames({ jsonrpc, id: 9, method, params: padded(limit + 1) });
    const refusal = await host.frame("an answer to no request", ({ id }) => id === null);
    expect(refusal).toMatchObject({
      error: { code: -32600, message: expect.stringContaining(`${limit + 1} bytes is over the limit of ${limit}`) },
    });
    expect(await host.call(method, padded(limit))).toMatchObject({ requiresOpenaiAuth: true });
    expect(host.lastId).toBeLessThan(10);
    expect(codex.calls(requests.accountRead).map(({ params }) => params)).toContainEqual({ refreshToken: false });
    host.rawFrames({ jsonrpc, method: "nope" }, { jsonrpc, method: hostNotifications.sessionCancel.method });
    expect(await host.request(hostRequests.sessionList, {})).toEqual({ sessions: [] });
    expect(agent.stderr).toBe("");
  } finally {
    await other.close();
  }
});
