// A host of ours that starts a stubborn Codex and then exits without ending it.
import { register } from "tsx/esm/api";

register();
const { startCodexProcess } = await import("../../../src/codex/process-transport.ts");
const stubborn = new URL("./stubborn.mjs", import.meta.url).pathname;
startCodexProcess({ command: process.execPath, args: [stubborn] }).start({
  frame(frame) {
    process.stdout.write(`${JSON.stringify(frame)}\n`, () => process.exit(0));
  },
  batchEnd: () => undefined,
  unreadable: () => undefined,
  closed: () => undefined,
});
