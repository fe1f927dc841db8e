import { describe, expect } from "vitest";
import { hostRequests } from "../../../src/generated/contract/methods.js";
import { type Bridge, startBridgeProcess } from "../../support/bridge.js";
import { startBridge } from "../../support/bridge-agent.js";
import { clause } from "../../support/clause.js";

const info = { name: "test", version: "0" };
const good = { protocolVersion: 2, info, capabilities: {} };
const off = (path: string, expected: string) => ({ code: -32602, data: { path, expected } });
const unsupported = { code: -32022, data: { requested: 0, supported: [1, 2] } };

const rows: readonly (readonly [params: unknown, error: object])[] = [
  [undefined, off("", "an object")],
  [null, off("", "an object")],
  ["x", off("", "an object")],
  [[good], off("", "an object")],
  [{ info, capabilities: {} }, off("", 'the member "protocolVersion"')],
  [{ ...good, protocolVersion: "2" }, off("/protocolVersion", "an integer")],
  [{ ...good, protocolVersion: null }, off("/protocolVersion", "an integer")],
  [{ ...good, protocolVersion: 2.5 }, off("/protocolVersion", "an integer")],
  [{ ...good, protocolVersion: -1 }, off("/protocolVersion", "at least 0")],
  [{ ...good, protocolVersion: 65_536 }, off("/protocolVersion", "at most 65535")],
  [{ ...good, protocolVersion: 0 }, unsupported],
  [{ protocolVersion: 0 }, unsupported],
  [{ protocolVersion: 2, capabilities: {} }, off("", 'the member "info"')],
  [{ ...good, info: "test" }, off("/info", "an object")],
  [{ ...good, info: { name: "test" } }, off("/info", 'the member "version"')],
  [{ ...good, info: { ...info, name: 1 } }, off("/info/name", "a string")],
];

/** From the sources with the whole SDK, and from the bundle, which has no validators of the SDK's. */
const agents: readonly (readonly [string, () => Promise<Bridge>])[] = [
  ["the sources", async () => startBridge()],
  ["the bundle", () => startBridgeProcess()],
];

describe.each(agents)("params of initialize, from %s", (_name, start) => {
  clause(["INIT-01", "INIT-02"], "each fault is named, unlocks nothing, and a right one still succeeds", async () => {
    const bridge = await start();
    const { host } = bridge;
    try {
      for (const [params, error] of rows) {
        await expect(host.call(hostRequests.initialize.method, params)).rejects.toMatchObject(error);
        const locked = host.request(hostRequests.sessionNew, { cwd: "/home/user", mcpServers: [] });
        await expect(locked).rejects.toMatchObject({ code: -32600 });
      }
      expect(await host.request(hostRequests.initialize, good)).toMatchObject({ protocolVersion: 2 });
    } finally {
      await bridge.close();
    }
  });
});
