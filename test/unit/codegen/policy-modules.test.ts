import { describe, expect, test } from "vitest";
import type { GeneratedFile } from "../../../codegen/model/model.js";
import { smallAgent } from "./small-agent.js";
import { typeErrors } from "./type-check.js";

const policy = (body: string): GeneratedFile => ({
  path: "src/policy.ts",
  text: [
    `import type { PolicyModules } from "./generated/agent/handlers.js";\n`,
    `export const initialize = { initialize: async () => ({ id: "i" }) };\nexport const auth = { maybe: async () => ({ id: "m" }) };\n`,
    `export const policies = ${body} satisfies PolicyModules;\n`,
  ].join(""),
});

const sessions = `{ sessionNew: async (params) => ({ id: params.cwd ?? "" }), sessionCancel: async () => undefined }`;

describe("policy modules are held to the contract by the compiler", () => {
  test.each([
    { name: "all handlers", body: `{ initialize, auth, sessions: ${sessions} }`, want: [] },
    {
      name: "a missing handler",
      body: `{ initialize, auth, sessions: { sessionNew: async () => ({ id: "" }) } }`,
      want: [/'sessionCancel' is missing/],
    },
    { name: "a missing module", body: `{ initialize, sessions: ${sessions} }`, want: [/'auth' is missing/] },
    {
      name: "a surplus handler",
      body: `{ initialize, auth, sessions: { ...${sessions}, sessionOld: async () => ({}) } }`,
      want: [/'sessionOld' does not exist/],
    },
    {
      name: "a handler that is not implemented yet",
      body: `{ initialize, auth, sessions: ${sessions}, history: { later: async () => ({ id: "" }) } }`,
      want: [/'history' does not exist/],
    },
    {
      name: "a wrong result",
      body: `{ initialize, auth, sessions: { ...${sessions}, sessionNew: async () => ({ id: 7 }) } }`,
      want: [/'number' is not assignable to type 'string'/],
    },
    {
      name: "a handler that relies on params which may be missing",
      body: `{ initialize, auth: { maybe: async (params: { cwd?: string }) => ({ id: params.cwd ?? "" }) }, sessions: ${sessions} }`,
      want: [/'undefined' is not assignable/],
    },
  ])("$name", async ({ body, want }) => {
    const found = await typeErrors([...smallAgent(), policy(body)]);
    expect(found).toEqual(want.map((pattern) => expect.stringMatching(pattern)));
  });
});
