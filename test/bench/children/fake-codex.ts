#!/usr/bin/env node
// Stands in for `codex app-server`: answers with what a real Codex once answered, and lets a prompt say how many deltas
// it wants (see script.ts). With `--acp` it plays the agent itself, for a client with nothing between.
import responses from "../../../src/testing/scripted-codex/recordings/responses.json" with { type: "json" };
import recordedTurn from "../../../src/testing/scripted-codex/recordings/turn.json" with { type: "json" };
import { outputPiece, type Script, scriptIn, stampPiece, textPiece } from "../script.js";
import { cursorsOf, itemsPage, turnsPage } from "./history.js";
import { emitAtRate, emitMany, line, listen, write } from "./output.js";
import { createThreads } from "./threads.js";

type Json = { readonly [key: string]: unknown };
interface TurnParams extends Json {
  readonly threadId: string;
  readonly clientUserMessageId?: string | null;
  readonly input: readonly { readonly text?: string }[];
}

/** A peer asks for them; the bridge does not, so they have not been recorded. */
const profiles = [":read-only", ":workspace", ":danger-full-access"].map((id) => ({
  id,
  description: null,
  allowed: true,
}));
const known: Json = { ...responses, "permissionProfile/list": { data: profiles, nextCursor: null } };
const frames: readonly { readonly method: string; readonly params: Json }[] = recordedTurn;
const threads = createThreads((known["thread/read"] as { readonly thread: Json }).thread);
let lastId = 0;
const newId = (): string => `01a22e96-f53b-7a40-af54-${(++lastId).toString(16).padStart(12, "0")}`;

const note = (method: string, params: Json): string => line({ method, params, emittedAtMs: Date.now() });

/** A recorded notification with members of its params replaced; `type` tells those of items apart. */
function recorded(method: string, type: string | null, over: Json): string {
  const frame = frames.find((it) => it.method === method && (type === null || itemOf(it.params)["type"] === type));
  if (!frame) throw new Error(`no ${method} of ${type} has been recorded`);
  const item = type === null ? {} : { item: { ...itemOf(frame.params), ...(over["item"] as Json) } };
  return note(method, { ...frame.params, ...over, ...item });
}
const itemOf = (params: Json): Json => (params["item"] ?? {}) as Json;

/** A delta's line around its text, made once. */
function around(frame: (text: string) => string): (text: string) => string {
  const [head = "", tail = ""] = frame("@@").split('"@@"');
  return (text) => head + JSON.stringify(text) + tail;
}

const pieceOf = { text: textPiece, output: outputPiece, stamps: stampPiece };

async function emit(script: Script, frame: (text: string) => string): Promise<string> {
  let all = "";
  const next = (index: number): string => {
    const piece = pieceOf[script.kind](index);
    all += piece;
    return frame(piece);
  };
  if (script.rate > 0) await emitAtRate(script.count, script.rate, () => next(0));
  else await emitMany(script.count, next);
  return all;
}

async function runTurn({ threadId, input, clientUserMessageId }: TurnParams, turnId: string): Promise<void> {
  const script = scriptIn(input.map(({ text = "" }) => text).join("\n"));
  const of = { threadId, turnId };
  const turn = { id: turnId, rootTurnId: turnId };
  const turnFrame = (method: string): string => {
    const params = frames.find((it) => it.method === method)?.params ?? {};
    return note(method, { threadId, turn: { ...(params["turn"] as Json), ...turn, items: [] } });
  };
  const user = { id: newId(), clientId: clientUserMessageId ?? null, content: input };
  write(
    note("thread/status/changed", { threadId, status: { type: "active", activeFlags: [] } }) +
      turnFrame("turn/started") +
      recorded("item/started", "userMessage", { ...of, item: user }) +
      recorded("item/completed", "userMessage", { ...of, item: user }),
  );
  const command = script.kind === "output";
  const type = command ? "commandExecution" : "agentMessage";
  const item = { id: `${command ? "call" : "msg"}_${++lastId}` };
  write(recorded("item/started", type, { ...of, item }));
  const method = command ? "item/commandExecution/outputDelta" : "item/agentMessage/delta";
  const all = await emit(
    script,
    around((delta) => note(method, { ...of, itemId: item.id, delta })),
  );
  const done = command ? { ...item, aggregatedOutput: all } : { ...item, text: all };
  write(
    recorded("item/completed", type, { ...of, item: done }) +
      recorded("thread/tokenUsage/updated", null, of) +
      note("thread/status/changed", { threadId, status: { type: "idle" } }) +
      turnFrame("turn/completed"),
  );
}

/** The answer to a request, and what follows it. */
function answer(method: string, params: never): { readonly result: unknown; readonly after?: () => void } {
  const asked: Json = params ?? {};
  switch (method) {
    case "thread/start":
    case "thread/resume": {
      const result = known[method] as Json;
      const id = method === "thread/start" ? newId() : asked["threadId"];
      const thread = { ...(result["thread"] as Json), id, sessionId: id };
      return { result: { ...result, thread, ...(method === "thread/start" ? {} : cursorsOf(String(id))) } };
    }
    case "turn/start": {
      const result = known[method] as { readonly turn: Json };
      const id = newId();
      const after = (): void => void runTurn(params, id);
      return { result: { turn: { ...result.turn, id, rootTurnId: id } }, after };
    }
    case "thread/items/list":
      return { result: itemsPage(params) };
    case "thread/turns/list":
      return { result: threads.turns(String(asked["threadId"])) ?? turnsPage(params) };
    case "thread/list":
      return { result: threads.page(params) };
    case "thread/read":
      return { result: threads.read(String(asked["threadId"])) ?? known[method] };
    default:
      return { result: known[method] };
  }
}

function playCodex(): void {
  listen(({ id, method, params }) => {
    if (method === undefined || id === undefined) return;
    const { result, after } = answer(method, params as never);
    write(
      line(result === undefined ? { id, error: { code: -32601, message: `no answer to ${method}` } } : { id, result }),
    );
    if (after) setImmediate(after);
  });
}

function playAgent(): void {
  const update = (sessionId: string, it: Json): string =>
    line({ jsonrpc: "2.0", method: "session/update", params: { sessionId, update: it } });
  const prompt = async (sessionId: string, script: Script): Promise<void> => {
    const item = `item_${++lastId}`;
    const text = (piece: string): Json => ({
      sessionUpdate: "agent_message_chunk",
      messageId: item,
      content: { type: "text", text: piece },
    });
    const output = (data: string): Json => ({ sessionUpdate: "terminal_output_chunk", terminalId: item, data });
    if (script.kind === "output") {
      const encoded = around((data) => update(sessionId, output(data)));
      await emit(script, (piece) => encoded(Buffer.from(piece).toString("base64")));
    } else
      await emit(
        script,
        around((piece) => update(sessionId, text(piece))),
      );
    write(update(sessionId, { sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" }));
  };
  listen(({ id, method, params }) => {
    const reply = (result: unknown): void => write(line({ jsonrpc: "2.0", id, result }));
    if (method === "initialize") reply({ protocolVersion: 2, info: { name: "fake", version: "0" }, capabilities: {} });
    else if (method === "session/new") reply({ sessionId: newId() });
    else if (method === "session/prompt" && params !== undefined) {
      const { sessionId, prompt: content } = params as { sessionId: string; prompt: { text: string }[] };
      reply({ messageId: newId() });
      void prompt(sessionId, scriptIn(content.map(({ text }) => text).join("\n")));
    }
  });
}

if (process.argv.includes("--acp")) playAgent();
else playCodex();
