/**
 * Every params parser against its own schema. On a failure fast-check prints the seed and the path; run again with
 * `fc.assert(…, { seed, path })`.
 */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parsers } from "../../src/generated/contract/parsers.js";
import { contractParams } from "../../src/generated/testing/arbitraries.js";
import { contractDefinitions } from "../../src/generated/testing/contract-schemas.js";
import type { Parser } from "../../src/runtime/index.js";
import { hostileJson, mutationsOf, type SchemaDocument, satisfies } from "../../src/testing/schema/index.js";

interface Subject {
  readonly name: string;
  readonly parse: Parser<unknown>;
  readonly params: fc.Arbitrary<unknown>;
  readonly document: SchemaDocument;
}

const parserOf = new Map<string, Parser<unknown>>(Object.entries(parsers));

const subjects = Object.entries(contractParams).map(([name, params]): Subject => {
  const parse = parserOf.get(name);
  if (parse === undefined) throw new Error(`there is no parser ${name}`);
  const definition = `${name.charAt(0).toUpperCase()}${name.slice(1)}Params`;
  const document = { schema: { $ref: `#/definitions/${definition}` }, definitions: contractDefinitions };
  return { name, parse, params: params(), document };
});

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** The way to every value inside `value`, itself included. */
const positionsOf = (value: unknown): string[][] => [
  [],
  ...(isObject(value) ? Object.entries(value) : []).flatMap(([name, inner]) =>
    positionsOf(inner).map((rest) => [name, ...rest]),
  ),
];

const replaced = (value: unknown, [name, ...rest]: readonly string[], other: unknown): unknown => {
  if (name === undefined || !isObject(value)) return other;
  const copy: object = Array.isArray(value) ? [...value] : { ...value };
  const inner = replaced(Object.entries(value).find(([key]) => key === name)?.[1], rest, other);
  return Object.defineProperty(copy, name, { value: inner, enumerable: true, writable: true, configurable: true });
};

it("has a parser for each method and a method for each parser", () => {
  expect([...parserOf.keys()].sort()).toEqual(Object.keys(contractParams).sort());
});

/** The definitions with what is wanted in each lenient place asked for: what a handler is told that it gets. */
const strictly = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(strictly);
  if (!isObject(schema)) return schema;
  const { "x-lenient": wanted, ...rest } = Object.fromEntries(
    Object.entries(schema).map(([keyword, argument]) => [keyword, strictly(argument)]),
  );
  return wanted === undefined ? rest : { allOf: [rest, wanted] };
};
const strictDefinitions = strictly(contractDefinitions) as typeof contractDefinitions;

/** Whether `part` is `whole` without some members of its objects. */
const isPartOf = (part: unknown, whole: unknown): boolean => {
  if (!isObject(part) || !isObject(whole) || Array.isArray(part) !== Array.isArray(whole))
    return Object.is(part, whole);
  const inside = Object.entries(whole);
  const kept = Object.entries(part);
  if (Array.isArray(part) && kept.length !== inside.length) return false;
  return kept.every(([name, value]) => isPartOf(value, inside.find(([other]) => other === name)?.[1]));
};

describe.each(subjects)("$name", ({ parse, params, document }) => {
  const asTyped = (value: unknown): boolean => satisfies(value, document.schema, strictDefinitions);

  it("hands valid params on as they are", () => {
    fc.assert(
      fc.property(params.filter(asTyped), (value) => {
        const before = JSON.stringify(value);
        const parsed = parse(value);
        expect(parsed).toEqual({ ok: true, value });
        expect(parsed.ok && parsed.value).toBe(value);
        expect(JSON.stringify(value)).toBe(before);
      }),
      { numRuns: 200 },
    );
  });

  it("takes out what counts as absent, and nothing else, so that the rest is as typed", () => {
    fc.assert(
      fc.property(params, (value) => {
        const given: unknown = structuredClone(value);
        const parsed = parse(value);
        expect(parsed.ok && asTyped(parsed.value)).toBe(true);
        expect(isPartOf(parsed.ok ? parsed.value : null, given)).toBe(true);
        expect(JSON.stringify(value)).toBe(JSON.stringify(asTyped(given) ? given : value));
      }),
      { numRuns: 200 },
    );
  });

  it("refuses every single fault, and says where it lies", () => {
    fc.assert(
      fc.property(params, (value) => {
        for (const mutation of mutationsOf(document, value)) {
          const parsed = parse(mutation.value);
          const found = parsed.ok ? "accepted" : parsed.fault.path;
          expect({ ...mutation, found }).toEqual({ ...mutation, found: mutation.path });
        }
      }),
      { numRuns: 60 },
    );
  });

  it("agrees with the schema on any JSON, and never throws", () => {
    fc.assert(
      fc.property(hostileJson, (value) => {
        expect(parse(value).ok).toBe(satisfies(value, document.schema, document.definitions));
      }),
      { numRuns: 200 },
    );
  });

  it("agrees with the schema on valid params in which any JSON stands somewhere", () => {
    fc.assert(
      fc.property(params, fc.nat(), hostileJson, (value, where, other) => {
        const positions = positionsOf(value);
        const changed = replaced(value, positions[where % positions.length] ?? [], other);
        expect(parse(changed).ok).toBe(satisfies(changed, document.schema, document.definitions));
      }),
      { numRuns: 200 },
    );
  });
});

it("finds faults to put in, in all params that have members", () => {
  const faults = subjects.map(({ params, document }) => {
    const [value] = fc.sample(params, { numRuns: 1, seed: 1 });
    return mutationsOf(document, value).length;
  });
  expect(Math.min(...faults)).toBeGreaterThanOrEqual(5);
});
