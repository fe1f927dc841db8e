import { PassThrough, Writable } from "node:stream";
import { expect, test } from "vitest";
import { createAgent } from "../../../src/agent/create-agent.js";
import { hostRequests } from "../../../src/generated/contract/methods.js";
import { createStdioTransport } from "../../../src/host/stdio-transport.js";
import { connectInProcess } from "../../../src/testing/scripted-codex/in-process.js";
import { nextTurn } from "../../../src/testing/scripted-codex/turn.js";
import { createGround } from "../../support/codex-rig.js";
import { createHost } from "../../support/host.js";

/** A host's end of two streams, which can stop reading. */
function createSlowHost() {
  let reading = true;
  let waiting = (): void => undefined;
  let take: (line: string) => void = () => undefined;
  let rest = "";
  const input = new PassThrough();
  const output = new Writable({
    decodeStrings: false,
    write(text, _encoding, done) {
      const read = (): void => {
        const lines = (rest + String(text)).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) take(line);
        done();
      };
      if (reading) read();
      else waiting = read;
    },
  });
  return {
    input,
    output,
    reads(on: boolean): void {
      reading = on;
      if (on) waiting();
    },
    wire: {
      write: (text: string) => void input.write(text),
      onLine(fn: (line: string) => void) {
        take = fn;
      },
      close: () => void input.end(),
    },
  };
}

const textOf = (content: unknown): string => {
  const { text } = Object(content);
  return typeof text === "string" ? text : "";
};

test("a host that does not read stops the reading from Codex, and misses nothing when it reads again", async () => {
  const { clock, codex, log, waits, checker } = createGround();
  const slow = createSlowHost();
  const host = createHost(slow.wire, log, waits);
  const calls: string[] = [];
  const agent = createAgent({
    clock,
    codex() {
      const transport = connectInProcess(codex, clock);
      return {
        ...transport,
        pause() {
          calls.push("pause");
          transport.pause();
        },
        resume() {
          calls.push("resume");
          transport.resume();
        },
      };
    },
  }).connect(createStdioTransport(slow.input, slow.output, clock));

  await host.request(hostRequests.initialize, {
    protocolVersion: 2,
    info: { name: "test", version: "0" },
    capabilities: {},
  });
  const { sessionId } = await host.request(hostRequests.sessionNew, { cwd: "/home/user/project", mcpServers: [] });
  await host.request(hostRequests.sessionPrompt, { sessionId, prompt: [{ type: "text", text: "hi" }] });
  const turn = await nextTurn(codex);
  turn.begin();
  await clock.settle();

  const delta = "x".repeat(10 * 1024);
  const count = 1000;
  slow.reads(false);
  const before = host.updates(sessionId).length;
  turn.message(delta.repeat(count), { deltas: Array.from({ length: count }, () => delta) });
  turn.complete();
  await clock.settle();
  expect(calls).toEqual(["pause"]);
  expect(host.updates(sessionId)).toHaveLength(before);
  // Of the 10 MiB that Codex has to say, the agent holds a few frames.
  expect(slow.output.writableLength).toBeLessThan(10 * delta.length);

  slow.reads(true);
  await host.idle(sessionId);
  const told = host
    .updates(sessionId)
    .slice(before)
    .map((update) => (update.sessionUpdate === "agent_message_chunk" ? textOf(update.content) : ""))
    .join("");
  expect(told).toBe(delta.repeat(count));
  expect(calls.filter((it) => it === "pause").length).toBe(calls.filter((it) => it === "resume").length);

  host.close();
  await waits.within("the agent to be done with its host", agent.closed);
  checker.assertClean();
});
