import { emitAgentHandlers } from "../../../codegen/emit/agent-handlers.js";
import { emitAgentPassThrough } from "../../../codegen/emit/agent-pass-through.js";
import { emitAgentRegistration } from "../../../codegen/emit/agent-registration.js";
import { emitContractErrors } from "../../../codegen/emit/contract-errors.js";
import { emitContractMethods } from "../../../codegen/emit/contract-methods.js";
import type { GeneratedFile, Model } from "../../../codegen/model/model.js";
import { codexRequest, errorRow, methodRow, smallModel } from "./small-model.js";

const model: Model = smallModel({
  methods: [
    methodRow({ method: "initialize", name: "initialize", area: "initialize" }),
    methodRow({ method: "session/new", name: "sessionNew" }),
    methodRow({ method: "session/cancel", name: "sessionCancel", kind: "notification", result: null }),
    methodRow({ method: "_kit/later", name: "later", area: "history", implemented: false }),
    methodRow({ method: "_kit/maybe", name: "maybe", area: "auth", missingParams: "pass" }),
    methodRow({
      method: "_kit/skills",
      name: "skills",
      area: "pass-through",
      handler: "pass-through",
      passThrough: { codex: "skills/list", params: "forward", result: "forward" },
    }),
    methodRow({
      method: "_kit/remove",
      name: "remove",
      area: "pass-through",
      handler: "pass-through",
      passThrough: {
        codex: "skills/remove",
        params: "defaults",
        values: { token: null },
        result: "empty",
        notifies: "_kit/skills_changed",
      },
    }),
    methodRow({
      method: "_kit/account",
      name: "account",
      area: "pass-through",
      handler: "pass-through",
      missingParams: "empty",
      cancellable: true,
      passThrough: { codex: "account/read", params: "constant", values: { refresh: false }, result: "forward" },
    }),
    methodRow({
      method: "$/cancel_request",
      name: "cancelRequest",
      kind: "notification",
      handler: "sdk",
      result: null,
    }),
    methodRow({
      method: "_kit/skills_changed",
      name: "skillsChanged",
      direction: "agent-to-host",
      kind: "notification",
      result: null,
    }),
  ],
  errors: [
    errorRow({
      name: "invalid_params",
      code: -32602,
      message: "{path} must be {expected}",
      data: { path: "{path}", expected: "{expected}" },
    }),
    errorRow({ name: "not_implemented", code: -32601, message: "Not implemented: {method}" }),
  ],
  codexRequests: [
    codexRequest("skills/list", "SkillsParams"),
    codexRequest("skills/remove", "RemoveParams"),
    codexRequest("account/read", "AccountParams"),
  ],
});

const names = ["Initialize", "SessionNew", "Later", "Maybe", "Skills", "Remove", "Account"];

const stubs: GeneratedFile[] = [
  {
    path: "src/generated/contract/types.ts",
    text: [
      "export type SessionCancelParams = { sessionId: string };\nexport type CancelRequestParams = { requestId: number };\n",
      "export type SkillsChangedParams = Record<string, never>;\nexport type RemoveResult = Record<string, never>;\n",
      ...names.map((name) => `export interface ${name}Params { cwd?: string }\n`),
      ...names.filter((name) => name !== "Remove").map((name) => `export interface ${name}Result { id: string }\n`),
    ].join(""),
  },
  {
    path: "src/generated/contract/parsers.ts",
    text: [
      `import type { Parser } from "../../runtime/index.js";\nimport type * as types from "./types.js";\n`,
      "const parser = <T>(): Parser<T> => (value) =>\n",
      `  typeof value === "object" && value !== null && !("bad" in value)\n`,
      `    ? { ok: true, value: value as T }\n    : { ok: false, fault: { path: "/bad", expected: "absent" } };\n`,
      "export const parsers = {\n",
      ...names.map((name) => `  ${name.charAt(0).toLowerCase()}${name.slice(1)}: parser<types.${name}Params>(),\n`),
      "  sessionCancel: parser<types.SessionCancelParams>(),\n};\n",
    ].join(""),
  },
  {
    path: "src/generated/codex/methods.ts",
    text: [
      `import { request } from "../../runtime/index.js";\n`,
      `export const requests = {\n  skillsList: request<{ roots: string[] }, { skills: string[] }>("skills/list"),\n`,
      `  skillsRemove: request<{ id: number }, null>("skills/remove"),\n`,
      `  accountRead: request<{ refresh: boolean }, { plan: string }>("account/read"),\n};\n`,
    ].join(""),
  },
];

/** The agent side of a contract of ten methods, with hand-written stand-ins for what other emitters print. */
export const smallAgent = (): GeneratedFile[] => [
  ...stubs,
  ...emitContractMethods(model),
  ...emitContractErrors(model),
  ...emitAgentHandlers(model),
  ...emitAgentPassThrough(model),
  ...emitAgentRegistration(model),
];
