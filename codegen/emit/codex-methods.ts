import type { CodexMethod, Emitter } from "../model/model.js";
import { planTypeNames } from "../model/names.js";
import { docComment, header, importType } from "./text.js";

/** `src/generated/codex/methods.ts`: one descriptor for each request, server request and notification. */
export const emitCodexMethods: Emitter = ({ codex }) => {
  const plan = planTypeNames(codex.definitions.keys());
  const used = new Set<string>();
  const type = (name: string | null, absent: string): string => {
    if (name === null) return absent;
    const exported = plan.get(name)?.exported ?? name;
    used.add(exported);
    return exported;
  };
  const paramsType = (it: CodexMethod): string => {
    const name = type(it.params, "null | undefined");
    return it.paramsOptional ? `${name} | null | undefined` : name;
  };
  const requestRow = (it: CodexMethod): string =>
    row(it, `request<${paramsType(it)}, ${type(it.result, "unknown")}>(${JSON.stringify(it.method)})`);
  const notificationRow = (it: CodexMethod): string =>
    row(it, `notification<${paramsType(it)}>(${JSON.stringify(it.method)})`);
  const body = [
    table("requests", "Requests that Codex answers.", codex.requests.map(requestRow)),
    table("serverRequests", "Requests that Codex makes of its client.", codex.serverRequests.map(requestRow)),
    table("notifications", "Notifications that Codex sends.", codex.notifications.map(notificationRow)),
  ].join("\n");
  const imports = `import { notification, request } from "../../runtime/index.js";\n${importType(used, "./types.js")}\n`;
  return [{ path: "src/generated/codex/methods.ts", text: header("schemas/codex") + imports + body }];
};

const table = (name: string, doc: string, rows: string[]): string =>
  `${docComment(doc)}export const ${name} = {\n${rows.join("")}} as const;\n`;

const row = ({ key, doc, experimental }: CodexMethod, value: string): string =>
  `${docComment([doc, experimental ? "Experimental." : null].filter(Boolean).join("\n"), "  ")}  ${key}: ${value},\n`;
