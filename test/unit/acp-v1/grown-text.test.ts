import fc from "fast-check";
import { expect, test } from "vitest";
import { addText, isTextAt, noText, setText, textOf } from "../../../src/acp-v1/grown-text.js";

const piece = fc.oneof(fc.constantFrom("", "a", "é\n", "😀", "x".repeat(700)), fc.string({ unit: "grapheme" }));

test("text that grows piece by piece is what its pieces make together", () => {
  fc.assert(
    fc.property(fc.array(piece), fc.array(piece), piece, piece, (before, pieces, ahead, behind) => {
      const grown = noText();
      for (const one of before) addText(grown, one);
      setText(grown, ahead);
      for (const one of pieces) addText(grown, one);
      const whole = ahead + pieces.join("");
      expect(textOf(grown)).toBe(whole);
      expect(grown.length).toBe(whole.length);
      expect(isTextAt(grown, whole + behind)).toBe(true);
      expect(isTextAt(grown, behind + whole, behind.length)).toBe(true);
      expect(isTextAt(grown, whole.slice(0, -1))).toBe(whole === "");
      const other = `${whole.slice(0, -1)}\u0001`;
      expect(isTextAt(grown, other)).toBe(other.startsWith(whole));
    }),
  );
});
