import { beforeAll, describe, expect, test } from "vitest";
import { emitContractErrors } from "../../../codegen/emit/contract-errors.js";
import type { GeneratedFile } from "../../../codegen/model/model.js";
import type { ContractError } from "../../../src/runtime/index.js";
import { errorRow, smallModel } from "./small-model.js";
import { runFiles, typeErrors } from "./type-check.js";

const emitted = emitContractErrors(
  smallModel({
    errors: [
      errorRow({ name: "plain", code: -32001, message: "Nothing to fill" }),
      errorRow({
        name: "session_not_found",
        code: -32002,
        message: "No session {sessionId}",
        data: { sessionId: "{sessionId}" },
      }),
      errorRow({
        name: "stale",
        message: "Stale",
        data: { codex: { retryable: true, sessions: "{sessions}", first: ["{first}", 7, null] }, text: "of {count}" },
      }),
      errorRow({ name: "not_a_placeholder", message: 'Send `x` or {} or {"a": 1} or \\n' }),
      errorRow({ name: "price", message: "Costs `$`\u0024{amount}" }),
      errorRow({ name: "retry_unknown", message: "Unknown", data: { retryable: null }, retryable: null }),
      errorRow({ name: "of_codex", code: -32603, nativeCode: true, message: "{message}" }),
    ],
  }),
);

type Make = (...values: unknown[]) => ContractError;

let errors: { [name: string]: Make };
let errorCodes: unknown;
beforeAll(async () => {
  const loaded = await runFiles(emitted, "src/generated/contract/errors.ts");
  errors = loaded["errors"] as { [name: string]: Make };
  errorCodes = loaded["errorCodes"];
});

const make = (name: string, ...values: unknown[]): ContractError => {
  const found = errors[name];
  if (found === undefined) throw new Error(`no constructor ${name}`);
  return found(...values);
};

describe("error constructors", () => {
  test.each([
    {
      name: "plain",
      values: undefined,
      want: { kind: "plain", code: -32001, message: "Nothing to fill", data: undefined },
    },
    {
      name: "sessionNotFound",
      values: { sessionId: "s-1" },
      want: { kind: "session_not_found", code: -32002, message: "No session s-1", data: { sessionId: "s-1" } },
    },
    {
      name: "stale",
      values: { sessions: ["a", "b"], first: { deep: [] }, count: 2 },
      want: {
        data: { codex: { retryable: true, sessions: ["a", "b"], first: [{ deep: [] }, 7, null] }, text: "of 2" },
      },
    },
    { name: "notAPlaceholder", values: undefined, want: { message: 'Send `x` or {} or {"a": 1} or \\n' } },
    { name: "price", values: { amount: 5 }, want: { message: "Costs `$`$5" } },
    { name: "retryUnknown", values: undefined, want: { data: { retryable: null } } },
  ])("$name fills message and data", ({ name, values, want }) => {
    expect(values === undefined ? make(name) : make(name, values)).toMatchObject(want);
  });

  test("a value goes into data as it is, not as text", () => {
    expect(make("sessionNotFound", { sessionId: 7 })).toMatchObject({
      message: "No session 7",
      data: { sessionId: 7 },
    });
  });

  test("the cause is kept", () => {
    const cause = new Error("below");
    expect(make("plain", { cause }).cause).toBe(cause);
    expect(make("sessionNotFound", { sessionId: "s" }, { cause }).cause).toBe(cause);
  });

  test("an error that stands for one of Codex's takes Codex's code, and the table's where Codex gave none", () => {
    expect(make("ofCodex", { message: "m" }, { code: -32050 })).toMatchObject({ code: -32050, message: "m" });
    expect(make("ofCodex", { message: "m" })).toMatchObject({ code: -32603 });
  });

  test("the codes stand in a table by name", () => {
    expect(errorCodes).toEqual({
      plain: -32001,
      session_not_found: -32002,
      stale: -32600,
      not_a_placeholder: -32600,
      price: -32600,
      retry_unknown: -32600,
      of_codex: -32603,
    });
  });
});

describe("the types of the placeholders", () => {
  const use = (text: string): GeneratedFile => ({
    path: "src/use.ts",
    text: `import { type ErrorName, errors } from "./generated/contract/errors.js";\nexport { errors, type ErrorName };\n${text}\n`,
  });

  test.each([
    {
      given: `errors.sessionNotFound({ sessionId: "s" }); errors.plain(); errors.stale({ sessions: {}, first: 1, count: 1 });`,
      want: [],
    },
    { given: `export const kind: ErrorName = "session_not_found";`, want: [] },
    { given: `export const kind: ErrorName = "session_lost";`, want: [/not assignable to type/] },
    { given: "errors.sessionNotFound({ sessionId: {} });", want: [/not assignable to type 'string \| number'/] },
    { given: "errors.sessionNotFound({});", want: [/'sessionId' is missing/] },
    { given: `errors.sessionNotFound({ sessionId: "s", more: 1 });`, want: [/'more' does not exist/] },
    { given: "errors.plain(undefined, { code: 1 });", want: [/Expected 0-1 arguments/] },
    { given: "errors.plain({ code: 1 });", want: [/'code' does not exist/] },
  ])("$given", async ({ given, want }) => {
    expect(await typeErrors([...emitted, use(given)])).toEqual(want.map((it) => expect.stringMatching(it)));
  });
});
