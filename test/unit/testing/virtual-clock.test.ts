import { expect, test } from "vitest";
import { createVirtualClock, seededPick } from "../../../src/testing/virtual-clock.js";

test("soon-tasks run one at a time, in order, and only when told", async () => {
  const clock = createVirtualClock();
  const ran: string[] = [];
  clock.soon(() => ran.push("a"));
  clock.soon(() => ran.push("b"));
  await Promise.resolve();
  expect(ran).toEqual([]);
  expect(clock.runSoon()).toBe(true);
  expect(ran).toEqual(["a"]);
  expect(clock.runSoon()).toBe(true);
  expect(clock.runSoon()).toBe(false);
  expect(ran).toEqual(["a", "b"]);
});

test("settle drains tasks and the microtasks between them", async () => {
  const clock = createVirtualClock();
  const ran: string[] = [];
  clock.soon(() => {
    ran.push("task");
    void Promise.resolve()
      .then(() => ran.push("microtask"))
      .then(() => clock.soon(() => ran.push("its task")));
  });
  clock.soon(() => ran.push("next task"));
  await clock.settle();
  expect(ran).toEqual(["task", "microtask", "next task", "its task"]);
});

test("advance runs timers at their own times, soonest first, and leaves later ones", async () => {
  const clock = createVirtualClock({ start: 1000 });
  const ran: string[] = [];
  const note = (name: string) => () => ran.push(`${name}@${clock.now()}`);
  clock.after(30, note("late"));
  clock.after(10, () => {
    note("early")();
    clock.after(5, note("nested"));
  });
  const takeBack = clock.after(12, note("taken back"));
  takeBack();
  await clock.advance(20);
  expect(ran).toEqual(["early@1010", "nested@1015"]);
  expect(clock.now()).toBe(1020);
  expect(clock.timers).toEqual([10]);
  await clock.advance(10);
  expect(ran.at(-1)).toBe("late@1030");
});

test("auto runs soon-tasks without help, but no timers", async () => {
  const clock = createVirtualClock({ auto: true });
  const ran: string[] = [];
  clock.after(0, () => ran.push("timer"));
  await new Promise<void>((resolve) => clock.soon(() => clock.soon(resolve)));
  expect(ran).toEqual([]);
  await clock.advance(0);
  expect(ran).toEqual(["timer"]);
});

test("a seed reorders what is due at the same time, and repeats itself", async () => {
  const run = async (seed: number): Promise<string> => {
    const clock = createVirtualClock({ pick: seededPick(seed) });
    let ran = "";
    for (const name of "abcdef") clock.soon(() => (ran += name));
    for (const name of "uvwxyz") clock.after(5, () => (ran += name));
    await clock.advance(5);
    return ran;
  };
  const runs = await Promise.all([1, 2, 3, 4].map(run));
  expect(new Set(runs).size).toBeGreaterThan(1);
  for (const ran of runs) expect([...ran.slice(0, 6)].sort().join("")).toBe("abcdef");
  expect(await Promise.all([1, 2, 3, 4].map(run))).toEqual(runs);
});

test("what a task throws comes out of settle", async () => {
  const clock = createVirtualClock();
  clock.soon(() => {
    throw new Error("from the task");
  });
  await expect(clock.settle()).rejects.toThrow("from the task");
});

test("what a task throws that runs by itself goes to onError, and the rest goes on", async () => {
  const errors: unknown[] = [];
  const clock = createVirtualClock({ auto: true, onError: (error) => void errors.push(error) });
  clock.soon(() => {
    throw new Error("from the task");
  });
  await new Promise<void>((resolve) => clock.soon(resolve));
  expect(errors).toEqual([new Error("from the task")]);
});

test("a clock that never rests is reported", async () => {
  const clock = createVirtualClock({ limit: 50 });
  const again = (): void => clock.soon(again);
  again();
  await expect(clock.settle()).rejects.toThrow("did not come to rest after 50 tasks");
});
