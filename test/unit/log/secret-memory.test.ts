import { describe, expect, test } from "vitest";
import { createSecretMemory } from "../../../src/log/secret-memory.js";

const line = (value: unknown): string => JSON.stringify(value);

describe("the memory of what the log does not show", () => {
  test.each([
    { name: "a value", value: "token-of-a-gateway" },
    { name: "a map of headers", value: { "x-key": "token-of-a-gateway" } },
    { name: "a list of headers", value: [{ name: "x-key", value: "token-of-a-gateway" }] },
  ])("takes $name out of other fields", ({ value }) => {
    const memory = createSecretMemory();
    memory.remember(value);
    expect(memory.takeOut(line({ message: "not token-of-a-gateway" }))).toBe(line({ message: "not [redacted]" }));
  });

  test("knows it as JSON writes it", () => {
    const memory = createSecretMemory();
    memory.remember('a "quoted" secret');
    expect(memory.takeOut(line({ message: 'a "quoted" secret' }))).toBe(line({ message: "[redacted]" }));
  });

  test.each([
    { name: "words", value: "production" },
    { name: "folders", value: { HOME: "/home/somebody" } },
    { name: "addresses", value: "https://example.org/mcp" },
    { name: "names of headers", value: [{ name: "proxy-authorization", value: "" }] },
  ])("leaves $name in the log", ({ value }) => {
    const memory = createSecretMemory();
    memory.remember(value);
    const text = line({ value });
    expect(memory.takeOut(text)).toBe(text);
  });

  test("is bounded", () => {
    const memory = createSecretMemory();
    for (let n = 0; n < 300; n += 1) memory.remember(`a-secret-of-many-${n}.`);
    expect(memory.takeOut("a-secret-of-many-0.")).toBe("a-secret-of-many-0.");
    expect(memory.takeOut("a-secret-of-many-299.")).toBe("[redacted]");
  });
});
