import { expect, test } from "vitest";
import { createTerminals } from "../../../src/acp-v1/terminals.js";

const base64 = (text: string): string => Buffer.from(text).toString("base64");

test("a character that two chunks share comes whole", () => {
  const terminals = createTerminals({ texts: true });
  terminals.shownBy("call", "t");
  const bytes = Buffer.from("aé");
  expect(terminals.chunk("t", bytes.subarray(0, 2).toString("base64"))?.added).toBe("a");
  expect(terminals.chunk("t", bytes.subarray(2).toString("base64"))?.added).toBe("é");
});

test("showing an output anew costs no more than a few times its length", () => {
  const terminals = createTerminals({ texts: true });
  terminals.shownBy("call", "t");
  let shown = 0;
  for (let index = 0; index < 20_000; index += 1) {
    terminals.chunk("t", base64("0123456789"));
    if (terminals.isDue("t")) shown += terminals.text("t").length;
  }
  expect(shown).toBeGreaterThan(100_000);
  expect(shown).toBeLessThan(6 * 200_000);
  terminals.update({ terminalId: "t", exitStatus: { exitCode: 0 } });
  expect(terminals.isDue("t"), "the rest is due at the end").toBe(true);
  expect(terminals.text("t")).toHaveLength(200_000);
  expect(terminals.isDue("t")).toBe(false);
});

test("of a very long output both ends are shown, and no character is cut in two", () => {
  const terminals = createTerminals({ texts: true });
  const line = `x${"😀".repeat(49)}\n`;
  for (let index = 0; index < 40_000; index += 1) terminals.chunk("t", base64(line));
  const text = terminals.text("t");
  expect(text.length).toBeLessThan(1_100_000);
  expect(text).toMatch(/^x😀[\s\S]*\n\.\.\. \d+ characters omitted \.\.\.\n[\s\S]*😀\n$/u);
  expect(text).not.toMatch(/\p{Surrogate}/u);
  const [, left] = /(\d+) characters omitted/.exec(text) ?? [];
  const kept = text.length - `\n... ${left} characters omitted ...\n`.length;
  expect(kept + Number(left)).toBe(40_000 * line.length);
});

test("a host that shows terminals is given the record of a long output in place of what it has", () => {
  const terminals = createTerminals({ texts: false });
  terminals.shownBy("call", "t");
  const line = `${"0123456789".repeat(7)}\n`;
  for (let index = 0; index < 1_000; index += 1) terminals.chunk("t", base64(line));
  const whole = line.repeat(1_001);
  expect(terminals.update({ terminalId: "t", output: { data: base64(whole) } })).toMatchObject({
    added: whole,
    replaced: true,
  });
  expect(terminals.update({ terminalId: "t", output: { data: base64(`${whole}.`) } })).toMatchObject({
    added: ".",
    replaced: false,
  });
});

test("another record replaces what was streamed, the rest of it is added", () => {
  const terminals = createTerminals({ texts: true });
  terminals.shownBy("call", "t");
  terminals.chunk("t", base64("ab"));
  expect(terminals.update({ terminalId: "t", output: { data: base64("abc") } })).toMatchObject({
    added: "c",
    replaced: false,
  });
  expect(terminals.update({ terminalId: "t", output: { data: base64("x") } })).toMatchObject({
    added: "x",
    replaced: true,
  });
  expect(terminals.text("t")).toBe("x");
});
