import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createInboundStage, type InboundStage } from "../../../src/host/inbound.js";
import { createVirtualClock, type VirtualClock } from "../../../src/testing/virtual-clock.js";

const initialize = (id: unknown): object => ({ id, method: "initialize" });
const request = (id: number): object => ({ id, method: "session/prompt" });

interface Rig {
  readonly clock: VirtualClock;
  readonly stage: InboundStage;
  /** What was handed on, and `end`, `full` and `free` where they came. */
  readonly seen: unknown[];
}

/** `taken`: what the stage is told of a message. */
function start(taken: (message: unknown) => boolean = () => true): Rig {
  const clock = createVirtualClock();
  const seen: unknown[] = [];
  const stage = createInboundStage({
    clock,
    initializeMethod: "initialize",
    hand(message) {
      seen.push(message);
      return taken(message);
    },
    ended: () => void seen.push("end"),
    full: () => void seen.push("full"),
    free: () => void seen.push("free"),
  });
  return { clock, stage, seen };
}

describe("the inbound stage", () => {
  test("hands on one message per macrotask, though all came at once", () => {
    const { clock, stage, seen } = start();
    const messages = [1, 2, 3].map(request);
    for (const message of messages) stage.push(message);
    expect(seen).toEqual([]);
    for (let count = 1; count <= 3; count += 1) {
      expect(clock.runSoon()).toBe(true);
      expect(seen).toEqual(messages.slice(0, count));
    }
    expect(clock.runSoon()).toBe(false);
  });

  test("keeps the order, whenever messages come and whenever it runs", async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.array(fc.nat({ max: 4 }), { maxLength: 20 }), async (scheduler, bursts) => {
        const { clock, stage, seen } = start();
        let id = 0;
        const pushed: unknown[] = [];
        scheduler.scheduleSequence(
          bursts.map((size) => async () => {
            for (let count = 0; count < size; count += 1) {
              id += 1;
              pushed.push(request(id));
              stage.push(pushed.at(-1));
            }
          }),
        );
        for (let runs = 0; runs < 30; runs += 1) {
          void scheduler.schedule(Promise.resolve()).then(() => {
            const before = seen.length;
            clock.runSoon();
            expect(seen.length - before).toBeLessThanOrEqual(1);
          });
        }
        await scheduler.waitAll();
        await clock.settle();
        expect(seen).toEqual(pushed);
      }),
    );
  });

  test("holds a second initialize, and what follows it, until the first is answered", async () => {
    const { clock, stage, seen } = start();
    const messages = [initialize("a"), request(1), initialize("b"), request(2)];
    for (const message of messages) stage.push(message);
    await clock.settle();
    expect(seen).toEqual(messages.slice(0, 2));
    stage.answered(1);
    await clock.settle();
    expect(seen).toHaveLength(2);
    stage.answered("a");
    await clock.settle();
    expect(seen).toEqual(messages);
  });

  test("waits for no answer to one that gets none, and for none once the host is gone", async () => {
    const untaken = start(() => false);
    for (const id of [1, 2, null]) untaken.stage.push(initialize(id));
    await untaken.clock.settle();
    expect(untaken.seen).toHaveLength(3);
    const gone = start();
    for (const id of [1, 2]) gone.stage.push(initialize(id));
    gone.stage.end();
    await gone.clock.settle();
    expect(gone.seen).toEqual([initialize(1), initialize(2), "end"]);
  });

  test("a notification of that name is none", async () => {
    const { clock, stage, seen } = start();
    for (let count = 0; count < 2; count += 1) stage.push({ method: "initialize" });
    await clock.settle();
    expect(seen).toHaveLength(2);
  });

  test("ends once, after everything", async () => {
    const { clock, stage, seen } = start();
    stage.push(request(1));
    stage.end();
    expect(seen).toEqual([]);
    await clock.settle();
    expect(seen).toEqual([request(1), "end"]);
  });

  test("stops the reading while a thousand wait, and starts it again at half of that", async () => {
    const { clock, stage, seen } = start();
    for (let id = 1; id <= 1023; id += 1) stage.push(request(id));
    expect(seen).toEqual([]);
    stage.push(request(1024));
    stage.push(request(1025));
    expect(seen).toEqual(["full"]);
    await clock.settle();
    const free = seen.indexOf("free");
    expect(free).toBeGreaterThan(500);
    expect(free).toBeLessThan(600);
    expect(seen.filter((it) => it !== "full" && it !== "free")).toEqual(
      Array.from({ length: 1025 }, (_, index) => request(index + 1)),
    );
    expect(seen.filter((it) => it === "free")).toHaveLength(1);
  });
});
