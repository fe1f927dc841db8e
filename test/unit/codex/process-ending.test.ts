import { expect, test } from "vitest";
import { endProcess, GRACE } from "../../../src/codex/process-ending.js";
import { createVirtualClock } from "../../../src/testing/virtual-clock.js";

test("what is started while a Codex takes its time to end is known when it is gone", async () => {
  const clock = createVirtualClock();
  const running = ["codex"];
  let known: readonly string[] = [];
  const killed: string[] = [];
  let gone = false;
  let onGone = (): void => undefined;
  const ended = endProcess({
    clock,
    closeStdin: () => undefined,
    hasExited: () => gone,
    onExit(fn) {
      onGone = fn;
    },
    tree: {
      remember() {
        known = [...running];
      },
      alive: () => known.some((name) => running.includes(name)),
      kill(signal) {
        killed.push(...known.map((name) => `${signal} ${name}`));
        running.length = 0;
      },
    },
  });
  await clock.advance(GRACE.look);
  running.push("daemon");
  await clock.advance(GRACE.look);
  running.shift();
  gone = true;
  onGone();
  await clock.advance(GRACE.leftovers);
  await ended;
  expect(killed).toContain("SIGTERM daemon");
  expect(clock.timers).toEqual([]);
});
