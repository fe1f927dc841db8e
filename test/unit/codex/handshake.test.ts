import { describe, expect, it } from "vitest";
import { createConnection } from "../../../src/codex/connection.js";
import {
  CodexLostError,
  CodexRequestError,
  CodexSilentError,
  CodexUnsuitableError,
} from "../../../src/codex/errors.js";
import { createHandshake, type HandshakeOptions } from "../../../src/codex/handshake.js";
import type { Clock } from "../../../src/runtime/clock.js";
import { gone, type MemoryTransport, memoryTransport } from "./memory-transport.js";

const noop = (): void => undefined;
const handlers = {
  onNotification: noop,
  onServerRequest: noop,
  onBatchEnd: noop,
  onUnreadable: noop,
  onLost: noop,
  onStray: noop,
};

/** Lets what waits for a promise run. */
const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

const answer = (version: string, id = 1): object => ({
  id,
  result: {
    userAgent: `codex-acp-kit/${version} (Linux)`,
    codexHome: "/c",
    platformFamily: "unix",
    platformOs: "linux",
  },
});

function setUp(more: Partial<HandshakeOptions> = {}) {
  const opened: MemoryTransport[] = [];
  const timers = new Set<() => void>();
  const clock: Clock = {
    now: () => 0,
    elapsed: () => 0,
    soon: (fn) => void setImmediate(fn),
    after(_ms, fn) {
      timers.add(fn);
      return () => timers.delete(fn);
    },
  };
  const handshake = createHandshake({
    open() {
      const transport = memoryTransport();
      opened.push(transport);
      return createConnection(transport, handlers);
    },
    version: "0.1.0",
    clock,
    optOutNotificationMethods: ["thread/noise"],
    requiredRequests: ["initialize", "turn/start"],
    ...more,
  });
  const at = (n: number): MemoryTransport => {
    const transport = opened[n];
    if (transport === undefined) throw new Error(`no connection ${n}`);
    return transport;
  };
  return { handshake, opened, timers, at };
}

describe("createHandshake", () => {
  it("greets once, however many ask, and says that it is initialized", async () => {
    const { handshake, opened, timers, at } = setUp();
    const [first, second] = [handshake.ready(), handshake.ready()];
    await settle();
    at(0).sink().frame(answer("0.171.0"));
    const ready = await first;
    expect(await second).toBe(ready);
    expect(await handshake.ready()).toBe(ready);
    expect(opened).toHaveLength(1);
    expect(at(0).sent).toEqual([
      {
        id: 1,
        method: "initialize",
        params: {
          clientInfo: { name: "codex-acp-kit", title: "Codex ACP Kit", version: "0.1.0" },
          capabilities: { experimentalApi: true, optOutNotificationMethods: ["thread/noise"] },
        },
      },
      { method: "initialized" },
    ]);
    expect(ready).toMatchObject({ version: "0.171.0", warning: null, response: { codexHome: "/c" } });
    expect(timers.size).toBe(0);
  });

  it("forgets a refusal: the process is stopped and the next call starts another", async () => {
    const { handshake, at } = setUp();
    const first = handshake.ready();
    await settle();
    at(0)
      .sink()
      .frame({ id: 1, error: { code: -32600, message: "no" } });
    await expect(first).rejects.toEqual(new CodexRequestError("initialize", -32600, "no"));
    expect(at(0).calls).toEqual(["stop"]);
    const second = handshake.ready();
    await settle();
    at(1).sink().frame(answer("0.171.0"));
    expect((await second).version).toBe("0.171.0");
  });

  it("rejects at once when Codex ends before it answers", async () => {
    const { handshake, at } = setUp();
    const first = handshake.ready();
    await settle();
    at(0).sink().closed(gone);
    await expect(first).rejects.toEqual(new CodexLostError(gone));
  });

  it("starts another Codex after a loss", async () => {
    const { handshake, opened, at } = setUp();
    const first = handshake.ready();
    await settle();
    at(0).sink().frame(answer("0.171.0"));
    await first;
    at(0).sink().closed(gone);
    const second = handshake.ready();
    await settle();
    expect(opened).toHaveLength(2);
    at(1).sink().frame(answer("0.170.0"));
    expect((await second).version).toBe("0.170.0");
  });

  it("gives up a Codex that does not answer", async () => {
    const { handshake, timers, at } = setUp({ timeout: 5000 });
    const first = handshake.ready();
    await settle();
    for (const fire of timers) fire();
    await expect(first).rejects.toEqual(new CodexSilentError(5000));
    expect(at(0).calls).toEqual(["stop"]);
  });

  it("passes on what opening throws, and tries again", async () => {
    let times = 0;
    const { handshake } = setUp({
      open() {
        times++;
        throw new Error("not found");
      },
    });
    await expect(handshake.ready()).rejects.toThrow("not found");
    await expect(handshake.ready()).rejects.toThrow("not found");
    expect(times).toBe(2);
  });

  it.each([
    { lists: "`initialize`, `turn/start`", missing: null },
    { lists: "`initialize`, `thread/start`", missing: ["turn/start"] },
  ])("looks at what an untested Codex offers: $lists", async ({ lists, missing }) => {
    const { handshake, at } = setUp();
    const ready = handshake.ready();
    await settle();
    at(0).sink().frame(answer("0.180.0"));
    await settle();
    const message = `Invalid request: unknown variant \`x\`, expected one of ${lists}`;
    expect(at(0).sent.at(-1)).toMatchObject({ id: 2, method: "codex-acp-kit/methods" });
    at(0)
      .sink()
      .frame({ id: 2, error: { code: -32600, message } });
    if (missing === null) expect((await ready).warning).toContain("0.180.0");
    else {
      const error: unknown = await ready.catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(CodexUnsuitableError);
      expect(error).toMatchObject({ version: "0.180.0", missing });
    }
  });

  it("tells what an untested Codex lacks of what is used, and works with it", async () => {
    const { handshake, at } = setUp({ usedRequests: ["turn/start", "thread/fork", "skills/list"] });
    const ready = handshake.ready();
    await settle();
    at(0).sink().frame(answer("0.180.0"));
    await settle();
    const message = "Invalid request: unknown variant `x`, expected one of `initialize`, `turn/start`, `skills/list`";
    at(0)
      .sink()
      .frame({ id: 2, error: { code: -32600, message } });
    expect([...(await ready).lacking]).toEqual(["thread/fork"]);
  });

  it("asks a tested Codex nothing", async () => {
    const { handshake, at } = setUp({ usedRequests: ["thread/never"] });
    const ready = handshake.ready();
    await settle();
    at(0).sink().frame(answer("0.171.0"));
    expect([...(await ready).lacking]).toEqual([]);
    expect(at(0).sent).toHaveLength(2);
  });
});
