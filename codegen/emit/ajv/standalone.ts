/** Validation code from schemas: one ES module, ajv's own output, with no `require(` and no compilation at run time. */

import { createRequire } from "node:module";
import { Ajv } from "ajv";
import standalone from "ajv/dist/standalone/index.js";
import type { Schema } from "../../model/model.js";
import { stringFormats, uncheckedFormats } from "./formats.js";
import { orAbsentKeyword, orNullKeyword, taggedKeyword } from "./keywords.js";
import { type PrepareContext, prepare, strip } from "./prepare.js";
import { isSchema } from "./schema.js";

/** Where the schema of a `$ref` is found; throws when there is none. */
export type Resolve = (ref: string) => Schema;

/** `require`, since loaders differ in what they make of the default export of such a module. */
const nameHelper = (helper: string, name: string): void => {
  const loaded: unknown = createRequire(import.meta.url)(`ajv/dist/runtime/${helper}`);
  if (!isSchema(loaded) || typeof loaded["default"] !== "function") throw new Error(`ajv has no helper ${helper}`);
  Object.assign(loaded["default"], { code: name });
};

// ajv's runtime helpers carry the source text by which generated code names them, `require("ajv/dist/runtime/…")` by
// default. The generated modules import both from src/runtime instead.
nameHelper("ucs2length", "ucs2length");
nameHelper("equal", "equalJson");

const options = {
  strict: true,
  strictTypes: false,
  strictRequired: false,
  allowUnionTypes: true,
  // Own members only: `constructor` and `__proto__` are members like any other, present or not.
  ownProperties: true,
  messages: false,
  inlineRefs: false,
  loopEnum: 16,
  unicodeRegExp: true,
  validateSchema: false,
  code: { source: true, esm: true, lines: true, optimize: 2 },
} as const;

/** An ajv with the formats and keywords of this project. */
const newAjv = (): Ajv => {
  const ajv = new Ajv(options);
  for (const [name, pattern] of Object.entries(stringFormats)) ajv.addFormat(name, pattern);
  for (const name of uncheckedFormats) ajv.addFormat(name, true);
  ajv.addKeyword("branches");
  ajv.addKeyword(taggedKeyword);
  ajv.addKeyword(orNullKeyword);
  ajv.addKeyword(orAbsentKeyword);
  return ajv;
};

interface Collected {
  /** Prepared, by the name ajv knows them under. */
  readonly definitions: ReadonlyMap<string, Schema>;
  /** That name for each root. */
  readonly exports: Readonly<Record<string, string>>;
}

/** The definitions that `roots` need, directly and through others. */
const collect = (roots: ReadonlyMap<string, string>, resolve: Resolve): Collected => {
  const definitions = new Map<string, Schema>();
  const wanted: string[] = [];
  const names = new Map<string, string>();
  const quoted = new Map<string, string>();
  const context: PrepareContext = {
    resolve: (ref) => {
      const schema = strip(resolve(ref));
      if (!isSchema(schema)) throw new Error(`${ref} is not an object schema`);
      return schema;
    },
    refer(ref) {
      const known = names.get(ref);
      if (known !== undefined) return known;
      const name = `d${names.size}`;
      names.set(ref, name);
      wanted.push(ref);
      return name;
    },
    hoist(schema) {
      const text = JSON.stringify(schema);
      const name = quoted.get(text) ?? `q${quoted.size}`;
      quoted.set(text, name);
      definitions.set(name, schema);
      return name;
    },
  };
  const exports = Object.fromEntries([...roots].map(([name, ref]) => [name, context.refer(ref)]));
  for (let ref = wanted.shift(); ref !== undefined; ref = wanted.shift()) {
    const schema = prepare(context.resolve(ref), context);
    if (isSchema(schema)) definitions.set(context.refer(ref), schema);
  }
  return { definitions, exports };
};

/**
 * The module's text: a function for each root (export name → `$ref`), which returns whether its argument is valid and
 * leaves ajv's errors in its `errors`.
 */
export const standaloneModule = (roots: ReadonlyMap<string, string>, resolve: Resolve): string => {
  const ajv = newAjv();
  const { definitions, exports } = collect(roots, resolve);
  for (const [name, schema] of definitions) ajv.addSchema(schema, name);
  return standalone.default(ajv, exports);
};
