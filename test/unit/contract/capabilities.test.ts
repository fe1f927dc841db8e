import { describe, expect, test } from "vitest";
import { capabilities, clauseIds, meta } from "./contract-files.js";

const { _meta, ...standard } = capabilities.capabilities;

describe("capabilities.json", () => {
  test("INIT-03: the standard part", () => {
    expect(standard).toEqual({
      session: {
        prompt: { image: {}, embeddedContext: {} },
        mcp: { stdio: {}, http: {} },
        fork: {},
        delete: {},
        additionalDirectories: {},
        archive: {},
        title: {},
        status: {},
        systemPrompt: {},
      },
      providers: {},
      auth: { status: {} },
    });
  });

  test("INIT-04 and INIT-05: the extensions", () => {
    expect(_meta).toEqual({
      alwith: { tools: { version: 1 }, turns: { version: 2 } },
      codex: {
        forkAtTurn: true,
        sessionLineage: true,
        archive: true,
        sessionList: { version: 1 },
        sessionHistory: { version: 2, items: true, modes: ["browse", "export"] },
        seedHistory: true,
        skills: true,
        plugins: true,
        pluginEnable: true,
        providerCatalog: true,
        rename: true,
        account: true,
        fuzzyFileSearch: true,
        // Beside the thirteen of INIT-05.
        codexRestart: true,
        sessionsMove: true,
      },
    });
  });

  test("meta.json says the same of `_meta`", () => {
    const carrier = meta.carriers.find((row) => row.carrier === "capabilities");
    const said = Object.entries(carrier?.namespaces ?? {}).map(([namespace, keys]) => [
      namespace,
      Object.fromEntries(Object.entries(keys).map(([key, it]) => [key, it.schema["const"] ?? it.schema["default"]])),
    ]);
    expect(Object.fromEntries(said)).toEqual(_meta);
  });

  test("INIT-06 to INIT-08: sign-in methods, in this order", () => {
    expect(capabilities.authMethods.map((row) => [row.methodId, row.when])).toEqual([
      ["api-key", "always"],
      ["chat-gpt", "browser"],
      ["chat-gpt-device-code", "url-elicitation"],
    ]);
    expect(capabilities.authMethods.filter((row) => row.name === "" || row.description === "")).toEqual([]);
    expect(capabilities.authMethods.flatMap((row) => row.clauses).filter((id) => !clauseIds.has(id))).toEqual([]);
  });
});
