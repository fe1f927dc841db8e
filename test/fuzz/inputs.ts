import fc from "fast-check";
import { hostileJson } from "../../src/testing/schema/index.js";
import { spelledJson } from "../support/spelled-json.js";

/** Nested `depth` times, and shut again or not. */
export const deep = fc
  .tuple(fc.constantFrom("[", '{"a":', '[{"__proto__":'), fc.constantFrom(1, 100, 20_000), fc.boolean())
  .map(([open, depth, shut]) => {
    const close = open === "[" ? "]" : open.startsWith("{") ? "}" : "}]";
    return open.repeat(depth) + (shut ? `1${close.repeat(depth)}` : "");
  });

/** Long, but no longer than a test can bear by the thousand. */
const long = fc
  .tuple(fc.constantFrom('"x"', '"\\\\"', '"\\u0000"', '"é"', "9"), fc.constantFrom(10, 1000, 30_000))
  .map(([unit, times]) => (unit === "9" ? unit.repeat(times) : `"${unit.slice(1, -1).repeat(times)}"`));

/** Text with a few small damages. */
const damaged = (texts: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(
      texts,
      fc.array(fc.tuple(fc.nat(), fc.constantFrom(...'{}[],:"\\ 0-e.\u0000\ud800'), fc.nat(2)), { maxLength: 3 }),
    )
    .map(([text, damages]) =>
      damages.reduce((now, [place, letter, cut]) => {
        const at = place % (now.length + 1);
        return now.slice(0, at) + letter + now.slice(at + cut);
      }, text),
    );

/** What may stand where JSON is expected, without a line feed. */
export const jsonText: fc.Arbitrary<string> = fc
  .oneof(
    { weight: 12, arbitrary: spelledJson },
    { weight: 4, arbitrary: damaged(spelledJson) },
    { weight: 2, arbitrary: hostileJson.map((value) => JSON.stringify(value)) },
    { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
    { weight: 1, arbitrary: deep },
    { weight: 1, arbitrary: long },
  )
  .map((text) => text.replaceAll("\n", " "));

/** Values as they come out of `JSON.parse`. */
export const anyValue: fc.Arbitrary<unknown> = fc.oneof(
  hostileJson.map((value): unknown => JSON.parse(JSON.stringify(value))),
  spelledJson.map((text): unknown => JSON.parse(text)),
);

/** A method, and text that may stand for its params. */
export type Call = readonly [method: string, params: string];

/** Messages of JSON-RPC, more or less: members in any order, twice, of any type; and calls as they should be. */
export const messageText = (calls: fc.Arbitrary<Call>): fc.Arbitrary<string> => {
  const member = fc.oneof(
    fc.tuple(fc.constant('"jsonrpc"'), fc.oneof({ weight: 9, arbitrary: fc.constant('"2.0"') }, jsonText)),
    fc.tuple(fc.constant('"id"'), fc.oneof({ weight: 4, arbitrary: fc.nat(50).map(String) }, jsonText)),
    fc.tuple(
      fc.constant('"method"'),
      fc.oneof({ weight: 9, arbitrary: calls.map(([method]) => JSON.stringify(method)) }, jsonText),
    ),
    fc.tuple(fc.constant('"params"'), fc.oneof({ weight: 2, arbitrary: calls.map(([, params]) => params) }, jsonText)),
    fc.tuple(fc.constantFrom('"result"', '"error"', '"__proto__"', '"constructor"', '"emittedAtMs"'), jsonText),
  );
  const whole = fc.array(member, { maxLength: 6 }).map((list) => `{${list.map((it) => it.join(":")).join(",")}}`);
  const right = fc
    .tuple(
      calls,
      fc.oneof(
        fc.nat(50).map((id) => `"id":${id},`),
        fc.constant(""),
      ),
    )
    .map(([[method, params], id]) => `{"jsonrpc":"2.0",${id}"method":${JSON.stringify(method)},"params":${params}}`);
  return fc.oneof(
    { weight: 4, arbitrary: whole },
    { weight: 4, arbitrary: right },
    { weight: 1, arbitrary: damaged(right) },
    { weight: 1, arbitrary: jsonText },
  );
};
