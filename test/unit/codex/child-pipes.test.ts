import { once } from "node:events";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { createDrain } from "../../../src/codex/child-pipes.js";
import { createVirtualClock } from "../../../src/testing/virtual-clock.js";

test("pipes that close by themselves leave no timer, which would hold up the end of the process", async () => {
  const clock = createVirtualClock();
  const pipes = [new PassThrough(), new PassThrough()];
  createDrain(pipes, clock, () => false).begin();
  expect(clock.timers).toEqual([500]);
  pipes[0]?.destroy();
  await once(pipes[0] ?? new PassThrough(), "close");
  expect(clock.timers).toEqual([500]);
  pipes[1]?.destroy();
  await once(pipes[1] ?? new PassThrough(), "close");
  expect(clock.timers).toEqual([]);
});

test("pipes that were closed before need no timer", async () => {
  const clock = createVirtualClock();
  const pipe = new PassThrough();
  pipe.destroy();
  await once(pipe, "close");
  createDrain([pipe], clock, () => false).begin();
  expect(clock.timers).toEqual([]);
});
