import type { HistoryItem, HistoryTurn } from "../../generated/contract/types.js";
import type { Paint } from "../paint.js";

/** Turns and items as text for a person: what was said, and which tools ran. */
export function showEntry(entry: HistoryTurn | HistoryItem, paint: Paint): string[] {
  const heading =
    "itemId" in entry
      ? `item ${entry.itemId} of turn ${entry.turnId}${at(entry.startedAtMs)}`
      : `turn ${entry.turnId}  ${entry.status}${at(entry.startedAt === null ? null : entry.startedAt * 1000)}`;
  return [paint("bold", heading), ...entry.updates.flatMap((update) => showUpdate(update, paint))];
}

const at = (ms: number | null): string => (ms === null ? "" : `  ${new Date(ms).toISOString()}`);

type Update = HistoryTurn["updates"][number];

function showUpdate(update: Update, paint: Paint): string[] {
  switch (update.sessionUpdate) {
    case "user_message":
      return said("user", textOf(update));
    case "agent_message":
      return said("agent", textOf(update));
    case "agent_thought":
      return said("thinks", textOf(update)).map((line) => paint("dim", line));
    case "tool_call_update":
      return [`  ${"tool".padEnd(8)}${member(update, "title")} (${member(update, "status")})`];
    case "plan_update":
      return said("plan", member(Reflect.get(update, "plan"), "content"));
    default:
      return [];
  }
}

const said = (who: string, text: string): string[] =>
  text.split("\n").map((line, index) => `  ${(index === 0 ? who : "").padEnd(8)}${line}`);

function textOf(update: object): string {
  const content: unknown = Reflect.get(update, "content");
  if (!Array.isArray(content)) return "";
  return content
    .map((block) =>
      member(block, "type") === "text" ? member(block, "text") : `[${member(block, "type")} ${member(block, "name")}]`,
    )
    .join("\n");
}

function member(value: unknown, name: string): string {
  const found: unknown = typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
  return typeof found === "string" ? found : "";
}
