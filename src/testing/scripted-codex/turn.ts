import { notifications, requests } from "../../generated/codex/methods.js";
import type {
  FileUpdateChange,
  ThreadItem,
  Turn,
  TurnError,
  TurnStatus,
  UserInput,
} from "../../generated/codex/types.js";
import type { ScriptedCodex } from "./core.js";
import { agentMessage, commandExecution, fileChange, reasoning, userMessage } from "./items.js";

export interface TurnIds {
  readonly threadId: string;
  readonly turnId: string;
}

/** A turn as it is while it runs; `fields` say what is different. */
export const turnOf = (id: string, fields: Partial<Turn> = {}): Turn => ({
  id,
  rootTurnId: id,
  items: [],
  itemsView: "notLoaded",
  status: "inProgress",
  error: null,
  startedAt: null,
  completedAt: null,
  durationMs: null,
  ...fields,
});

/** Emits the frames of one turn. Each method sends at once, in the order the real Codex does; returned ids are the items'. */
export interface TurnScript extends TurnIds {
  /** What the bridge gave to `turn/start`. */
  readonly input: readonly UserInput[];
  /** Status active, `turn/started`, and the user's message as an item. */
  begin(): void;
  itemStarted(item: ThreadItem): void;
  itemCompleted(item: ThreadItem): void;
  /** A whole item without anything between. */
  item(started: ThreadItem, completed?: ThreadItem): void;
  messageDelta(itemId: string, delta: string): void;
  /** An agent message, streamed as `deltas` (default: the text as one). */
  message(
    text: string,
    options?: { id?: string; phase?: "commentary" | "final_answer"; deltas?: readonly string[] },
  ): string;
  reasoning(summary: readonly string[], options?: { id?: string }): string;
  outputDelta(itemId: string, delta: string): void;
  /** A command with its output; `deltas` default to the output as one. */
  command(
    command: string,
    options?: { id?: string; output?: string; exitCode?: number; deltas?: readonly string[] },
  ): string;
  patch(changes: FileUpdateChange[], options?: { id?: string }): string;
  /** Token counts of a model response. */
  usage(last: number, total: number, window?: number): void;
  /** An `error` frame. */
  error(error: TurnError, willRetry: boolean): void;
  /** Status idle and `turn/completed`, with the last agent message as the real Codex has it. */
  complete(status?: Exclude<TurnStatus, "inProgress">, error?: TurnError): void;
}

export function turnScript(
  codex: ScriptedCodex,
  ids: TurnIds,
  input: UserInput[] = [],
  clientId: string | null = null,
): TurnScript {
  const { threadId, turnId } = ids;
  const startedAt = codex.now();
  let lastMessage: ThreadItem | undefined;
  let lastId = 0;
  const fresh = (prefix: string): string => {
    lastId += 1;
    return `${prefix}_${turnId}_${lastId}`;
  };

  const script: TurnScript = {
    threadId,
    turnId,
    input,
    begin() {
      codex.notify(notifications.threadStatusChanged, { threadId, status: { type: "active", activeFlags: [] } });
      const turn = turnOf(turnId, { startedAt: Math.floor(startedAt / 1000) });
      codex.notify(notifications.turnStarted, { threadId, turn });
      script.item(userMessage({ id: fresh("user"), clientId, content: input }));
    },
    itemStarted(item) {
      const startedAtMs = codex.now();
      const stamped = { ...item, startedAtMs, completedAtMs: null };
      codex.notify(notifications.itemStarted, { threadId, turnId, startedAtMs, item: stamped });
    },
    itemCompleted(item) {
      const completedAtMs = codex.now();
      const stamped = { ...item, startedAtMs: startedAt, completedAtMs };
      if (item.type === "agentMessage") lastMessage = stamped;
      codex.notify(notifications.itemCompleted, { threadId, turnId, completedAtMs, item: stamped });
    },
    item(started, completed = started) {
      script.itemStarted(started);
      script.itemCompleted(completed);
    },
    messageDelta(itemId, delta) {
      codex.notify(notifications.itemAgentMessageDelta, { threadId, turnId, itemId, delta });
    },
    message(text, { id = fresh("msg"), phase, deltas = [text] } = {}) {
      const item = agentMessage({ id, phase: phase ?? null });
      script.itemStarted(item);
      for (const delta of deltas) script.messageDelta(id, delta);
      script.itemCompleted({ ...item, text });
      return id;
    },
    reasoning(summary, { id = fresh("rs") } = {}) {
      const item = reasoning({ id });
      script.itemStarted(item);
      summary.forEach((delta, summaryIndex) => {
        const at = { threadId, turnId, itemId: id, summaryIndex };
        codex.notify(notifications.itemReasoningSummaryPartAdded, at);
        codex.notify(notifications.itemReasoningSummaryTextDelta, { ...at, delta });
      });
      script.itemCompleted({ ...item, summary: [...summary] });
      return id;
    },
    outputDelta(itemId, delta) {
      codex.notify(notifications.itemCommandExecutionOutputDelta, { threadId, turnId, itemId, delta });
    },
    command(command, { id = fresh("call"), output = "", exitCode = 0, deltas = output === "" ? [] : [output] } = {}) {
      const item = commandExecution({ id, command });
      script.itemStarted(item);
      for (const delta of deltas) script.outputDelta(id, delta);
      const status = exitCode === 0 ? "completed" : "failed";
      script.itemCompleted({
        ...item,
        status,
        exitCode,
        aggregatedOutput: output === "" ? null : output,
        durationMs: 12,
      });
      return id;
    },
    patch(changes, { id = fresh("call") } = {}) {
      const item = fileChange({ id, changes });
      script.item(item, { ...item, status: "completed" });
      return id;
    },
    usage(last, total, modelContextWindow = 258_400) {
      const counts = (tokens: number) => ({
        totalTokens: tokens,
        inputTokens: tokens,
        cachedInputTokens: 0,
        cacheWriteInputTokens: 0,
        outputTokens: 0,
        reasoningOutputTokens: 0,
      });
      const tokenUsage = { total: counts(total), last: counts(last), modelContextWindow };
      codex.notify(notifications.threadTokenUsageUpdated, { threadId, turnId, tokenUsage });
    },
    error(error, willRetry) {
      codex.notify(notifications.error, { threadId, turnId, error, willRetry });
    },
    complete(status = "completed", error) {
      const type = status === "failed" ? "systemError" : "idle";
      codex.notify(notifications.threadStatusChanged, { threadId, status: { type } });
      const whole = status === "completed" && lastMessage !== undefined;
      const turn = turnOf(turnId, {
        status,
        error: error ?? null,
        items: whole ? [lastMessage as ThreadItem] : [],
        itemsView: whole ? "summary" : "notLoaded",
        startedAt: Math.floor(startedAt / 1000),
        completedAt: Math.floor(codex.now() / 1000),
        durationMs: codex.now() - startedAt,
      });
      codex.notify(notifications.turnCompleted, { threadId, turn });
    },
  };
  return script;
}

/** The turn of the `n`-th `turn/start` of the bridge, once that has been answered. */
export async function nextTurn(codex: ScriptedCodex, n = 1): Promise<TurnScript> {
  const { params, result } = await codex.answered(requests.turnStart, n);
  const ids = { threadId: params.threadId, turnId: result.turn.id };
  return turnScript(codex, ids, params.input, params.clientUserMessageId ?? null);
}
