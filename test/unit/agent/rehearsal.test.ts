import { expect, test } from "vitest";
import { rehearse } from "../../../src/agent/rehearsal.js";
import { isObject } from "../../../src/runtime/index.js";
import { createFrameLog } from "../../../src/testing/frames.js";
import { createStrictChecker } from "../../../src/testing/strict.js";
import { schemas } from "../../support/schemas.js";

test("a rehearsal opens its sessions, and has nothing to say", async () => {
  const log = createFrameLog();
  const checker = createStrictChecker({ log, schemas });
  const notes: string[] = [];
  await rehearse({
    onFrame: (direction, frame) => log.add("host", direction === "from-host" ? "host" : "bridge", frame),
    note: (text) => void notes.push(text),
  });
  checker.assertClean();
  expect(notes).toEqual([]);
  const answers = log
    .frames("host", "bridge")
    .flatMap(({ frame }) => (isObject(frame) && "id" in frame ? [frame] : []));
  const opened = expect.objectContaining({ sessionId: expect.any(String), configOptions: expect.any(Array) });
  expect(answers).toEqual([
    { jsonrpc: "2.0", id: 1, result: expect.objectContaining({ protocolVersion: 2 }) },
    { jsonrpc: "2.0", id: 2, result: opened },
    { jsonrpc: "2.0", id: 3, result: opened },
  ]);
});
