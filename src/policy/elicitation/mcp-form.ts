import type { ElicitationPropertySchema, ElicitationSchema } from "../../generated/acp/types.js";
import type { McpElicitationPrimitiveSchema, McpElicitationSchema } from "../../generated/codex/types.js";

/** An MCP form as an ACP one; null when it holds a field that has no counterpart, since half a form is no form. */
export function formOf({ properties, required }: McpElicitationSchema): ElicitationSchema | null {
  const fields: { [name: string]: ElicitationPropertySchema } = {};
  for (const [name, schema] of Object.entries(properties)) {
    const field = fieldOf(schema);
    if (field === null) return null;
    // A name such as `__proto__` must become a member.
    Object.defineProperty(fields, name, { value: field, enumerable: true, configurable: true, writable: true });
  }
  return { type: "object", properties: fields, ...(required == null ? {} : { required }) };
}

/** Single choices become titled ones, whatever form MCP gave them (ELIC-02). A choice without choices cannot be shown. */
function fieldOf(schema: McpElicitationPrimitiveSchema): ElicitationPropertySchema | null {
  const told = { ...given("title", schema.title), ...given("description", schema.description) };
  switch (schema.type) {
    case "boolean":
      return { type: "boolean", ...told, ...given("default", schema.default) };
    case "number": {
      const bounds = { ...given("minimum", schema.minimum), ...given("maximum", schema.maximum) };
      return { type: "number", ...told, ...bounds, ...given("default", schema.default) };
    }
    case "integer": {
      const bounds = { ...whole("minimum", schema.minimum), ...whole("maximum", schema.maximum) };
      return { type: "integer", ...told, ...bounds, ...whole("default", schema.default) };
    }
    case "array": {
      const { items, minItems, maxItems } = schema;
      if (("enum" in items ? items.enum : items.anyOf).length === 0) return null;
      const bounds = { ...given("minItems", minItems), ...given("maxItems", maxItems) };
      return { type: "array", ...told, items, ...bounds, ...given("default", schema.default) };
    }
    case "string": {
      const text = { type: "string" as const, ...told, ...given("default", schema.default) };
      if ("oneOf" in schema) return schema.oneOf.length === 0 ? null : { ...text, oneOf: schema.oneOf };
      if ("enum" in schema) {
        if (schema.enum.length === 0) return null;
        const names = ("enumNames" in schema ? schema.enumNames : null) ?? [];
        return { ...text, oneOf: schema.enum.map((value, index) => ({ const: value, title: names[index] ?? value })) };
      }
      const { format, minLength, maxLength } = schema;
      return {
        ...text,
        ...given("format", format),
        ...given("minLength", minLength),
        ...given("maxLength", maxLength),
      };
    }
    default:
      return null;
  }
}

/** A member, left out when MCP has none. */
const given = <Name extends string, Value>(
  name: Name,
  value: Value | null | undefined,
): { [Key in Name]?: Value } | Record<string, never> =>
  value == null ? {} : ({ [name]: value } as { [Key in Name]: Value });

/** MCP has one schema for both kinds of number; a bound of an integer that is none says nothing. */
const whole = <Name extends string>(name: Name, value: number | null | undefined) =>
  given(name, Number.isInteger(value) ? value : null);
