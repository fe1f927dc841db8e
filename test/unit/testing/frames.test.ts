import { expect, test } from "vitest";
import { createFrameLog } from "../../../src/testing/frames.js";
import { createWaits } from "../../../src/testing/waits.js";

test("the log numbers frames of both wires and notes in one order", () => {
  const log = createFrameLog();
  log.add("host", "host", { method: "a" });
  log.add("codex", "bridge", { method: "b" });
  log.note("codex ends");
  log.add("codex", "codex", { method: "c" }, true);
  expect(log.entries.map(({ seq }) => seq)).toEqual([0, 1, 2, 3]);
  expect(log.frames("codex").map(({ from }) => from)).toEqual(["bridge", "codex"]);
  expect(log.tail(3)).toBe('#1 bridge -> codex {"method":"b"}\n#2 -- codex ends\n#3 codex -> bridge {"method":"c"}');
});

test("the bridge's frames are never deliberate", () => {
  const log = createFrameLog();
  log.add("host", "bridge", {}, true);
  log.add("host", "host", {}, true);
  expect(log.frames().map(({ deliberate }) => deliberate)).toEqual([false, true]);
});

test("a host under test has a wire to its user, and is never deliberate itself", () => {
  const log = createFrameLog("host");
  log.add("user", "user", { method: "prompt" }, true);
  log.add("user", "host", {}, true);
  log.add("host", "bridge", {}, true);
  expect(log.frames().map(({ deliberate }) => deliberate)).toEqual([true, false, true]);
  expect(log.tail()).toBe('#0 user -> host {"method":"prompt"}\n#1 host -> user {}\n#2 bridge -> host {}');
});

test("a wait ends with the entry that satisfies it", async () => {
  const log = createFrameLog();
  const waits = createWaits(log);
  const third = waits.until("the third entry", () => log.entries[2]?.seq);
  for (const name of ["a", "b", "c"]) log.note(name);
  expect(await third).toBe(2);
  expect(await waits.until("what is there already", () => log.entries.length)).toBe(3);
});

test("a wait in vain names what it waited for and shows the log", async () => {
  const log = createFrameLog();
  const waits = createWaits(log, 20);
  log.note("the last thing seen");
  await expect(waits.until("a miracle", () => undefined)).rejects.toThrow(
    /20 ms in vain for a miracle[\s\S]*last thing seen/,
  );
  await expect(waits.within("a promise", new Promise(() => undefined))).rejects.toThrow("in vain for a promise");
});

test("what the probe throws ends the wait", async () => {
  const log = createFrameLog();
  const wait = createWaits(log).until("it", () => {
    if (log.entries.length > 0) throw new Error("off contract");
    return undefined;
  });
  log.note("anything");
  await expect(wait).rejects.toThrow("off contract");
});

test("a failure ends open waits and those to come", async () => {
  const waits = createWaits(createFrameLog());
  const open = waits.until("it", () => undefined);
  waits.fail(new Error("first fault"));
  waits.fail(new Error("second fault"));
  await expect(open).rejects.toThrow("first fault");
  await expect(waits.within("it", Promise.resolve(1))).rejects.toThrow("first fault");
});
