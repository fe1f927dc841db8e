import { afterEach, describe, expect } from "vitest";
import type { Bridge } from "../../support/bridge.js";
import { startBridge } from "../../support/bridge-agent.js";
import { clause } from "../../support/clause.js";
import { initialize } from "./rig.js";

let bridge: Bridge;

afterEach(() => bridge.close());

/** Sign-in methods offered in this environment to a host with these capabilities. */
async function offered(env: Readonly<Record<string, string>>, capabilities: object = {}): Promise<object[]> {
  const { authMethods } = await initialize(start(env), capabilities);
  return (authMethods ?? []).map(({ type, methodId }) => ({ type, methodId }));
}

const start = (env: Readonly<Record<string, string>> = {}): Bridge => {
  bridge = startBridge({ env });
  return bridge;
};

const agent = (methodId: string) => ({ type: "agent", methodId });

clause(["INIT-03", "INIT-04", "INIT-05"], "the advertised object is exactly the contract's", async () => {
  const { capabilities } = await initialize(start());
  const { _meta, ...standard } = capabilities ?? {};
  expect(standard).toEqual({
    session: {
      prompt: { image: {}, embeddedContext: {} },
      mcp: { stdio: {}, http: {} },
      fork: {},
      delete: {},
      additionalDirectories: {},
      archive: {},
      title: {},
      status: {},
      systemPrompt: {},
    },
    providers: {},
    auth: { status: {} },
  });
  expect(_meta).toEqual({
    alwith: { tools: { version: 1 }, turns: { version: 2 } },
    codex: {
      forkAtTurn: true,
      sessionLineage: true,
      archive: true,
      sessionList: { version: 1 },
      sessionHistory: { version: 2, items: true, modes: ["browse", "export"] },
      seedHistory: true,
      skills: true,
      plugins: true,
      pluginEnable: true,
      providerCatalog: true,
      rename: true,
      account: true,
      fuzzyFileSearch: true,
      // Beside the thirteen of INIT-05.
      codexRestart: true,
      // The recorded Codex is a 0.171.0.
      sessionsMove: false,
    },
  });
});

describe("sign-in methods", () => {
  clause(["INIT-06", "INIT-07"], "the key comes first, the browser unless there is none", async () => {
    for (const [env, browser] of [
      [{}, true],
      [{ NO_BROWSER: "" }, true],
      [{ NO_BROWSER: "1" }, false],
      [{ NO_BROWSER: "0" }, false],
    ] as const) {
      expect(await offered(env)).toEqual([agent("api-key"), ...(browser ? [agent("chat-gpt")] : [])]);
      await bridge.close();
    }
    start();
  });

  clause(["INIT-08"], "a device code for hosts that can show a page, and no others", async () => {
    const code = agent("chat-gpt-device-code");
    for (const [elicitation, shows] of [
      [{ url: {} }, true],
      [{ url: {}, form: {} }, true],
      [{ form: {} }, false],
      [{ url: null }, false],
      [{}, false],
      [null, false],
    ] as const) {
      const methods = await offered({ NO_BROWSER: "1" }, { elicitation });
      expect(methods).toEqual([agent("api-key"), ...(shows ? [code] : [])]);
      await bridge.close();
    }
    start();
  });
});
