import { resolve } from "node:path";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import { loadCodexValidators } from "../../../src/generated/codex/validators/index.js";
import { loadContractValidators } from "../../../src/generated/contract/validators/index.js";
import { model } from "../../support/schemas.js";

const codex = await loadCodexValidators();
const contract = await loadContractValidators();

const update = (it: Readonly<Record<string, unknown>>) => ({ sessionId: "s", update: it });

describe("validators of the Codex side", () => {
  it("stand for what the bridge has a use for, and for nothing else", () => {
    const { requests, notifications, serverRequests } = model.contract.codex;
    for (const row of requests) {
      expect([row.method, typeof codex.params(row.method)]).toEqual([
        row.method,
        row.use === "unused" ? "undefined" : "function",
      ]);
      expect(codex.result(row.method) === undefined).toBe(row.use === "unused");
    }
    for (const row of notifications) {
      expect([row.method, codex.notification(row.method) === undefined]).toEqual([
        row.method,
        row.disposition === "drop",
      ]);
    }
    for (const row of serverRequests) {
      expect([row.method, typeof codex.serverRequest(row.method)]).toEqual([row.method, "function"]);
      expect([row.method, typeof codex.serverResult(row.method)]).toEqual([row.method, "function"]);
    }
  });

  it.each(["constructor", "toString", "__proto__", "no/such"])("have none for %s", (method) => {
    expect(codex.params(method)).toBeUndefined();
    expect(codex.notification(method)).toBeUndefined();
  });

  it("take nothing where a method takes nothing", () => {
    const parse = codex.params("account/logout");
    expect(parse(undefined)).toEqual({ ok: true, value: undefined });
    expect(parse(null)).toEqual({ ok: true, value: null });
    expect(parse({})).toEqual({ ok: false, fault: { path: "", expected: "nothing" } });
  });

  it("let params be left out where Codex does", () => {
    const parse = codex.params("account/rateLimits/read");
    expect(parse(undefined)).toEqual({ ok: true, value: undefined });
    expect(parse(5)).toMatchObject({ ok: false });
    expect(codex.params("turn/start")(undefined)).toMatchObject({ ok: false });
  });

  it("find the fault in an item", () => {
    const item = { type: "agentMessage", id: "i", text: 5 };
    expect(codex.notification("item/completed")({ threadId: "t", turnId: "u", completedAtMs: 1, item })).toEqual({
      ok: false,
      fault: { path: "/item/text", expected: "a string" },
    });
  });
});

describe("validators of what a host is sent", () => {
  it("stand for every method", () => {
    for (const row of model.contract.methods.methods) {
      const sent = row.direction === "agent-to-host" ? contract.params(row.method) : contract.result(row.method);
      const wanted = row.direction === "agent-to-host" || row.result !== null;
      expect([row.method, sent !== undefined]).toEqual([row.method, wanted]);
    }
  });

  it.each([
    { it: { sessionUpdate: "agent_message_chunk", messageId: "m", content: { type: "text", text: "a" } }, fault: null },
    {
      it: { sessionUpdate: "agent_message_chunk", messageId: "m", content: { type: "text" } },
      fault: { path: "/update/content", expected: 'the member "text"' },
    },
    {
      it: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "a" } },
      fault: { path: "/update", expected: 'the member "messageId"' },
    },
    { it: { content: 1 }, fault: { path: "/update", expected: 'the member "sessionUpdate"' } },
  ])("judge the update $it", ({ it: value, fault }) => {
    const params = update(value);
    const want = fault === null ? { ok: true, value: params } : { ok: false, fault };
    expect(contract.params("session/update")(params)).toEqual(want);
  });
});

describe("the code on the path of start-up", () => {
  it("holds the params parsers and stays small", async () => {
    const entryPoints = [resolve(import.meta.dirname, "../../../src/generated/contract/parsers.ts")];
    const { outputFiles, metafile } = await build({
      entryPoints,
      bundle: true,
      minify: true,
      format: "esm",
      write: false,
      metafile: true,
      logLevel: "silent",
    });
    const inputs = Object.keys(metafile.inputs).filter((path) => path.includes("src/generated"));
    expect(inputs.map((path) => path.replace(/.*src\/generated\//, "")).sort()).toEqual([
      "contract/parsers-code.ts",
      "contract/parsers.ts",
    ]);
    expect(outputFiles[0]?.contents.length).toBeLessThan(150_000);
  });
});
