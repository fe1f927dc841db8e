import type { CodexNotificationRow } from "../model/contract.js";
import type { CodexMethod, Emitter, Model } from "../model/model.js";
import { planTypeNames } from "../model/names.js";
import { docComment, header, importType, literal } from "./text.js";

/** `src/generated/codex/dispatch.ts`: what the bridge does with what Codex sends, as types and small tables. */
export const emitCodexDispatch: Emitter = (model) => {
  const { definitions, notifications, serverRequests } = model.codex;
  const rows = model.contract.codex;
  const plan = planTypeNames(definitions.keys());
  const used = new Set<string>();
  const type = (name: string | null): string => {
    const exported = name === null ? "undefined" : (plan.get(name)?.exported ?? name);
    if (name !== null) used.add(exported);
    return exported;
  };

  const table = (
    name: string,
    mapName: string,
    doc: string,
    wanted: (row: CodexNotificationRow) => boolean,
  ): string => {
    const methods = new Set(rows.notifications.filter(wanted).map((row) => row.method));
    const chosen = notifications.filter((it) => methods.has(it.method));
    return (
      `${docComment(doc)}export interface ${name} {\n` +
      `${chosen.map((it) => `  readonly ${it.key}: ${type(it.params)};\n`).join("")}}\n\n` +
      keysByMethod(mapName, `keyof ${name}`, chosen)
    );
  };
  const translated = (scope: CodexNotificationRow["scope"]) => (row: CodexNotificationRow) =>
    row.disposition === "translate" && row.implemented && row.scope === scope;

  const keyOf = (method: string): string => serverRequests.find((it) => it.method === method)?.key ?? method;
  const optOut = rows.notifications.filter((row) => row.optOut === true).map((row) => row.method);
  const answers = rows.serverRequests
    .filter((row) => row.answer !== undefined)
    .map((row): [string, unknown] => [keyOf(row.method), row.answer]);
  const asked = rows.serverRequests
    .filter((row) => row.disposition === "translate" && row.implemented)
    .map((row) => keyOf(row.method));
  const usedRequests = rows.requests.filter((row) => row.use !== "unused").map((row) => row.method);
  const required = rows.requests.filter((row) => row.required === true).map((row) => row.method);

  const body = [
    table(
      "ThreadNotifications",
      "threadNotifications",
      "Notifications that are translated and about one thread: their params, by key.",
      translated("thread"),
    ),
    table(
      "ProcessNotifications",
      "processNotifications",
      "Notifications that are translated and about the Codex process: their params, by key.",
      translated("process"),
    ),
    constant(
      "optOutNotificationMethods",
      "Named in `initialize`, so that Codex does not send them at all.",
      optOut,
      "readonly string[]",
    ),
    `${docComment("Codex's notification, as named on the wire → the host notification that carries its params on, by key.")}` +
      `export const forwards: ReadonlyMap<string, keyof typeof agentNotifications> = new Map([\n` +
      `${forwardsOf(model)
        .map(([method, key]) => `  [${JSON.stringify(method)}, ${JSON.stringify(key)}],\n`)
        .join("")}] as const);\n`,
    `${docComment("Every request that Codex makes of the bridge, by key.")}export interface ServerRequests {\n${serverRequests
      .map(
        (it) => `  readonly ${it.key}: { readonly params: ${type(it.params)}; readonly result: ${type(it.result)} };\n`,
      )
      .join("")}}\n`,
    keysByMethod("serverRequestKeys", "keyof ServerRequests", serverRequests),
    `${docComment("The requests that are put to the host.")}export type AskedOfHost = ${
      asked.length === 0 ? "never" : asked.map((key) => JSON.stringify(key)).join(" | ")
    };\n`,
    `${docComment("Fail-closed answers: to requests that are never put to the host, and to those that cannot be.")}` +
      `export const serverRequestAnswers: {\n` +
      `  readonly [Key in keyof ServerRequests]?: ServerRequests[Key]["result"];\n` +
      `} = ${literal(Object.fromEntries(answers))};\n`,
    constant(
      "requiredRequests",
      "Without these the bridge cannot work: a Codex that lacks one is refused.",
      required,
      "readonly string[]",
    ),
    constant(
      "usedRequests",
      "What the bridge asks of Codex at all: what a Codex lacks of these is not offered to hosts.",
      usedRequests,
      "readonly string[]",
    ),
  ].join("\n");
  const imports = `import type { agentNotifications } from "../contract/methods.js";\n${importType(used, "./types.js")}\n`;
  return [{ path: "src/generated/codex/dispatch.ts", text: header("schemas") + imports + body }];
};

const keysByMethod = (name: string, key: string, methods: readonly CodexMethod[]): string =>
  `${docComment("Key by name on the wire.")}export const ${name}: ReadonlyMap<string, ${key}> = new Map([\n` +
  `${methods.map((it) => `  [${JSON.stringify(it.method)}, ${JSON.stringify(it.key)}],\n`).join("")}] as const);\n`;

const constant = (name: string, doc: string, value: unknown, type: string): string => {
  const start = `export const ${name}: ${type} = `;
  return `${docComment(doc)}${start}${literal(value, "", start.length)};\n`;
};

const forwardsOf = ({ contract }: Model): [string, string][] =>
  contract.codex.notifications.flatMap((row): [string, string][] => {
    const target = contract.methods.methods.find((it) => it.direction === "agent-to-host" && it.method === row.to);
    return row.disposition === "forward" && row.implemented && target !== undefined ? [[row.method, target.name]] : [];
  });
