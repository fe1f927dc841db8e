import { join } from "node:path";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { loadModel } from "../../../codegen/model/load.js";

const model = loadModel(join(import.meta.dirname, "../../.."));
const { requests, serverRequests, notifications, items } = model.contract.codex;

const methodsOf = (rows: readonly { readonly method: string }[]): string[] => rows.map(({ method }) => method).sort();

const definition = (name: string): { [keyword: string]: unknown } => {
  const found = model.codex.definitions.get(name);
  if (found === undefined) throw new Error(`Codex has no definition ${name}`);
  return found;
};

describe("every part of the capture has one disposition, and nothing else has one", () => {
  test("client requests", () => {
    expect(methodsOf(requests)).toEqual(methodsOf(model.codex.requests));
  });

  test("server requests", () => {
    expect(methodsOf(serverRequests)).toEqual(methodsOf(model.codex.serverRequests));
  });

  test("notifications", () => {
    expect(methodsOf(notifications)).toEqual(methodsOf(model.codex.notifications));
  });

  test("items", () => {
    const variants = definition("ThreadItem")["oneOf"];
    if (!Array.isArray(variants)) throw new Error("ThreadItem is no union");
    const types = variants.map((variant: unknown) => JSON.stringify(variant).match(/"type":\{"enum":\["(\w+)"\]/)?.[1]);
    expect(items.map(({ type }) => type).sort()).toEqual(types.sort());
  });
});

describe("requests", () => {
  test("those that the bridge cannot do without are used", () => {
    expect(methodsOf(requests.filter(({ required, use }) => required === true && use === "unused"))).toEqual([]);
  });

  test("those that a method of the contract sends are used", () => {
    const sent = model.contract.methods.methods.flatMap(({ codex, passThrough }) => [
      ...(codex ?? []),
      ...(passThrough === undefined ? [] : [passThrough.codex]),
    ]);
    const used = new Set(methodsOf(requests.filter(({ use }) => use !== "unused")));
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.filter((method) => !used.has(method))).toEqual([]);
  });

  test("those marked pass-through are what the pass-through methods send", () => {
    const sent = model.contract.methods.methods.flatMap(({ passThrough }) =>
      passThrough === undefined ? [] : [passThrough.codex],
    );
    expect([...new Set(sent)].sort()).toEqual(methodsOf(requests.filter(({ use }) => use === "pass-through")));
  });
});

describe("server requests", () => {
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema({ $id: "codex:", definitions: Object.fromEntries(model.codex.definitions) });

  test("each is refused or has a fail-closed answer, for a thread that no session is open on", () => {
    for (const { method, disposition, answer } of serverRequests) {
      expect(answer !== undefined, method).toBe(disposition !== "refuse");
    }
  });

  const answered = serverRequests.filter(({ answer }) => answer !== undefined);

  test.each(answered)("the answer to $method fits Codex's schema", ({ method, answer }) => {
    const result = model.codex.serverRequests.find((it) => it.method === method)?.result;
    const validate = ajv.getSchema(`codex:#/definitions/${result}`);
    if (validate === undefined) throw new Error(`${method} has no result schema`);
    validate(answer);
    expect(validate.errors ?? []).toEqual([]);
  });

  test.each(answered)("the answer to $method grants nothing", ({ answer }) => {
    expect(JSON.stringify(answer)).not.toMatch(/accept|approved|"success":true|session/i);
  });
});

describe("notifications", () => {
  test("a forwarded one has a name for the host, and no other has", () => {
    for (const { method, disposition, to } of notifications) {
      expect(to !== undefined, method).toBe(disposition === "forward");
    }
  });

  test("Codex is asked to leave out only what is dropped", () => {
    expect(methodsOf(notifications.filter(({ optOut, disposition }) => optOut && disposition !== "drop"))).toEqual([]);
  });

  test("exactly those of a thread name it, so that a session can be found for each", () => {
    for (const { method, scope } of notifications) {
      const params = model.codex.notifications.find((it) => it.method === method)?.params;
      const required = params === null || params === undefined ? [] : definition(params)["required"];
      const named = Array.isArray(required) && required.includes("threadId");
      expect(named ? "thread" : "process", method).toBe(scope);
    }
  });
});

describe("items", () => {
  test("those that become tool calls, and no others, say which rows of the table they use", () => {
    const rows = model.contract.tables.toolCalls;
    for (const { type, update, tools } of items) {
      const expected = rows.filter(({ codex }) => codex === type).map(({ name }) => name);
      if (update === "tool_call_update") expect([...(tools ?? [])].sort(), type).toEqual(expected.sort());
      else expect(tools, type).toBeUndefined();
    }
  });
});
