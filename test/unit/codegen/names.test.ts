import { describe, expect, test } from "vitest";
import { camelCase, pascalCase, planTypeNames, refName } from "../../../codegen/model/names.js";

describe("method names", () => {
  test.each([
    ["item/commandExecution/requestApproval", "itemCommandExecutionRequestApproval"],
    ["getAuthStatus", "getAuthStatus"],
    ["$/cancel_request", "cancelRequest"],
    ["_codex/session_list", "codexSessionList"],
  ])("%s is called %s", (method, key) => {
    expect(camelCase(method)).toBe(key);
    expect(pascalCase(method)).toBe(key.charAt(0).toUpperCase() + key.slice(1));
  });
});

interface Row {
  readonly given: readonly string[];
  readonly want: readonly [declared: string, exported: string][];
  readonly prevents: string;
}

const rows: readonly Row[] = [
  { given: ["ThreadItem"], want: [["ThreadItem", "ThreadItem"]], prevents: "a plain name changed" },
  { given: ["ToolsV2"], want: [["ToolsV2", "ToolsV2"]], prevents: "a digit of the schema taken for a counter" },
  {
    given: ["W3cTraceContext"],
    want: [["W3CTraceContext", "W3cTraceContext"]],
    prevents: "a type under a name that no schema has",
  },
  {
    given: ["W3cTrace", "W3CTrace"],
    want: [
      ["W3CTrace$", "W3cTrace"],
      ["W3CTrace", "W3CTrace"],
    ],
    prevents: "two definitions that fall together, of which one is numbered",
  },
  { given: ["string"], want: [["String", "String"]], prevents: "a type called as a keyword" },
  { given: ["delete"], want: [["Delete", "Delete"]], prevents: "a type called as a keyword" },
  { given: ["session_id"], want: [["SessionId", "session_id"]], prevents: "snake case lost" },
  { given: ["thread/started"], want: [["ThreadStarted", "ThreadStarted"]], prevents: "a name that is no identifier" },
  { given: ["2Fast"], want: [["Fast", "Fast"]], prevents: "a name that begins with a digit" },
  { given: ["?"], want: [["Unnamed", "Unnamed"]], prevents: "an empty name" },
];

describe("type names", () => {
  test.each(rows)("$given (prevents: $prevents)", ({ given, want }) => {
    const got = [...planTypeNames(given).values()].map(({ declared, exported }) => [declared, exported]);
    expect(got).toEqual(want);
  });
});

describe("refName", () => {
  test("is null for what is no reference, a property called $ref included", () => {
    expect(refName({ $ref: "#/definitions/A" })).toBe("A");
    expect(refName({ $ref: { type: "string" } })).toBeNull();
    expect(refName("#/definitions/A")).toBeNull();
  });
});
