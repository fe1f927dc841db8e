// The least a Node process can do between Codex and an ACP v2 host on the same pipes: parse each line, build the update,
// write it as JSON, with one write per chunk read. No validation, no approvals, no errors: this is no product.
import { spawn } from "node:child_process";
import { StringDecoder } from "node:string_decoder";

type Json = Record<string, unknown>;
interface Delta {
  readonly threadId: string;
  readonly itemId: string;
  readonly delta: string;
}
interface Page {
  readonly data: readonly { readonly item: Item }[];
  readonly nextCursor: string | null;
}
interface Rows {
  readonly data: readonly { readonly id: string; readonly cwd: string; readonly preview: string }[];
  readonly nextCursor: string | null;
}
interface Item {
  readonly type: string;
  readonly id: string;
  readonly text: string;
  readonly command: string;
  readonly content: readonly { readonly text: string }[];
  readonly aggregatedOutput: string;
}

const codex = spawn(process.execPath, [process.env["CODEX_PATH"] ?? "", "app-server"], {
  stdio: ["pipe", "pipe", "inherit"],
});
codex.on("exit", () => process.exit(0));
process.stdin.on("end", () => codex.stdin.end());

let lastId = 0;
const pending = new Map<unknown, (result: never) => void>();
const ask = (method: string, params: Json): Promise<never> =>
  new Promise((resolve) => {
    pending.set(++lastId, resolve);
    codex.stdin.write(`${JSON.stringify({ id: lastId, method, params })}\n`);
  });

let queued = "";
function flush(): void {
  if (queued === "") return;
  const text = queued;
  queued = "";
  if (process.stdout.write(text)) return;
  codex.stdout.pause();
  process.stdout.once("drain", () => codex.stdout.resume());
}
const send = (frame: object): void => {
  queued += `${JSON.stringify(frame)}\n`;
};
const update = (sessionId: string, it: object): void =>
  send({ jsonrpc: "2.0", method: "session/update", params: { sessionId, update: it } });
const base64 = (text: string): string => Buffer.from(text).toString("base64");

function tell(sessionId: string, item: Item): void {
  if (item.type === "userMessage") {
    const content = item.content.map(({ text }) => ({ type: "text", text }));
    update(sessionId, { sessionUpdate: "user_message", messageId: item.id, content });
  } else if (item.type === "agentMessage") {
    const content = [{ type: "text", text: item.text }];
    update(sessionId, { sessionUpdate: "agent_message", messageId: item.id, content });
  } else if (item.type === "commandExecution") {
    const output = { data: base64(item.aggregatedOutput) };
    update(sessionId, { sessionUpdate: "terminal_update", terminalId: item.id, command: item.command, output });
    const call = { toolCallId: item.id, title: item.command, kind: "execute", status: "completed" };
    update(sessionId, {
      sessionUpdate: "tool_call_update",
      ...call,
      content: [{ type: "terminal", terminalId: item.id }],
    });
  }
}

const methods: Record<string, (params: Json & { sessionId: string }) => Promise<object>> = {
  async initialize() {
    await ask("initialize", { clientInfo: { name: "floor", version: "0" }, capabilities: { experimentalApi: true } });
    codex.stdin.write('{"method":"initialized"}\n');
    return { protocolVersion: 2, info: { name: "floor", version: "0" }, capabilities: {}, authMethods: [] };
  },
  async "session/new"({ cwd }) {
    const { thread }: { thread: { id: string } } = await ask("thread/start", { cwd });
    return { sessionId: thread.id, configOptions: [] };
  },
  async "session/prompt"({ sessionId, prompt }) {
    await ask("turn/start", { threadId: sessionId, input: prompt });
    return { messageId: "user_1" };
  },
  async "session/list"({ cwd }) {
    await ask("thread/list", { cwd });
    return { sessions: [] };
  },
  async "_codex/session_list"() {
    const rows: Rows["data"][number][] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page: Rows = await ask("thread/list", { limit: 100, ...(cursor === undefined ? {} : { cursor }) });
      rows.push(...page.data);
      cursor = page.nextCursor;
    }
    const sessions: Json[] = [];
    let next = 0;
    const read = async (): Promise<void> => {
      for (let index = next++; index < rows.length; index = next++) {
        const { id, cwd, preview } = rows[index] ?? { id: "", cwd: "", preview: "" };
        const { thread }: { thread: { forkedFromId: string | null } } = await ask("thread/read", { threadId: id });
        sessions[index] = { sessionId: id, cwd, title: preview, _meta: { codex: thread.forkedFromId } };
      }
    };
    await Promise.all(Array.from({ length: 8 }, read));
    return { sessions };
  },
  async "session/resume"({ sessionId, cwd }) {
    await ask("thread/resume", { threadId: sessionId, cwd, excludeTurns: true });
    const read = (cursor: string | null): Promise<Page> =>
      ask("thread/items/list", { threadId: sessionId, cursor, limit: 100, sortDirection: "asc" });
    for (let next: Promise<Page> | null = read(null); next; ) {
      const page: Page = await next;
      next = page.nextCursor === null ? null : read(page.nextCursor);
      for (const { item } of page.data) tell(sessionId, item);
      flush();
    }
    return { configOptions: [] };
  },
};

function onCodex(message: { id?: unknown; method?: string; params?: never; result?: never }): void {
  if (message.method === undefined) {
    pending.get(message.id)?.(message.result as never);
    pending.delete(message.id);
    return;
  }
  const { threadId, itemId, delta }: Delta = message.params as never;
  switch (message.method) {
    case "item/agentMessage/delta":
      update(threadId, {
        sessionUpdate: "agent_message_chunk",
        messageId: itemId,
        content: { type: "text", text: delta },
      });
      return;
    case "item/commandExecution/outputDelta":
      update(threadId, { sessionUpdate: "terminal_output_chunk", terminalId: itemId, data: base64(delta) });
      return;
    case "turn/completed":
      update(threadId, { sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" });
  }
}

/** Calls `take` with each line of a stream and `done` after each chunk. */
function lines(stream: NodeJS.ReadableStream, take: (line: string) => void, done: () => void): void {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  stream.on("data", (chunk: Buffer) => {
    const text = decoder.write(chunk);
    let from = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", from)) {
      take(rest + text.slice(from, end));
      rest = "";
      from = end + 1;
    }
    rest += text.slice(from);
    done();
  });
}

lines(codex.stdout, (text) => onCodex(JSON.parse(text)), flush);
lines(
  process.stdin,
  (text) => {
    const { id, method, params } = JSON.parse(text);
    void methods[method]?.(params).then((result) => {
      send({ jsonrpc: "2.0", id, result });
      flush();
    });
  },
  () => undefined,
);
