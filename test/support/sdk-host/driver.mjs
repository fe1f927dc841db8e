import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { Readable, Writable } from "node:stream";
import * as acp from "@agentclientprotocol/sdk/experimental/v2";

const sessions = new Map(); // What the user sees, by session.
const permissions = new Map(); // Those that wait for the user.
const { session } = acp.methods.agent;
let agent;

const of = (id) => {
  if (!sessions.has(id)) sessions.set(id, { messages: new Map(), calls: new Map(), state: "idle", readOnly: false });
  return sessions.get(id);
};
const entry = (map, id) => map.get(id) ?? map.set(id, { id, content: [] }).get(id);
const text = (blocks) => blocks.map((block) => (block.content ?? block).text ?? "").join("");

function apply({ sessionId, update }) {
  const { messages, calls } = of(sessionId);
  const [, role, chunk] = /^(user|agent)_(?:message|thought)(_chunk)?$/.exec(update.sessionUpdate) ?? [];
  if (role !== undefined) {
    const message = entry(messages, update.messageId);
    message.role = update.sessionUpdate.includes("thought") ? "thought" : role;
    if (chunk) message.content.push(update.content);
    else if (update.content !== undefined) message.content = update.content ?? [];
  } else if (update.sessionUpdate === "tool_call_content_chunk")
    entry(calls, update.toolCallId).content.push(update.content);
  else if (update.sessionUpdate === "tool_call_update") {
    const call = entry(calls, update.toolCallId);
    for (const name of ["title", "status", "content"]) if (update[name] !== undefined) call[name] = update[name];
    call.content ??= [];
  } else if (update.sessionUpdate === "state_update") of(sessionId).state = update.state;
}

const ask = ({ params, signal }) =>
  new Promise((resolve) => {
    const id = `permission-${permissions.size + 1}-${params.sessionId}`;
    const { sessionId, title, subject } = params;
    if (subject?.type === "tool_call")
      apply({ sessionId, update: { ...subject.toolCall, sessionUpdate: "tool_call_update" } });
    const answer = (outcome) => permissions.delete(id) && resolve({ outcome });
    const options = params.options.map(({ optionId, name }) => ({ id: optionId, name }));
    permissions.set(id, { sessionId, shown: { id, title, options }, answer });
    signal.addEventListener("abort", () => answer({ outcome: "cancelled" }));
  });

const info = { name: "example-host", version: "1.0.0" };
const does = {
  hello: () => ({ ...info, can: [] }),
  async open({ command, args, env, cwd }) {
    const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ["pipe", "pipe", "inherit"] });
    const stream = acp.ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout));
    const app = acp.client().onRequest(acp.methods.client.session.requestPermission, ask);
    agent = app.onNotification(acp.methods.client.session.update, ({ params }) => apply(params)).connect(stream).agent;
    await agent.request("initialize", { protocolVersion: 2, info, capabilities: {} });
    return {};
  },
  newSession: async ({ cwd }) => ({ sessionId: (await agent.request(session.new, { cwd, mcpServers: [] })).sessionId }),
  async openSession({ sessionId, cwd }) {
    const { _meta } = await agent.request(session.resume, {
      sessionId,
      cwd,
      mcpServers: [],
      replayFrom: { type: "start" },
    });
    of(sessionId).readOnly = _meta?.codex?.readOnly === true;
    return { accepted: true };
  },
  prompt({ sessionId, text }) {
    if (of(sessionId).readOnly) return { accepted: false };
    agent.request(session.prompt, { sessionId, prompt: [{ type: "text", text }] }).catch(console.error);
    return { accepted: true };
  },
  cancel: ({ sessionId }) => agent.notify(session.cancel, { sessionId }).then(() => ({ accepted: true })),
  closeSession: ({ sessionId }) => agent.request(session.close, { sessionId }).then(() => ({ accepted: true })),
  answerPermission({ permissionId, optionId }) {
    const open = permissions.get(permissionId);
    open?.answer({ outcome: "selected", optionId });
    return { accepted: open !== undefined };
  },
  shown({ sessionId }) {
    const { messages, calls, state, readOnly } = of(sessionId);
    return {
      messages: [...messages.values()].map(({ id, role, content }) => ({ id, role, text: text(content) })),
      toolCalls: [...calls.values()].map(({ id, title, status, content }) => ({
        id,
        title: title ?? null,
        status: status ?? "pending",
        text: text(content),
      })),
      state: ["idle", "running", "requires_action"].includes(state) ? state : "unknown",
      permissions: [...permissions.values()].filter((one) => one.sessionId === sessionId).map(({ shown }) => shown),
      mayPrompt: !readOnly,
    };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  const answer = (rest) => console.log(JSON.stringify({ jsonrpc: "2.0", id, ...rest }));
  Promise.resolve()
    .then(() => does[method](params))
    .then(
      (result) => answer({ result }),
      (error) => answer({ error: { code: -32603, message: String(error) } }),
    );
}
process.exit(0);
