import { beforeAll, describe, expect, test } from "vitest";
import { emitCodexDispatch } from "../../../codegen/emit/codex-dispatch.js";
import { emitContractMethods } from "../../../codegen/emit/contract-methods.js";
import type { CodexDispositionsFile } from "../../../codegen/model/contract.js";
import type { GeneratedFile, Model } from "../../../codegen/model/model.js";
import { codexRequest, methodRow, smallModel } from "./small-model.js";
import { runFiles, typeErrors } from "./type-check.js";

const built = { clauses: [], reason: "", implemented: true };

const dispositions: CodexDispositionsFile = {
  requests: [
    { method: "a/start", use: "policy", required: true, reason: "" },
    { method: "a/stop", use: "policy", reason: "" },
  ],
  serverRequests: [
    { method: "ask/built", disposition: "translate", answer: { ok: false }, ...built },
    { method: "ask/open", disposition: "translate", answer: { ok: false }, ...built, implemented: false },
    { method: "ask/fixed", disposition: "answer", answer: { ok: true }, ...built },
    { method: "ask/never", disposition: "refuse", ...built },
  ],
  notifications: [
    { method: "thread/built", disposition: "translate", scope: "thread", ...built },
    { method: "thread/open", disposition: "translate", scope: "thread", ...built, implemented: false },
    { method: "process/built", disposition: "translate", scope: "process", ...built },
    { method: "told", disposition: "forward", to: "_kit/told", scope: "process", ...built },
    { method: "told/later", disposition: "forward", to: "_kit/told", scope: "process", ...built, implemented: false },
    { method: "noise", disposition: "drop", scope: "thread", optOut: true, ...built },
    { method: "unheard", disposition: "drop", scope: "thread", ...built },
  ],
  items: [],
};

const small = smallModel({
  methods: [
    methodRow({ method: "_kit/ask", name: "kitAsk" }),
    methodRow({ method: "_kit/told", name: "kitTold", direction: "agent-to-host", kind: "notification", result: null }),
  ],
});

const model: Model = {
  ...small,
  codex: {
    ...small.codex,
    serverRequests: dispositions.serverRequests.map(({ method }) => codexRequest(method, "Asked")),
    notifications: dispositions.notifications.map(({ method }) => ({ ...codexRequest(method, "Said"), result: null })),
  },
  contract: { ...small.contract, codex: dispositions },
};

const files = async (): Promise<GeneratedFile[]> => [
  ...(await emitCodexDispatch(model)),
  ...emitContractMethods(model),
  {
    path: "src/generated/codex/types.ts",
    text: "export type Asked = { q: string };\nexport type Said = { s: string };\nexport type SomeResponse = { ok: boolean };\n",
  },
  {
    path: "src/generated/contract/types.ts",
    text: "export type KitAskParams = { t: string };\nexport type KitAskResult = KitAskParams;\nexport type KitToldParams = KitAskParams;\n",
  },
];

describe("codex/dispatch.ts", () => {
  let made: Record<string, unknown>;
  beforeAll(async () => {
    made = await runFiles(await files(), "src/generated/codex/dispatch.ts");
  });

  test("knows by wire name what is translated and built, by scope", () => {
    expect(made["threadNotifications"]).toEqual(new Map([["thread/built", "threadBuilt"]]));
    expect(made["processNotifications"]).toEqual(new Map([["process/built", "processBuilt"]]));
  });

  test("forwards what is forwarded and built", () => {
    expect(made["forwards"]).toEqual(new Map([["told", "kitTold"]]));
  });

  test("opts out of what is marked, and of nothing else that is dropped", () => {
    expect(made["optOutNotificationMethods"]).toEqual(["noise"]);
  });

  test("has the fail-closed answer of everything but what is refused", () => {
    const closed = { ok: false };
    expect(made["serverRequestAnswers"]).toEqual({ askBuilt: closed, askOpen: closed, askFixed: { ok: true } });
  });

  test("names the requests that the bridge cannot do without", () => {
    expect(made["requiredRequests"]).toEqual(["a/start"]);
  });

  test("names what it uses", () => {
    const used = dispositions.requests.filter(({ use }) => use !== "unused").map(({ method }) => method);
    expect(made["usedRequests"]).toEqual(used);
  });

  test("ties keys to types, and an answer off its type does not compile", { timeout: 60_000 }, async () => {
    const use = (text: string): GeneratedFile => ({ path: "src/generated/use.ts", text });
    const imports =
      'import type { AskedOfHost, ServerRequests, ThreadNotifications } from "./codex/dispatch.js";\n' +
      'export const params: ThreadNotifications["threadBuilt"] = { s: "" };\n';
    const right = `${imports}export const asked: AskedOfHost = "askBuilt";\nexport const r: ServerRequests["askOpen"]["result"] = { ok: true };\n`;
    expect(await typeErrors([...(await files()), use(right)])).toEqual([]);
    const open = `${imports}export const asked: AskedOfHost = "askOpen";\nexport type R = ServerRequests;\n`;
    expect(await typeErrors([...(await files()), use(open)])).toHaveLength(1);
    const [dispatch, ...others] = await files();
    const wrong = { ...model, contract: { ...model.contract, codex: withAnswer({ ok: "yes" }) } };
    expect(dispatch?.path).toBe("src/generated/codex/dispatch.ts");
    expect(await typeErrors([...(await emitCodexDispatch(wrong)), ...others])).toEqual([
      expect.stringContaining("Type 'string' is not assignable to type 'boolean'"),
    ]);
  });
});

const withAnswer = (answer: unknown): CodexDispositionsFile => ({
  ...dispositions,
  serverRequests: dispositions.serverRequests.map((row) => (row.method === "ask/fixed" ? { ...row, answer } : row)),
});
