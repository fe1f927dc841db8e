import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLineSplitter } from "../../../src/codex/line-splitter.js";

type Heard = { line: string } | { tooLong: number };

function split(chunks: readonly Buffer[], maxBytes = 1 << 20): Heard[] {
  const heard: Heard[] = [];
  const splitter = createLineSplitter({
    maxBytes,
    line: (line) => void heard.push({ line }),
    tooLong: (tooLong) => void heard.push({ tooLong }),
  });
  for (const chunk of chunks) splitter.push(chunk);
  splitter.end();
  return heard;
}

/** The definition, on the whole text at once. */
function expected(bytes: Buffer, maxBytes: number): Heard[] {
  const heard: Heard[] = [];
  let from = 0;
  while (from < bytes.length) {
    const nl = bytes.indexOf(10, from);
    const to = nl < 0 ? bytes.length : nl;
    const raw = bytes.subarray(from, to);
    const text = raw.toString("utf8").replace(/\r$/, "");
    if (raw.length > maxBytes) heard.push({ tooLong: raw.length });
    else if (text !== "") heard.push({ line: text });
    from = to + 1;
  }
  return heard;
}

function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const borders = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...borders].map((from, i) => bytes.subarray(from, borders[i] ?? bytes.length));
}

const text = fc
  .array(fc.constantFrom("a", '{"b":1}', "é", "𝄞", "€", "\r", "\n", "\n", "\r\n", "0123456789"))
  .map((parts) => parts.join(""));
const cuts = fc.array(fc.nat(400), { maxLength: 12 });

describe("createLineSplitter", () => {
  it("gives the same lines for every chunking of a text, at every limit", () => {
    fc.assert(
      fc.property(text, cuts, fc.integer({ min: 1, max: 40 }), (whole, places, maxBytes) => {
        const bytes = Buffer.from(whole);
        expect(split(cut(bytes, places), maxBytes)).toEqual(expected(bytes, maxBytes));
      }),
      { numRuns: 2000 },
    );
  });

  it("gives the same lines for every chunking of arbitrary bytes", () => {
    const bytes = fc
      .uint8Array({ maxLength: 60 })
      .map((raw) => Buffer.from(raw.map((byte) => (byte % 7 === 0 ? 10 : byte))));
    fc.assert(
      fc.property(bytes, cuts, fc.integer({ min: 1, max: 20 }), (whole, places, maxBytes) => {
        expect(split(cut(whole, places), maxBytes)).toEqual(expected(whole, maxBytes));
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    { name: "a line at the limit", given: "12345\n", want: [{ line: "12345" }] },
    { name: "a line over the limit", given: "123456\nok\n", want: [{ tooLong: 6 }, { line: "ok" }] },
    { name: "a line over the limit without its end", given: "ok\n1234567", want: [{ line: "ok" }, { tooLong: 7 }] },
    { name: "empty lines", given: "\n\r\n\na\n", want: [{ line: "a" }] },
    { name: "a last line without its end", given: "a\nb", want: [{ line: "a" }, { line: "b" }] },
  ])("takes $name", ({ given, want }) => {
    expect(split([Buffer.from(given)], 5)).toEqual(want);
    expect(
      split(
        [...given].map((char) => Buffer.from(char)),
        5,
      ),
    ).toEqual(want);
  });

  it("takes a frame of 64 MiB in chunks of 64 KiB without looking at its start again", () => {
    const chunk = Buffer.alloc(64 * 1024, "x");
    const lines: number[] = [];
    const splitter = createLineSplitter({
      maxBytes: 65 << 20,
      line: (line) => void lines.push(line.length),
      tooLong: () => undefined,
    });
    for (let i = 0; i < 1024; i++) splitter.push(chunk);
    splitter.push(Buffer.from("\n"));
    expect(lines).toEqual([64 << 20]);
  });
});
