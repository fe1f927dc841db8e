/** What tests draw for the Codex side, against the validators that are generated from the same schemas. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { notifications, serverRequests } from "../../src/generated/codex/methods.js";
import { loadCodexValidators } from "../../src/generated/codex/validators/index.js";
import { codexNotifications, codexServerRequests, threadItems } from "../../src/generated/testing/arbitraries.js";
import { codexDefinitions } from "../../src/generated/testing/codex-schemas.js";
import { mutationsOf, type SchemaDocument } from "../../src/testing/schema/index.js";
import { model } from "../support/schemas.js";

const validators = await loadCodexValidators();

const methodOf = (key: string, descriptors: Readonly<Record<string, { readonly method: string }>>): string => {
  const method = descriptors[key]?.method;
  if (method === undefined) throw new Error(`no method is called ${key}`);
  return method;
};

const rows = [...model.codex.notifications, ...model.codex.serverRequests];

const documentOf = (method: string): SchemaDocument => {
  const params = rows.find((row) => row.method === method)?.params;
  return { schema: { $ref: `#/definitions/${params}` }, definitions: codexDefinitions };
};

const subjects = [
  ...Object.entries(codexNotifications).map(([key, params]) => {
    const method = methodOf(key, notifications);
    return { method, params: params(), parse: validators.notification(method) };
  }),
  ...Object.entries(codexServerRequests).map(([key, params]) => {
    const method = methodOf(key, serverRequests);
    return { method, params: params(), parse: validators.serverRequest(method) };
  }),
];

/**
 * The forms of a field in MCP's elicitation have no tag in common, so that a fault inside one cannot be told from
 * another form: of those, only the field is held to.
 */
const nearest = (path: string): string => /^\/requestedSchema\/properties\/[^/]*/.exec(path)?.[0] ?? path;

describe.each(subjects)("$method", ({ method, params, parse }) => {
  it("is drawn as its validator wants it", () => {
    fc.assert(
      fc.property(fc.noShrink(params), (value) => {
        expect(parse?.(value)).toEqual({ ok: true, value });
      }),
      { numRuns: 30 },
    );
  });

  it("is refused with a single fault in it, and told where", () => {
    fc.assert(
      fc.property(fc.noShrink(params), (value) => {
        for (const mutation of mutationsOf(documentOf(method), value)) {
          const parsed = parse?.(mutation.value);
          const found = parsed?.ok === false ? nearest(parsed.fault.path) : "none";
          expect({ ...mutation, found }).toEqual({ ...mutation, found: nearest(mutation.path) });
        }
      }),
      { numRuns: 10 },
    );
  });
});

describe.each(Object.entries(threadItems))("an item of type %s", (type, item) => {
  it("is drawn as a whole notification takes it", () => {
    const parse = validators.notification("item/completed");
    fc.assert(
      fc.property(fc.noShrink(item() as fc.Arbitrary<unknown>), (value) => {
        expect(value).toMatchObject({ type });
        expect(parse({ threadId: "t", turnId: "u", completedAtMs: 0, item: value })).toMatchObject({ ok: true });
      }),
      { numRuns: 30 },
    );
  });
});

it("draws every type of item that the contract names", () => {
  expect(Object.keys(threadItems).sort()).toEqual(model.contract.codex.items.map((row) => row.type).sort());
});
