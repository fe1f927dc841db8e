import type { MethodRow, PassThrough } from "../model/contract.js";
import type { CodexMethod, GeneratedFile, Model } from "../model/model.js";
import { handlerImports, handlerType, servedRows } from "./agent-handlers.js";
import { docComment, header, literal } from "./text.js";

export const passThroughRows = (model: Model): (MethodRow & { passThrough: PassThrough })[] =>
  servedRows(model).flatMap((row) => {
    if (row.handler !== "pass-through" || !row.implemented) return [];
    if (row.passThrough === undefined) throw new Error(`${row.method}: a pass-through without \`passThrough\``);
    return [{ ...row, passThrough: row.passThrough }];
  });

const codexMethod = (model: Model, row: MethodRow, method: string): CodexMethod => {
  const found = model.codex.requests.find((candidate) => candidate.method === method);
  if (found === undefined) throw new Error(`${row.method}: Codex has no request ${method}`);
  return found;
};

/** The host notification's key, its params being `{}`. */
const notificationName = (model: Model, row: MethodRow, notifies: string): string => {
  const found = model.contract.methods.methods.find(
    (other) =>
      other.direction === "agent-to-host" &&
      other.kind === "notification" &&
      (other.method === notifies || other.name === notifies),
  );
  if (found === undefined) throw new Error(`${row.method}: no notification to the host is called ${notifies}`);
  return found.name;
};

const paramsExpression = ({ passThrough }: { passThrough: PassThrough }, codex: CodexMethod): string => {
  const values = literal(passThrough.values ?? {}, "    ");
  switch (passThrough.params) {
    case "forward":
      return "untouched(params)";
    case "defaults":
      return `untouched(withDefaults(${values}, params))`;
    case "constant":
      return values;
    case "none":
      return codex.params === null ? "undefined" : "untouched(undefined)";
  }
};

const handler = (model: Model, row: MethodRow & { passThrough: PassThrough }): string => {
  const { passThrough } = row;
  const codex = codexMethod(model, row, passThrough.codex);
  const usesParams = passThrough.params === "forward" || passThrough.params === "defaults";
  const names = row.cancellable ? "params, context" : "params";
  const args = usesParams || row.cancellable ? (usesParams ? names : names.replace("params", "_params")) : "";
  const options = row.cancellable ? ", { verbatim: true, signal: context.signal }" : ", { verbatim: true }";
  const call = `await codex.request(requests.${codex.key}, ${paramsExpression(row, codex)}${options})`;
  const lines = [
    passThrough.result === "forward" ? `const result = ${call};` : `${call};`,
    ...(passThrough.notifies === undefined
      ? []
      : [`notify(agentNotifications.${notificationName(model, row, passThrough.notifies)}, {});`]),
    passThrough.result === "forward" ? "return untouched(result);" : "return {};",
  ];
  return `  ${row.name}: async (${args}) => {\n${lines.map((line) => `    ${line}\n`).join("")}  },\n`;
};

/** `src/generated/agent/pass-through.ts`: the methods whose handling is nothing but one Codex request. */
export const emitAgentPassThrough = (model: Model): GeneratedFile[] => {
  const rows = passThroughRows(model);
  const defaults = rows.some(({ passThrough }) => passThrough.params === "defaults");
  const members = rows.map((row) => `${docComment(row.doc, "  ")}  readonly ${row.name}: ${handlerType(row)};\n`);
  const text = [
    header("schemas/contract/methods.json"),
    `import { ${defaults ? "withDefaults, " : ""}type Caller, type Handler, type Notify } from "../../runtime/index.js";\n`,
    `import { requests } from "../codex/methods.js";\n`,
    `import { agentNotifications } from "../contract/methods.js";\n`,
    handlerImports(rows),
    `\nexport interface PassThroughHandlers {\n${members.join("")}}\n\n`,
    "/** Codex judges what is passed through, the bridge does not: the one cast between the two sets of types. */\n",
    "const untouched = <Theirs>(value: unknown): Theirs => value as Theirs;\n\n",
    "/** Binds the pass-through methods to a Codex client, and to where the host's notifications go. */\n",
    "export const passThrough = (codex: Caller, notify: Notify): PassThroughHandlers => ({\n",
    ...rows.map((row) => handler(model, row)),
    "});\n",
  ];
  return [{ path: "src/generated/agent/pass-through.ts", text: text.join("") }];
};
