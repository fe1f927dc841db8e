import { expect, test } from "vitest";
import type { CodexClient } from "../../../src/codex/client.js";
import { initializePolicy } from "../../../src/policy/initialize.js";
import type { Services } from "../../../src/policy/services.js";

/** The ids of what is offered to a host that declares `capabilities`. */
async function offeredTo(capabilities: unknown): Promise<readonly string[]> {
  const services = {
    codex: { ready: async () => ({}) as CodexClient, lacking: new Set() },
    host: { client: { capabilities: {}, info: null } },
    settings: { browser: false },
    info: { name: "n", title: "t", version: "0" },
  } as unknown as Services;
  const params = { protocolVersion: 2, info: { name: "host", version: "1" }, capabilities };
  const context = { requestId: 1, signal: new AbortController().signal, afterResponse: () => undefined };
  const result = await initializePolicy(services).initialize(params as never, context);
  return result.authMethods?.map((method) => ("methodId" in method ? String(method.methodId) : "")) ?? [];
}

test("an object declares a capability", async () => {
  expect(await offeredTo({ elicitation: { url: {} } })).toEqual(["api-key", "chat-gpt-device-code"]);
});

// In the package nothing but this reads what a host declares: the SDK's own validators are left out of the bundle.
test.each([
  undefined,
  null,
  5,
  { elicitation: 5 },
  { elicitation: { url: 5 } },
  { elicitation: { url: [] } },
  { elicitation: { url: null } },
])("%j declares nothing", async (capabilities) => {
  expect(await offeredTo(capabilities)).toEqual(["api-key"]);
});
