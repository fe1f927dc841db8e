import { describe, expect, test } from "vitest";
import { emitContractCapabilities } from "../../../codegen/emit/contract-capabilities.js";
import { emitContractMethods } from "../../../codegen/emit/contract-methods.js";
import { emitContractTables } from "../../../codegen/emit/contract-tables.js";
import type { GeneratedFile } from "../../../codegen/model/model.js";
import { methodRow, smallModel } from "./small-model.js";
import { runFiles, typeErrors } from "./type-check.js";

const only = (files: GeneratedFile[]): string => {
  const [file, ...more] = files;
  if (file === undefined || more.length > 0) throw new Error(`wanted one file, got ${files.length}`);
  return file.text;
};

describe("descriptors", () => {
  const rows = [
    methodRow({ method: "session/new", name: "sessionNew", doc: "Starts." }),
    methodRow({ method: "session/cancel", name: "sessionCancel", kind: "notification", result: null }),
    methodRow({ method: "_kit/ask", name: "ask", direction: "agent-to-host" }),
    methodRow({ method: "_kit/tell", name: "tell", direction: "agent-to-host", kind: "notification", result: null }),
  ];
  const text = only(emitContractMethods(smallModel({ methods: rows })));

  test.each([
    [
      "hostRequests",
      `{\n  /** Starts. */\n  sessionNew: request<SessionNewParams, SessionNewResult>("session/new"),\n}`,
    ],
    ["hostNotifications", `{\n  sessionCancel: notification<SessionCancelParams>("session/cancel"),\n}`],
    ["agentRequests", `{\n  ask: request<AskParams, AskResult>("_kit/ask"),\n}`],
    ["agentNotifications", `{\n  tell: notification<TellParams>("_kit/tell"),\n}`],
  ])("%s holds its side and kind", (name, want) => {
    expect(text).toContain(`export const ${name} = ${want} as const;\n`);
  });

  test("a notification has no result to import", () => {
    expect(text).not.toMatch(/SessionCancelResult|TellResult/);
  });
});

describe("capabilities", () => {
  const model = smallModel({
    capabilities: { session: { fork: {} }, _meta: { "odd-name": { modes: ["a"] } } },
    authMethods: [{ methodId: "key", name: "Key", description: "A key.", when: "always", clauses: [] }],
  });
  const acp = (type: string): GeneratedFile => ({ path: "src/generated/acp/types.ts", text: `export ${type}\n` });
  const session = "interface AgentCapabilities { session?: { fork?: object }; _meta?: Record<string, unknown> }";

  test("are the object of the data", async () => {
    const loaded = await runFiles(emitContractCapabilities(model), "src/generated/contract/capabilities.ts");
    expect(loaded["capabilities"]).toEqual(model.contract.capabilities.capabilities);
    expect(loaded["authMethods"]).toEqual(model.contract.capabilities.authMethods);
  });

  test.each([
    { name: "ACP knows them", type: session, want: [] },
    {
      name: "ACP does not",
      type: "interface AgentCapabilities { _meta?: Record<string, unknown> }",
      want: [/'session' does not exist/],
    },
  ])("compile only when $name", async ({ type, want }) => {
    const found = await typeErrors([acp(type), ...emitContractCapabilities(model)]);
    expect(found).toEqual(want.map((pattern) => expect.stringMatching(pattern)));
  });
});

describe("tables", () => {
  const value = (name: string) => ({ value: name, name, description: "" });
  const option = { name: "", description: "", category: "", when: "", clauses: [] };
  const model = smallModel({
    tables: {
      configOptions: [
        { ...option, configId: "mode", type: "select", values: [value("safe"), value("free")] },
        { ...option, configId: "model", type: "select" },
      ],
      stopReasons: [{ stopReason: "end_turn", when: "done", clauses: [] }],
    },
  });
  const use = (text: string): GeneratedFile => ({
    path: "src/use.ts",
    text: `import type * as tables from "./generated/contract/tables.js";\n${text}\n`,
  });

  test("hold the rows of the data, the empty ones too", async () => {
    const loaded = await runFiles(emitContractTables(model), "src/generated/contract/tables.ts");
    expect(loaded).toMatchObject({ ...model.contract.tables });
  });

  test.each([
    { given: `export const a: tables.ModeId = "safe"; export const b: tables.ConfigOptionId = "model";`, want: [] },
    { given: `export const a: tables.ConfigValueOf<"model"> = "whatever Codex offers";`, want: [] },
    { given: `export const a: tables.ModeId = "reckless";`, want: [/"reckless"' is not assignable/] },
    { given: `export const a: tables.ConfigOptionId = "colour";`, want: [/"colour"' is not assignable/] },
    { given: `export const a: tables.StopReason = "tired";`, want: [/"tired"' is not assignable/] },
  ])("type what is looked up: $given", async ({ given, want }) => {
    const found = await typeErrors([...emitContractTables(model), use(given)]);
    expect(found).toEqual(want.map((pattern) => expect.stringMatching(pattern)));
  });
});
