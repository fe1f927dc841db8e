import type { CodexNotificationRow } from "../model/contract.js";
import type { CodexMethod, Emitter, Model } from "../model/model.js";
import { planTypeNames } from "../model/names.js";
import { docComment, header, importType, literal, memberName } from "./text.js";

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

  const notificationUnion = (name: string, doc: string, wanted: (row: CodexNotificationRow) => boolean): string => {
    const methods = new Set(rows.notifications.filter(wanted).map((row) => row.method));
    return union(
      name,
      doc,
      notifications.filter((it) => methods.has(it.method)).map((it) => message(it, type(it.params))),
    );
  };
  const translated = (scope: CodexNotificationRow["scope"]) => (row: CodexNotificationRow) =>
    row.disposition === "translate" && row.implemented && row.scope === scope;

  const optOut = rows.notifications.filter((row) => row.optOut === true).map((row) => row.method);
  const answers = rows.serverRequests
    .filter((row) => row.answer !== undefined && (row.disposition === "answer" || !row.implemented))
    .map((row): [string, unknown] => [row.method, row.answer]);
  const asked = rows.serverRequests.filter((row) => row.disposition === "translate" && row.implemented);
  const required = rows.requests.filter((row) => row.required === true).map((row) => row.method);

  const body = [
    notificationUnion(
      "ServerNotification",
      "Every notification that the bridge translates or forwards, also those it does not act on yet.",
      (row) => row.disposition !== "drop",
    ),
    notificationUnion("ThreadNotification", "Translated, and about one thread.", translated("thread")),
    notificationUnion("ProcessNotification", "Translated, and about the Codex process.", translated("process")),
    notificationHandlers,
    constant(
      "optOutNotificationMethods",
      "Named in `initialize`, so that Codex does not send them at all.",
      optOut,
      "readonly string[]",
    ),
    `${docComment("Codex's notification → the host notification that carries its params on, by its key.")}` +
      `export const forwards = ${literal(forwardsOf(model))} as const satisfies Readonly<\n` +
      "  Record<string, keyof typeof agentNotifications>\n>;\n",
    union(
      "ServerRequest",
      "Every request that Codex makes of the bridge.",
      serverRequests.map((it) => message(it, type(it.params))),
    ),
    `${docComment("What each of them is answered with.")}export interface ServerRequestResults {\n${serverRequests
      .map((it) => `  ${memberName(it.method)}: ${type(it.result)};\n`)
      .join("")}}\n`,
    serverRequestHandlers(asked.map((row) => row.method)),
    `${docComment("Fail-closed answers to the requests that are not put to the host.")}` +
      `export const serverRequestAnswers = ${literal(Object.fromEntries(answers))} satisfies Partial<ServerRequestResults>;\n`,
    constant(
      "requiredRequests",
      "Without these the bridge cannot work: a Codex that lacks one is refused.",
      required,
      "readonly string[]",
    ),
  ].join("\n");
  const imports = `import type { agentNotifications } from "../contract/methods.js";\n${importType(used, "./types.js")}\n`;
  return [{ path: "src/generated/codex/dispatch.ts", text: header("schemas") + imports + body }];
};

const message = ({ method }: CodexMethod, params: string): string =>
  `{ readonly method: ${JSON.stringify(method)}; readonly params: ${params} }`;

const union = (name: string, doc: string, members: string[]): string =>
  members.length === 0
    ? `${docComment(doc)}export type ${name} = never;\n`
    : `${docComment(doc)}export type ${name} =\n${members.map((member) => `  | ${member}`).join("\n")};\n`;

const constant = (name: string, doc: string, value: unknown, type: string): string => {
  const start = `export const ${name}: ${type} = `;
  return `${docComment(doc)}${start}${literal(value, "", start.length)};\n`;
};

const forwardsOf = ({ contract }: Model): { [method: string]: string } =>
  Object.fromEntries(
    contract.codex.notifications.flatMap((row) => {
      const target = contract.methods.methods.find((it) => it.direction === "agent-to-host" && it.method === row.to);
      return row.disposition === "forward" && row.implemented && target !== undefined
        ? [[row.method, target.name]]
        : [];
    }),
  );

const notificationHandlers = `type HandlersOf<Message extends { readonly method: string; readonly params: unknown }> = {
  readonly [Method in Message["method"]]: (params: Extract<Message, { readonly method: Method }>["params"]) => void;
};

/** A handler for every translated notification about a thread. */
export type ThreadNotificationHandlers = HandlersOf<ThreadNotification>;

/** A handler for every translated notification about the process. */
export type ProcessNotificationHandlers = HandlersOf<ProcessNotification>;

/** A handler for every translated notification. */
export type NotificationHandlers = ThreadNotificationHandlers & ProcessNotificationHandlers;
`;

const serverRequestHandlers = (methods: string[]): string => `${docComment(
  "A handler for every request that is put to the host. Its answer is Codex's.",
)}export type ServerRequestHandlers = {
  readonly [Method in ${methods.length === 0 ? "never" : methods.map((it) => JSON.stringify(it)).join(" | ")}]: (
    params: Extract<ServerRequest, { readonly method: Method }>["params"],
  ) => Promise<ServerRequestResults[Method]>;
};
`;
