import fc from "fast-check";
import type { Flat } from "./flat.js";
import { stringFormat } from "./formats.js";

const examples: Readonly<Record<string, fc.Arbitrary<string>>> = {
  uri: fc
    .tuple(fc.constantFrom("file:///", "https://example.org/", "urn:x:"), fc.stringMatching(/^[a-z0-9/._-]{0,12}$/))
    .map(([scheme, rest]) => scheme + rest),
  "date-time": fc
    .date({ noInvalidDate: true, min: new Date("1970-01-01T00:00:00Z"), max: new Date("2100-01-01T00:00:00Z") })
    .map((date) => date.toISOString()),
};

/** Strings of any length allowed, but short where they may be: characters count as code points. */
export const strings = (flat: Flat): fc.Arbitrary<string> => {
  const format = flat.formats.find((name) => name in stringFormat);
  const example = format === undefined ? undefined : examples[format];
  if (example !== undefined) return example;
  const [pattern] = flat.patterns;
  if (pattern !== undefined) {
    const tests = flat.patterns.map((source) => new RegExp(source, "u"));
    return fc
      .stringMatching(new RegExp(pattern, "u"))
      .filter((text) => tests.every((test) => test.test(text)) && fits(text, flat));
  }
  const maxLength = Math.min(flat.maxLength, flat.minLength + 8);
  return fc
    .array(fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 1 }), { minLength: flat.minLength, maxLength })
    .map((characters) => characters.join(""))
    .chain((plain) =>
      flat.minLength > 1 ? fc.constant(plain) : fc.oneof(...varied(plain, flat).map((it) => fc.constant(it))),
    );
};

/** The text, and texts that are easily mishandled, where they fit. */
const varied = (plain: string, flat: Flat): string[] => [
  plain,
  ...["", "née ☂ 🧵", "a\nb", "__proto__"].filter((it) => fits(it, flat)),
];

const fits = (text: string, flat: Flat): boolean => {
  const { length } = [...text];
  return length >= flat.minLength && length <= flat.maxLength;
};
