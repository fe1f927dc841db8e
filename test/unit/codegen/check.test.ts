import { describe, expect, test } from "vitest";
import { type CheckInput, checkContract } from "../../../codegen/model/check.js";
import type { CodexDispositionsFile, MethodRow } from "../../../codegen/model/contract.js";
import { codexRequest, errorRow, methodRow, smallModel } from "./small-model.js";

const cite = { clauses: ["A-1"], reason: "", implemented: true };

const dispositions = (): CodexDispositionsFile => ({
  requests: [
    { method: "thread/start", use: "policy", reason: "" },
    { method: "skills/list", use: "pass-through", reason: "" },
    { method: "fs/read", use: "unused", reason: "" },
  ],
  serverRequests: [{ method: "ask", disposition: "answer", answer: {}, ...cite }],
  notifications: [
    { method: "note", disposition: "drop", scope: "thread", ...cite },
    { method: "told", disposition: "forward", to: "_kit/told", scope: "process", ...cite },
  ],
  items: [
    { type: "message", update: "agent_message", implemented: true, clauses: ["A-1"] },
    { type: "plan", update: "plan_update", implemented: true, clauses: [] },
  ],
});

const skills = methodRow({
  method: "_kit/skills",
  name: "kitSkills",
  area: "pass-through",
  handler: "pass-through",
  passThrough: { codex: "skills/list", params: "forward", result: "forward", notifies: "_kit/told" },
});

const sessionNew = methodRow({
  method: "session/new",
  name: "sessionNew",
  params: "acp:NewSession",
  result: "contract:Own",
  metaParams: "session/new params",
  codex: ["thread/start"],
  errors: ["wrong"],
  emits: ["state_update", "kitTold"],
  capability: "session.new",
  clauses: ["A-1"],
});

const told = methodRow({
  method: "_kit/told",
  name: "kitTold",
  direction: "agent-to-host",
  kind: "notification",
  params: "codex:Told",
  result: null,
});

/** An input without faults, changed by `change`. */
const input = (change: (given: Draft) => void = () => undefined): CheckInput => {
  const model = smallModel({
    methods: [sessionNew, skills, told].map((it) => structuredClone(it)),
    errors: [errorRow({ name: "wrong" })],
    capabilities: { session: { new: {} } },
  });
  const tag = (type: string) => ({ type: "object", properties: { type: { enum: [type] } } });
  const draft: Draft = {
    codex: {
      ...model.codex,
      requests: [codexRequest("thread/start"), codexRequest("skills/list"), codexRequest("fs/read")],
      serverRequests: [codexRequest("ask")],
      notifications: [codexRequest("note"), codexRequest("told")],
      definitions: new Map([
        ["ThreadItem", { oneOf: [tag("message"), tag("plan")] }],
        ["Told", {}],
      ]),
    },
    acp: {
      ...model.acp,
      definitions: new Map<string, object>([
        ["NewSession", {}],
        ["SessionUpdate", { anyOf: [{ allOf: [{}, { properties: { sessionUpdate: { const: "state_update" } } }] }] }],
      ]) as CheckInput["acp"]["definitions"],
    },
    acpV1: {
      definitions: new Map(),
      methods: [
        { method: "session/new", key: "sessionNew", side: "agent", params: "New", result: "Made", stable: true },
        { method: "session/load", key: "sessionLoad", side: "agent", params: "Load", result: "Loaded", stable: true },
      ],
      updates: [
        { kind: "chunk", stable: true },
        { kind: "draft", stable: false },
      ],
    },
    files: {
      ...model.contract,
      codex: dispositions(),
      acpV1: {
        methods: [{ name: "session/new", is: "same", doc: "" }],
        updates: [{ name: "state_update", is: "folded", as: ["draft"], when: "draft", otherwise: ["chunk"], doc: "" }],
        unserved: [{ of: "method", name: "session/load", because: "" }],
      },
      meta: { carriers: [{ carrier: "session/new params", direction: "host-to-agent", namespaces: {} }], $defs: {} },
      clauses: {
        areas: [{ area: "A", subject: "" }],
        readings: [{ id: "A-35", where: "", question: "", reading: "" }],
        rulings: [{ id: "R-05", question: "", ruling: "" }],
        clauses: [
          {
            id: "A-1",
            area: "A",
            level: "MUST",
            text: "",
            shows: "",
            needs: "acp-only",
            status: "open",
            rulings: ["A-35", "R-05: x"],
          },
        ],
      },
    },
    ownDefinitions: new Set(["Own"]),
  };
  change(draft);
  return draft;
};

type Draft = { -readonly [Key in keyof CheckInput]: CheckInput[Key] };

const row = (draft: Draft, name: string): MethodRow => {
  const found = draft.files.methods.methods.find((it) => it.name === name);
  if (found === undefined) throw new Error(`no ${name}`);
  return found;
};

const changed = (name: string, members: Partial<MethodRow>) => (draft: Draft) => {
  Object.assign(row(draft, name), members);
};

describe("checkContract", () => {
  test("has nothing to say of files that agree", () => {
    expect(checkContract(input())).toEqual([]);
  });

  test.each<{ name: string; change: (draft: Draft) => void; want: string }>([
    {
      name: "a request without a row",
      change: (it) => it.files.codex.requests.splice(2),
      want: "codex.json: the request fs/read has no row",
    },
    {
      name: "a row for a request that is gone",
      change: (it) => it.files.codex.requests.push({ method: "old", use: "unused", reason: "" }),
      want: "codex.json: the request old is not in the capture",
    },
    {
      name: "a server request without a row",
      change: (it) => it.files.codex.serverRequests.pop(),
      want: "codex.json: the server request ask has no row",
    },
    {
      name: "a notification decided twice",
      change: (it) =>
        it.files.codex.notifications.push({ method: "note", disposition: "drop", scope: "thread", ...cite }),
      want: "codex.json: the notification note has more than one row",
    },
    {
      name: "an item type without a row",
      change: (it) => it.files.codex.items.pop(),
      want: "codex.json: the item plan has no row",
    },
    {
      name: "an answer that is missing",
      change: (it) => Object.assign(it.files.codex.serverRequests[0] ?? {}, { answer: undefined }),
      want: "codex.json: the server request ask has no answer",
    },
    {
      name: "a translation without an answer for when nobody can be asked",
      change: (it) =>
        Object.assign(it.files.codex.serverRequests[0] ?? {}, {
          answer: undefined,
          disposition: "translate",
          implemented: true,
        }),
      want: "codex.json: the server request ask has no answer",
    },
    {
      name: "a forward to nowhere",
      change: (it) => Object.assign(it.files.codex.notifications[1] ?? {}, { to: "_kit/gone" }),
      want: "codex.json: told goes to _kit/gone, which is no notification of methods.json",
    },
    {
      name: "a target without a forward",
      change: (it) => Object.assign(it.files.codex.notifications[0] ?? {}, { to: "_kit/told" }),
      want: "codex.json: note is not forwarded, and yet has a target",
    },
    {
      name: "a request that is unused and sent",
      change: changed("sessionNew", { codex: ["fs/read"] }),
      want: "codex.json: fs/read is marked unused, but methods.json sends it",
    },
    {
      name: "a pass-through that nothing passes on",
      change: (it) => Object.assign(it.files.codex.requests[0] ?? {}, { use: "pass-through" }),
      want: "codex.json: thread/start is marked pass-through, but no method passes it on",
    },
    {
      name: "a method that is nothing in version 1",
      change(it) {
        it.files.acpV1.methods.pop();
        it.files.acpV1.unserved.push({ of: "method", name: "session/new", because: "" });
      },
      want: "acp-v1.json: the method session/new has no row",
    },
    {
      name: "a row for an update that is gone",
      change: (it) => it.files.acpV1.updates.push({ name: "old", is: "left-out", doc: "" }),
      want: "acp-v1.json: there is no update old",
    },
    {
      name: "a row that leads to nothing in version 1",
      change: (it) => Object.assign(it.files.acpV1.methods[0] ?? {}, { as: ["session/gone"] }),
      want: "acp-v1.json: version 1 has no method session/gone",
    },
    {
      name: "a method of version 1 that nothing stands for",
      change: (it) => it.files.acpV1.unserved.pop(),
      want: "acp-v1.json: version 1's method session/load is neither reached nor refused",
    },
    {
      name: "an unstable kind for hosts that did not ask for it",
      change: (it) => Object.assign(it.files.acpV1.updates[0] ?? {}, { when: undefined }),
      want: "acp-v1.json: state_update becomes draft, which is not stable",
    },
    {
      name: "a kind that is left out and told",
      change: (it) => Object.assign(it.files.acpV1.updates[0] ?? {}, { is: "left-out" }),
      want: "acp-v1.json: the update state_update is left-out, and `as` says otherwise",
    },
    {
      name: "two rows of one name",
      change: changed("kitSkills", { name: "sessionNew" }),
      want: "methods.json: two rows are called sessionNew",
    },
    {
      name: "two rows for one method",
      change: changed("kitSkills", { method: "session/new" }),
      want: "methods.json: two rows for session/new, host-to-agent",
    },
    {
      name: "a schema that is not there",
      change: changed("sessionNew", { params: "acp:Gone" }),
      want: "methods.json: session/new: there is no schema acp:Gone",
    },
    {
      name: "a notification with a result",
      change: changed("kitTold", { result: "empty" }),
      want: "methods.json: _kit/told: a request has a result, a notification none",
    },
    {
      name: "a carrier that is not there",
      change: changed("sessionNew", { metaResult: "session/new result" }),
      want: 'methods.json: session/new: meta.json has no carrier "session/new result"',
    },
    {
      name: "a carrier that goes the other way",
      change: changed("kitTold", { metaParams: "session/new params" }),
      want: 'methods.json: _kit/told: meta.json has "session/new params" go host-to-agent',
    },
    {
      name: "a Codex method that is not there",
      change: changed("sessionNew", { codex: ["thread/gone"] }),
      want: "methods.json: session/new: there is no Codex request thread/gone",
    },
    {
      name: "an error that is not there",
      change: changed("sessionNew", { errors: ["gone"] }),
      want: "methods.json: session/new: there is no error gone",
    },
    {
      name: "an update that is not there",
      change: changed("sessionNew", { emits: ["gone_update"] }),
      want: "methods.json: session/new: there is no notification or update gone_update",
    },
    {
      name: "a capability that is not announced",
      change: changed("sessionNew", { capability: "session.gone" }),
      want: "methods.json: session/new: capabilities.json has no session.gone",
    },
    {
      name: "a pass-through without its Codex method",
      change: (it) => {
        const { passThrough, ...rest } = row(it, "kitSkills");
        it.files.methods.methods.splice(1, 1, rest);
        Object.assign(it.files.codex.requests[1] ?? {}, { use: passThrough === undefined ? "" : "policy" });
      },
      want: "methods.json: _kit/skills: passThrough belongs to pass-through methods, and to each",
    },
    {
      name: "a clause that is not there",
      change: changed("sessionNew", { clauses: ["A-2"] }),
      want: "methods.json: session/new cites A-2, which clauses.json does not have",
    },
    {
      name: "a clause that is there twice",
      change: (it) => it.files.clauses.clauses.push(...it.files.clauses.clauses),
      want: "clauses.json: A-1 stands there twice",
    },
    {
      name: "a ruling that is not there",
      change: (it) => Object.assign(it.files.clauses.clauses[0] ?? {}, { rulings: ["R-06: y"] }),
      want: "clauses.json: A-1 cites R-06: y, which is neither a reading nor a ruling",
    },
    {
      name: "an area that is not listed",
      change: (it) => Object.assign(it.files.clauses.clauses[0] ?? {}, { area: "B" }),
      want: "clauses.json: A-1 is of an area that is not listed, B",
    },
  ])("names $name", ({ change, want }) => {
    expect(checkContract(input(change))).toEqual([want]);
  });

  test("does not ask for the capability of what is not implemented", () => {
    expect(checkContract(input(changed("sessionNew", { capability: "session.gone", implemented: false })))).toEqual([]);
  });
});
