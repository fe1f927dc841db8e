import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { frameText, keepText, memberText, withDefaults } from "../../src/runtime/index.js";
import { spelledJson } from "../support/spelled-json.js";

const object = spelledJson.filter((text) => text.startsWith("{"));

describe("the text of a member", () => {
  test("is the one that JSON.parse reads", () => {
    fc.assert(
      fc.property(object, spelledJson, (text, other) => {
        const value = JSON.parse(text);
        for (const name of Object.keys(value)) expect(JSON.parse(memberText(text, name) ?? "")).toEqual(value[name]);
        expect(memberText(text, "no such name")).toBeNull();
        const frame = `{"result" : ${other},"id":1,"params":${text} ,"params":${other}}`;
        expect(memberText(frame, "params")).toBe(other);
        expect(memberText(frame, "result")).toBe(other);
        expect(memberText(frame, "id")).toBe("1");
      }),
      { numRuns: 2000 },
    );
  });

  test("is none in what is no object", () => {
    for (const text of ["[]", "1", '"params"', "null", " [{}]", "{}", " { } "])
      expect(memberText(text, "params")).toBeNull();
  });

  test("is found in time linear in the text, however deep or long it is", () => {
    for (const value of ["[".repeat(1e6) + "]".repeat(1e6), `"${"\\\\".repeat(1e6)}"`, `"${'\\"'.repeat(1e6)}"`])
      expect(memberText(`{"a":${value},"params":${value}}`, "params")).toBe(value);
  });
});

test("a frame is written with what was kept, and otherwise as JSON.stringify writes it", () => {
  fc.assert(
    fc.property(object, spelledJson, (text, other) => {
      const params = JSON.parse(text);
      const frame = { jsonrpc: "2.0", id: 1, method: "m", params, none: undefined };
      expect(frameText(frame)).toBe(JSON.stringify(frame));
      keepText(frame, "params", `{"id":1,"params":${text},"other":${other}}`);
      expect(frameText(frame)).toBe(`{"jsonrpc":"2.0","id":1,"method":"m","params":${text}}`);
      expect(frameText({ id: 2, result: params })).toBe(`{"id":2,"result":${text}}`);
      const error = { code: 1, message: "m", data: JSON.parse(text) };
      keepText({ error }, "error", `{"error":{"data":${text},"code":1}}`);
      expect(frameText({ id: 2, error })).toBe(`{"id":2,"error":{"code":1,"message":"m","data":${text}}}`);
    }),
    { numRuns: 500 },
  );
});

test("defaults stand before what was kept, and only where something is missing", () => {
  fc.assert(
    fc.property(object, (text) => {
      const value = JSON.parse(text);
      keepText({ params: value }, "params", `{"params":${text}}`);
      const filled = withDefaults({ "x-missing": null, ...value }, value);
      expect(filled).toEqual({ "x-missing": null, ...value });
      expect(JSON.parse(memberText(frameText({ params: filled }), "params") ?? "")).toEqual(filled);
      expect(withDefaults(filled, filled)).toBe(filled);
    }),
    { numRuns: 500 },
  );
});
