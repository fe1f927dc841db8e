import { _, type Code, type CodeKeywordDefinition, Name, nil, stringify } from "ajv";
import { getProperty, or } from "ajv/dist/compile/codegen/index.js";
import type { JSONType } from "ajv/dist/compile/rules.js";
import { checkDataTypes, DataType } from "ajv/dist/compile/validate/dataType.js";
import { isOwnProperty } from "ajv/dist/vocabularies/code.js";
import type { Schema } from "../../model/model.js";
import type { Tagged } from "./unions.js";

/**
 * `tagged`: of the schemas under `branches`, the value must satisfy the one that its tag names. Errors are the branch's
 * own; a tag that names none is an error with the tag, the values it may have and the one it has.
 */
export const taggedKeyword: CodeKeywordDefinition = {
  keyword: "tagged",
  type: "object",
  schemaType: "object",
  error: {
    message: "must have a known tag",
    params: ({ schema, params }) =>
      _`{tag: ${schema.tag}, values: ${stringify(schema.values.flat())}, given: ${params["tag"] ?? nil}}`,
  },
  code(cxt) {
    const { gen, data } = cxt;
    const schema: Tagged = cxt.schema;
    const own = isOwnProperty(gen, data, schema.tag);
    const tag = gen.const("tag", _`${own} ? ${data}${getProperty(schema.tag)} : undefined`);
    const valid = gen.let("valid", false);
    const branch = (index: number): void => {
      const passed = gen.name("valid");
      cxt.mergeEvaluated(cxt.subschema({ keyword: "branches", schemaProp: index }, passed), Name);
      gen.assign(valid, passed);
    };
    const named = (values: readonly string[]): Code => or(...values.map((value) => _`${tag} === ${value}`));
    gen.if(false);
    schema.values.forEach((values, index) => {
      gen.elseIf(named(values));
      branch(index);
    });
    gen.else();
    if (schema.open) branch(schema.values.length);
    else {
      cxt.setParams({ tag });
      cxt.error();
    }
    gen.endIf();
    cxt.ok(valid);
  },
};

/** `orNull`: null, or what the schema allows. */
export const orNullKeyword: CodeKeywordDefinition = {
  keyword: "orNull",
  schemaType: ["object", "boolean"],
  code(cxt) {
    const { gen, data } = cxt;
    const valid = gen.let("valid", true);
    gen.if(_`${data} !== null`, () => {
      const passed = gen.name("valid");
      cxt.mergeEvaluated(cxt.subschema({ keyword: "orNull" }, passed), Name);
      gen.assign(valid, passed);
    });
    cxt.ok(valid);
  },
};

/** `orAbsent`: a member that is not what the schema allows counts as absent, and is taken out of its object. */
export const orAbsentKeyword: CodeKeywordDefinition = {
  keyword: "orAbsent",
  schemaType: ["object", "boolean"],
  trackErrors: true,
  code(cxt) {
    const { gen, it, data, schema } = cxt;
    const takeOut = (): void => void gen.code(_`delete ${it.parentData}[${it.parentDataProperty}]`);
    const kinds = kindsOf(schema);
    cxt.ok(true);
    if (kinds !== null) {
      gen.if(checkDataTypes(kinds, data, false, DataType.Wrong), takeOut);
      return;
    }
    const passed = gen.name("valid");
    cxt.subschema({ keyword: "orAbsent", compositeRule: true, createErrors: false, allErrors: false }, passed);
    gen.if(_`!${passed}`, () => {
      cxt.reset();
      takeOut();
    });
  },
};

const types: ReadonlySet<unknown> = new Set(["array", "boolean", "integer", "null", "number", "object", "string"]);
const isType = (kind: unknown): kind is JSONType => types.has(kind);

/** The types that a schema of nothing but `type` allows: told without errors to undo. */
export const kindsOf = (schema: Schema): JSONType[] | null =>
  Object.keys(schema).join() === "type" ? [schema["type"]].flat().filter(isType) : null;
