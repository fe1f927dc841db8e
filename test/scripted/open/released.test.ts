import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { requests } from "../../../src/generated/codex/methods.js";
import { hostRequests } from "../../../src/generated/contract/methods.js";
import { defaultPolicies } from "../../../src/policy/index.js";
import type { OpenSession } from "../../../src/policy/services.js";
import { recorded } from "../../../src/testing/scripted-codex/recorded.js";
import { cwd, startOpen } from "./rig.js";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

test("nothing holds on to a session that was closed", async () => {
  let find: ((id: string) => OpenSession | undefined) | undefined;
  const prompt: typeof defaultPolicies.prompt = (services, open) => {
    find = open;
    return defaultPolicies.prompt(services, open);
  };
  const { bridge } = await startOpen({ agent: { policies: { prompt } } });
  const { host, clock, codex } = bridge;
  let threads = 0;
  codex.on(requests.threadStart, () => {
    threads += 1;
    const result = recorded(requests.threadStart);
    return { ...result, thread: { ...result.thread, id: `thread-${threads}`, sessionId: `thread-${threads}` } };
  });
  const open = async (): Promise<{ id: string; session: WeakRef<OpenSession> }> => {
    const { sessionId } = await host.request(hostRequests.sessionNew, { cwd, mcpServers: [] });
    const session = find?.(sessionId);
    if (!session) throw new Error("the session is not open");
    return { id: sessionId, session: new WeakRef(session) };
  };
  const closed = await open();
  const kept = await open();
  await host.request(hostRequests.sessionClose, { sessionId: closed.id });
  await clock.settle();
  // What a WeakRef gave stays until the end of its turn of the event loop.
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  expect(kept.session.deref()).toBeDefined();
  expect(closed.session.deref()).toBeUndefined();
  await bridge.close();
});
