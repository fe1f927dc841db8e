import type { Shape } from "./shape.js";

const most = 60;

/** A shape in a few words, for people. */
export function printShape(shape: Shape): string {
  const text = print(shape);
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

const print = (shape: Shape): string => {
  switch (shape.is) {
    case "any":
      return "anything";
    case "never":
      return "nothing";
    case "ref":
      return shape.to;
    case "list":
      return shape.of.is === "union" ? `(${print(shape.of)})[]` : `${print(shape.of)}[]`;
    case "union":
      return shape.of.map(print).join(" | ");
    case "object":
      if (shape.fields.size > 0) return `{ ${[...shape.fields.keys()].join(", ")} }`;
      return shape.rest.is === "any" || shape.rest.is === "never" ? "object" : `map of ${print(shape.rest)}`;
    case "scalar": {
      const values = shape.values.map((it) => JSON.stringify(it));
      const limits = Object.entries(shape.limits).map(([keyword, it]) => `${keyword} ${JSON.stringify(it)}`);
      const type = limits.length > 0 ? `${shape.type} (${limits.join(", ")})` : shape.type;
      return (shape.open ? [...values, type] : values).join(" | ");
    }
  }
};
