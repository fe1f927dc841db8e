import { PassThrough, Writable } from "node:stream";
import { describe, expect, test } from "vitest";
import { createLineWriter, lastWordsMs } from "../../../src/host/line-writer.js";
import { createStdioTransport } from "../../../src/host/stdio-transport.js";
import { createVirtualClock } from "../../../src/testing/virtual-clock.js";

/** A stream that takes one write at a time, when the test says so. */
function startSlow(highWaterMark = 100) {
  const clock = createVirtualClock();
  const written: string[] = [];
  const told: string[] = [];
  let done: ((error?: Error) => void) | undefined;
  const stream = new Writable({
    highWaterMark,
    decodeStrings: false,
    write(text, _encoding, callback) {
      written.push(String(text));
      done = callback;
    },
  });
  const writer = createLineWriter(stream, clock, {
    stalled: () => void told.push("stalled"),
    drained: () => void told.push("drained"),
    broken: (error) => void told.push(`broken: ${error.message}`),
  });
  /** Lets the stream be done with its write. */
  const finish = async (error?: Error): Promise<void> => {
    const callback = done;
    done = undefined;
    callback?.(error);
    await clock.settle();
  };
  return { clock, written, told, writer, finish };
}

const lines = (...values: number[]): string => values.map((a) => `{"a":${a}}\n`).join("");

describe("the line writer", () => {
  test("writes a batch at once, at its end", async () => {
    const { writer, written, clock } = startSlow();
    for (const a of [1, 2, 3]) writer.send({ a });
    expect(written).toEqual([]);
    writer.flush();
    expect(written).toEqual([lines(1, 2, 3)]);
    await clock.settle();
    expect(written).toHaveLength(1);
  });

  test("writes what nobody flushes in the next macrotask, all of it at once", async () => {
    const { writer, written, clock } = startSlow();
    writer.send({ a: 1 });
    writer.send({ a: 2 });
    await clock.settle();
    expect(written).toEqual([lines(1, 2)]);
  });

  test("hands a stream that is full nothing more until it has drained", async () => {
    const { writer, written, told, finish } = startSlow(10);
    writer.send({ a: 1 });
    writer.send({ a: 2 });
    writer.flush();
    expect(told).toEqual(["stalled"]);
    for (const a of [3, 4]) {
      writer.send({ a });
      writer.flush();
    }
    expect(written).toEqual([lines(1, 2)]);
    await finish();
    expect(written).toEqual([lines(1, 2), lines(3, 4)]);
    // What had piled up filled it again: whoever waits is told only when there is room.
    expect(told).toEqual(["stalled", "stalled"]);
    await finish();
    expect(told).toEqual(["stalled", "stalled", "drained"]);
  });

  test("ends once all of it is handed over", async () => {
    const { writer, written, finish, clock } = startSlow();
    writer.send({ a: 1 });
    let over = false;
    const end = writer.end().then(() => {
      over = true;
    });
    await clock.settle();
    expect([over, written]).toEqual([false, [lines(1)]]);
    await finish();
    await end;
    expect(over).toBe(true);
  });

  test("ends without a reader that never reads again, and leaves no timer when one does", async () => {
    const { writer, finish, clock } = startSlow();
    writer.send({ a: 1 });
    let over = false;
    const end = writer.end().then(() => {
      over = true;
    });
    await clock.advance(lastWordsMs - 1);
    expect(over).toBe(false);
    await clock.advance(1);
    await end;
    const other = startSlow();
    other.writer.send({ a: 1 });
    const ended = other.writer.end();
    await other.finish();
    await ended;
    expect(other.clock.timers).toEqual([]);
    await finish();
  });

  test("tells once that the reader is gone, takes no more, and still ends", async () => {
    const { writer, written, told, finish } = startSlow();
    writer.send({ a: 1 });
    writer.flush();
    await finish(new Error("EPIPE"));
    expect(told).toEqual(["broken: EPIPE"]);
    writer.send({ a: 2 });
    writer.flush();
    await writer.end();
    expect(written).toEqual([lines(1)]);
    expect(told).toHaveLength(1);
  });

  test("makes no text of what is sent to a reader that is gone: nothing would ever take it away", async () => {
    const { writer, finish, clock } = startSlow();
    let made = 0;
    const frame = {
      toJSON: () => {
        made += 1;
        return {};
      },
    };
    writer.send(frame);
    writer.flush();
    await finish(new Error("EPIPE"));
    for (let sent = 0; sent < 3; sent++) writer.send(frame);
    await clock.settle();
    expect(made).toBe(1);
  });

  test("ends also when the reader goes while it ends", async () => {
    const { writer, finish } = startSlow();
    writer.send({ a: 1 });
    const end = writer.end();
    await finish(new Error("EPIPE"));
    await end;
  });
});

describe("the transport over two streams", () => {
  const start = () => {
    const input = new PassThrough();
    const output = new PassThrough();
    const seen: string[] = [];
    const clock = createVirtualClock();
    const transport = createStdioTransport(input, output, clock);
    const open = (): void =>
      transport.start({
        line: (text) => void seen.push(text),
        tooLong: (bytes) => void seen.push(`${bytes} bytes`),
        closed: () => void seen.push("closed"),
        stalled: () => undefined,
        drained: () => undefined,
      });
    return { input, output, seen, clock, transport, open };
  };

  test("hands on what came before the start, lines in pieces, and a last line without an end; then it is closed", async () => {
    const { input, seen, clock, open } = start();
    input.write("one\ntw");
    await clock.settle();
    open();
    await clock.settle();
    expect(seen).toEqual(["one"]);
    const rest = Buffer.from("o ä\nthree");
    for (const byte of rest) input.write(Buffer.of(byte));
    input.end();
    await clock.settle();
    expect(seen).toEqual(["one", "two ä", "three", "closed"]);
  });

  test("is closed once its output breaks, whatever its input still brings", async () => {
    const { input, output, seen, clock, open } = start();
    open();
    output.destroy(new Error("EPIPE"));
    await clock.settle();
    input.write("one\n");
    await clock.settle();
    input.end("two");
    await clock.settle();
    expect(seen).toEqual(["closed"]);
  });

  test("reads nothing while it is paused", async () => {
    const { input, seen, clock, transport, open } = start();
    open();
    transport.pause();
    input.write("one\n");
    await clock.settle();
    expect(seen).toEqual([]);
    transport.resume();
    await clock.settle();
    expect(seen).toEqual(["one"]);
  });

  test("is closed once, when either stream breaks", async () => {
    const { input, output, seen, clock, open } = start();
    open();
    output.destroy(new Error("EPIPE"));
    await clock.settle();
    expect(seen).toEqual(["closed"]);
    input.destroy(new Error("EIO"));
    await clock.settle();
    expect(seen).toEqual(["closed"]);
  });
});
