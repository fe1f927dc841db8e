import { type CheckInput, repeated, unionTags } from "./check.js";

/** Faults of codex.json: everything captured has exactly one row, and every row says enough to act on. */
export const dispositionFaults = ({ codex, files }: CheckInput): string[] => {
  const rows = files.codex;
  const methods = (list: readonly { method: string }[]): string[] => list.map((it) => it.method);
  return [
    ...matchFaults("request", methods(codex.requests), methods(rows.requests)),
    ...matchFaults("server request", methods(codex.serverRequests), methods(rows.serverRequests)),
    ...matchFaults("notification", methods(codex.notifications), methods(rows.notifications)),
    ...matchFaults(
      "item",
      unionTags(codex.definitions.get("ThreadItem"), "type"),
      rows.items.map((it) => it.type),
    ),
    ...forwardFaults(files),
    ...rows.serverRequests
      .filter((row) => row.answer === undefined && row.disposition !== "refuse")
      .map((row) => `codex.json: the server request ${row.method} has no answer`),
    ...requestUseFaults(files),
  ];
};

const matchFaults = (kind: string, captured: readonly string[], decided: readonly string[]): string[] => [
  ...captured.filter((it) => !decided.includes(it)).map((it) => `codex.json: the ${kind} ${it} has no row`),
  ...decided.filter((it) => !captured.includes(it)).map((it) => `codex.json: the ${kind} ${it} is not in the capture`),
  ...repeated(decided).map((it) => `codex.json: the ${kind} ${it} has more than one row`),
];

const forwardFaults = ({ codex, methods }: CheckInput["files"]): string[] => {
  const told = methods.methods.filter((it) => it.direction === "agent-to-host" && it.kind === "notification");
  return codex.notifications.flatMap((row) => {
    if (row.disposition !== "forward") {
      return row.to === undefined ? [] : [`codex.json: ${row.method} is not forwarded, and yet has a target`];
    }
    return told.some((it) => it.method === row.to)
      ? []
      : [`codex.json: ${row.method} goes to ${row.to ?? "nothing"}, which is no notification of methods.json`];
  });
};

/** What methods.json sends to Codex must be marked as used, and in the way it is used. */
const requestUseFaults = ({ codex, methods }: CheckInput["files"]): string[] => {
  const passed = new Set(methods.methods.flatMap((row) => row.passThrough?.codex ?? []));
  const sent = new Set(methods.methods.flatMap((row) => row.codex ?? []));
  return codex.requests.flatMap((row) => {
    if (row.use === "unused" && (passed.has(row.method) || sent.has(row.method))) {
      return [`codex.json: ${row.method} is marked unused, but methods.json sends it`];
    }
    if (row.use === "pass-through" && !passed.has(row.method)) {
      return [`codex.json: ${row.method} is marked pass-through, but no method passes it on`];
    }
    return [];
  });
};
