import * as acp from "@agentclientprotocol/sdk/experimental/v2/unstable";
import type { AgentCommand, ShownPermission, Taken } from "../../../src/host-check/driver-format.js";
import { createExtensions } from "./extensions.js";
import type { Handlers } from "./handlers.js";
import { anotherWay, type Quirk } from "./quirks.js";
import { createView, ownPrompt, type SessionView } from "./view.js";

export interface SdkHostOptions {
  /** Starts the agent; resolves with the wire to it. */
  connect(command: AgentCommand): acp.Stream;
  /** What it does wrong. */
  readonly quirk?: Quirk | undefined;
}

interface OpenPermission extends ShownPermission {
  readonly sessionId: string;
  answer(outcome: acp.RequestPermissionOutcome): void;
}

/** `stream`, on which the last answer to a permission request can be sent once more. */
function repeatable(stream: acp.Stream) {
  const writer = stream.writable.getWriter();
  let choice: acp.AnyMessage | undefined;
  const again = (): void => void (choice !== undefined && writer.write(choice));
  const writable = new WritableStream<acp.AnyMessage>({
    async write(frame) {
      if (JSON.stringify(frame).includes('"outcome"')) choice = frame;
      await writer.write(frame);
    },
    close: () => writer.close(),
  });
  const readable = stream.readable.pipeThrough(
    new TransformStream<acp.AnyMessage, acp.AnyMessage>({
      transform(frame, controller) {
        if ("method" in frame && frame.method === acp.methods.protocol.cancelRequest) again();
        controller.enqueue(frame);
      },
    }),
  );
  return { stream: { readable, writable }, again };
}

/** A small host around the client of the official SDK: what the draft asks of a client, and nothing else. */
export function createSdkHost({ connect, quirk }: SdkHostOptions): Handlers {
  const has = (name: Quirk): boolean => quirk === name;
  const views = new Map<string, SessionView>();
  const permissions = new Map<string, OpenPermission>();
  let connection: acp.ClientConnection | undefined;
  let asked = 0;
  let again: () => void = () => undefined;

  // An update may come before the answer that opens its session.
  const view = (id: string): SessionView => {
    const sessionId = has("mixes-sessions") ? "any" : id;
    const found = views.get(sessionId) ?? createView(has);
    views.set(sessionId, found);
    return found;
  };
  const agent = (): acp.ClientContext => {
    if (connection === undefined) throw new Error("the agent is not started");
    return connection.agent;
  };

  let before: Promise<unknown> = Promise.resolve();
  /** Does what has to stay in order, perhaps a little later. */
  const inTurn = <T>(act: () => T | Promise<T>): T | Promise<T> => {
    if (!has(anotherWay) && !has("asks-late")) return act();
    const begun = before.then(() => new Promise((resolve) => setTimeout(resolve, 2))).then(() => ({ done: act() }));
    before = begun;
    return begun.then(({ done }) => done);
  };

  const askUser = (params: acp.RequestPermissionRequest, signal: AbortSignal) =>
    new Promise<acp.RequestPermissionResponse>((resolve) => {
      if (signal.aborted && !has("asks-late")) {
        resolve({ outcome: { outcome: "cancelled" } });
        return;
      }
      asked += 1;
      const id = `permission-${asked}`;
      const { sessionId, title, options, subject } = params;
      if (subject?.type === "tool_call" && !has("ignores-subjects")) {
        view(sessionId).apply({
          ...(subject as acp.ToolCallPermissionSubject).toolCall,
          sessionUpdate: "tool_call_update",
        });
      }
      if (has("approves-unknown-subjects") && subject?.type.startsWith("_")) {
        resolve({ outcome: { outcome: "selected", optionId: options[0]?.optionId ?? "" } });
        return;
      }
      const answer = (outcome: acp.RequestPermissionOutcome): void => {
        permissions.delete(id);
        resolve({ outcome });
      };
      if (has("refuses-unknown-options") && options.some(({ kind }) => kind.startsWith("_"))) {
        resolve({ outcome: { outcome: "cancelled" } });
        return;
      }
      const shown = options.map((option) => ({ id: option.optionId, name: option.name }));
      permissions.set(id, { id, sessionId, title, options: shown, answer });
      signal.addEventListener("abort", () => {
        if (has("withdraws-all")) for (const one of [...permissions.values()]) one.answer({ outcome: "cancelled" });
        else if (!has("answers-late")) answer({ outcome: "cancelled" });
      });
    });

  /** Sessions without a prompt, with their folders. */
  const empty = new Map<string, string>();
  const begin = async (cwd: string): Promise<string> => {
    const params = { cwd, mcpServers: [], ...own.declared() };
    const { sessionId } = await agent().request(acp.methods.agent.session.new, params);
    own.begun(sessionId);
    empty.set(sessionId, cwd);
    return sessionId;
  };
  const close = async (sessionId: string): Promise<void> => {
    empty.delete(sessionId);
    await agent().request(acp.methods.agent.session.close, { sessionId });
  };
  const own = createExtensions({ has, agent, emptySessions: () => [...empty], close, begin });
  const accepted: Taken = { accepted: true };
  const refused: Taken = { accepted: false };

  return {
    ...own.extensions,
    hello: () => ({ name: "sdk-client", version: "2.4.0", can: ["history", "list", "plugins", "providers", "tools"] }),
    async open(command) {
      let stream = connect(command);
      if (has("answers-twice")) ({ stream, again } = repeatable(stream));
      const app = acp.client({ name: "sdk-client" });
      if (has("answers-anything")) app.onRequest("*", () => ({}));
      connection = own
        .serveTools(app)
        .onRequest(acp.methods.client.session.requestPermission, ({ params, signal }) =>
          inTurn(() => askUser(params, signal)),
        )
        .onNotification(acp.methods.client.session.update, ({ params }) =>
          inTurn(() => view(params.sessionId).apply(params.update)),
        )
        .connect(stream);
      const info = { name: "sdk-client", version: "2.4.0" };
      await agent().request(acp.methods.agent.initialize, { protocolVersion: 2, info, capabilities: {} });
      return {};
    },
    async newSession({ cwd }) {
      const sessionId = await begin(cwd);
      if (has("new-session-starts-over")) views.delete(sessionId);
      view(sessionId);
      return { sessionId };
    },
    async openSession({ sessionId, cwd }) {
      if (!own.mayOpen(sessionId)) return refused;
      if (has(anotherWay)) views.delete(sessionId);
      const params = { sessionId, cwd, mcpServers: [], replayFrom: { type: "start" as const } };
      const { _meta } = await agent().request(acp.methods.agent.session.resume, params);
      const codex = _meta?.["codex"];
      const readOnly = typeof codex === "object" && codex !== null && "readOnly" in codex && codex.readOnly === true;
      const opened = view(sessionId);
      opened.readOnly = readOnly || (has("stays-read-only") && opened.readOnly);
      if (has("opened-is-idle")) opened.state = "idle";
      return accepted;
    },
    prompt({ sessionId, text }) {
      if (view(sessionId).readOnly && !has("prompts-read-only")) return refused;
      empty.delete(sessionId);
      const sent = agent().request(acp.methods.agent.session.prompt, { sessionId, prompt: [{ type: "text", text }] });
      if (has("shows-prompt-itself") || has(anotherWay)) {
        const content = [{ type: "text" as const, text }];
        view(sessionId).apply({ sessionUpdate: "user_message", messageId: ownPrompt, content });
      }
      // What becomes of a prompt is told by updates; a refusal is for the user's eyes.
      sent.then(
        () => {
          if (has("answer-ends-turn")) view(sessionId).state = "idle";
        },
        () => undefined,
      );
      return accepted;
    },
    async cancel({ sessionId }) {
      await agent().notify(acp.methods.agent.session.cancel, { sessionId });
      if (has(anotherWay)) for (const one of [...permissions.values()]) one.answer({ outcome: "cancelled" });
      return accepted;
    },
    async closeSession({ sessionId }) {
      await close(sessionId);
      return has("fails-to-close") ? refused : accepted;
    },
    answerPermission({ permissionId, optionId }) {
      const open = permissions.get(permissionId);
      open?.answer({ outcome: "selected", optionId });
      if (open === undefined) again();
      return open === undefined ? refused : accepted;
    },
    shown({ sessionId }) {
      const { readOnly, state, messages, toolCalls } = view(sessionId);
      const open = [...permissions.values()].filter((one) => one.sessionId === sessionId);
      return {
        messages: messages(),
        toolCalls: toolCalls(),
        state,
        permissions: open.map(({ id, title, options }) => ({ id, title, options })),
        mayPrompt: !readOnly,
      };
    },
  };
}
