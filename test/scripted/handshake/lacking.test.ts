import { afterEach, describe, expect, test } from "vitest";
import { usedRequests } from "../../../src/generated/codex/dispatch.js";
import { requests } from "../../../src/generated/codex/methods.js";
import { hostRequests } from "../../../src/generated/contract/methods.js";
import { request } from "../../../src/runtime/index.js";
import { CodexFailure } from "../../../src/testing/scripted-codex/core.js";
import { recorded } from "../../../src/testing/scripted-codex/recorded.js";
import type { Bridge } from "../../support/bridge.js";
import { startBridge } from "../../support/bridge-agent.js";
import { initialize } from "./rig.js";

let bridge: Bridge;

afterEach(() => bridge.close());

/** A Codex that is newer than any tested one, and lists what it has as Codex does. */
function startUntested(lacks: readonly string[]): void {
  bridge = startBridge();
  const { codex } = bridge;
  const userAgent = "codex-acp-kit/0.999.0 (Debian 12.0.0; x86_64) unknown (codex-acp-kit; 0.0.0)";
  codex.on(requests.initialize, () => ({ ...recorded(requests.initialize), userAgent }));
  codex.on(request<object, unknown>("codex-acp-kit/methods"), () => {
    const names = usedRequests.filter((method) => !lacks.includes(method)).map((method) => `\`${method}\``);
    const message = `Invalid request: unknown variant \`codex-acp-kit/methods\`, expected one of ${names.join(", ")}`;
    throw new CodexFailure(-32600, message);
  });
}

describe("a Codex that lacks requests", () => {
  test("is not advertised for what it cannot do, and for all else", async () => {
    startUntested(["fuzzyFileSearch", "thread/items/list"]);
    const { capabilities } = await initialize(bridge);
    const codex = capabilities?._meta?.["codex"] as Record<string, unknown>;
    expect(codex).not.toHaveProperty("fuzzyFileSearch");
    expect(codex["sessionHistory"]).toEqual({ version: 2, modes: ["browse", "export"] });
    expect(codex).toMatchObject({ skills: true, plugins: true, rename: true });
  });

  test("is not asked for it either: the host hears what is lacking and what to do", async () => {
    startUntested(["fuzzyFileSearch"]);
    await initialize(bridge);
    const search = bridge.host.request(hostRequests.codexFuzzyFileSearch, { query: "a", roots: ["/home/user"] });
    await expect(search).rejects.toMatchObject({
      code: -32600,
      message:
        "Codex 0.999.0 cannot do _codex/fuzzy_file_search: it has no fuzzyFileSearch. Install another version of @openai/codex",
      data: { codex: { reason: "codex_lacks_method", version: "0.999.0", lacking: "fuzzyFileSearch" } },
    });
    expect(bridge.codex.calls(requests.fuzzyFileSearch)).toEqual([]);
    const { sessionId } = await bridge.host.request(hostRequests.sessionNew, { cwd: "/home/user", mcpServers: [] });
    expect(sessionId).toEqual(expect.any(String));
  });

  test("that the bridge cannot work without is refused at start", async () => {
    startUntested(["turn/start"]);
    await expect(initialize(bridge)).rejects.toMatchObject({ data: { reason: "codex_too_old", method: "turn/start" } });
  });
});
