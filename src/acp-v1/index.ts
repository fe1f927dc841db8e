import {
  sameMethods,
  hostRequests as theirs,
  agentNotifications as toHost,
  translated,
} from "../generated/acp-v1/methods.js";
import { parsers } from "../generated/acp-v1/parsers.js";
import type { RequestPermissionRequest } from "../generated/acp-v1/types.js";
import { errors } from "../generated/contract/errors.js";
import { agentNotifications, agentRequests, hostNotifications, hostRequests } from "../generated/contract/methods.js";
import type { RequestPermissionParams, SessionUpdateParams } from "../generated/contract/types.js";
import type { Update } from "../projection/update.js";
import { type ContractError, isObject, type Parsed } from "../runtime/index.js";
import { type Features, featuresOf } from "./features.js";
import { metaOf } from "./known.js";
import { modesOf } from "./options.js";
import { type Answer, createPrompts, type Prompts, type RequestId } from "./prompts.js";
import { type Around, receiptIn, translations } from "./requests.js";
import { createSessionView, type SessionView } from "./session.js";

type Frame = Readonly<Record<string, unknown>>;
type Key = keyof typeof translated;

export interface PeerOptions {
  /** Writes a frame of version 1 to the host. */
  toHost(frame: object): void;
  /** Hands a message of draft v2 to the agent. */
  toAgent(message: unknown): void;
  /** Runs a task once all that is under way in this macrotask is done. */
  soon(task: () => void): void;
  /** An id nobody has used. */
  newId(): string;
}

/** Between a host of version 1 and an agent of draft v2: every frame of the one becomes frames of the other. */
export interface Peer {
  fromHost(message: unknown): void;
  fromAgent(frame: object): void;
}

interface Session {
  readonly view: SessionView;
  readonly prompts: Prompts;
}

/** A request of the host that is not answered yet, with what its result is to become. */
interface Pending {
  readonly key: Key | null;
  /** The session that it opens anew, or ends. */
  readonly opens?: string;
  /** What the host was told of that session until now. */
  readonly before?: Session;
  readonly ends?: string;
  readonly prompts?: Prompts;
}

const keys = Object.keys(translated) as Key[];
const keyByMethod: ReadonlyMap<string, Key> = new Map(keys.map((key) => [theirs[key].method, key]));
const ending: ReadonlySet<string> = new Set([hostRequests.sessionClose.method, hostRequests.sessionDelete.method]);
const updateMethod = agentNotifications.sessionUpdate.method;

const isId = (id: unknown): id is RequestId => typeof id === "string" || Number.isInteger(id);

export function createPeer(options: PeerOptions): Peer {
  const sessions = new Map<string, Session>();
  const pending = new Map<RequestId, Pending>();
  /** Tool calls of open questions, by the id of the agent's request. */
  const questions = new Map<unknown, { readonly sessionId: string; readonly toolCallId: string }>();
  const booleans = new Set<string>();
  let features: Features = featuresOf(null);

  const around = (): Around => ({ features, booleans, newId: options.newId });
  const fail = (id: RequestId, { code, message, data }: ContractError): void =>
    options.toHost({ jsonrpc: "2.0", id, error: { code, message, ...(data === undefined ? {} : { data }) } });
  const answer = (id: RequestId, given: Answer): void => options.toHost({ jsonrpc: "2.0", id, ...given });
  const update = (sessionId: string, told: object): void =>
    options.toHost({ jsonrpc: "2.0", method: toHost.sessionUpdate.method, params: { sessionId, update: told } });

  function learn(given: unknown): void {
    if (!Array.isArray(given)) return;
    for (const option of given) {
      if (isObject(option) && option["type"] === "boolean") booleans.add(String(option["configId"]));
    }
  }

  function sessionOf(sessionId: string): Session {
    const found = sessions.get(sessionId);
    if (found) return found;
    const prompts = createPrompts(answer);
    return view(sessionId, prompts);
  }

  /** A session that is told from its beginning; prompts that are open on it stay so. */
  function view(sessionId: string, prompts: Prompts): Session {
    const made = {
      prompts,
      view: createSessionView({ features, isOwn: prompts.isOwn, onOptions: learn }),
    };
    sessions.set(sessionId, made);
    return made;
  }

  /** What no turn takes in is answered, once it is certain that none will. */
  function settleSoon({ prompts }: Session): void {
    if (prompts.waiting) options.soon(() => prompts.settle());
  }

  function request(id: RequestId, method: string, message: Frame): void {
    const key = keyByMethod.get(method);
    if (key === undefined) {
      if (!sameMethods.has(method) && !method.startsWith("_")) {
        fail(id, errors.methodNotFound({ method }));
        return;
      }
      const sessionId = isObject(message["params"]) ? message["params"]["sessionId"] : undefined;
      if (ending.has(method) && typeof sessionId === "string") pending.set(id, { key: null, ends: sessionId });
      options.toAgent(message);
      return;
    }
    translate(id, key, message["params"] ?? {});
  }

  function translate<K extends Key>(id: RequestId, key: K, given: unknown): void {
    // Parser and translation of one key belong together.
    const parsed = parsers[key](given) as Parsed<Parameters<(typeof translations)[K]["params"]>[0]>;
    if (!parsed.ok) {
      fail(id, errors.invalidParams(parsed.fault));
      return;
    }
    if (key === "initialize")
      features = featuresOf((parsed.value as { clientCapabilities?: object }).clientCapabilities);
    const params = translations[key].params(parsed.value, around());
    const { sessionId, _meta } = params as { sessionId?: string; _meta?: unknown };
    const note: { -readonly [Member in keyof Pending]: Pending[Member] } = { key };
    if (key === "sessionPrompt" && sessionId !== undefined) {
      note.prompts = sessionOf(sessionId).prompts;
      note.prompts.asked(id, receiptIn(_meta) ?? "");
    }
    if ((key === "sessionLoad" || key === "sessionResume") && sessionId !== undefined) {
      note.opens = sessionId;
      note.before = sessionOf(sessionId);
      const { prompts } = note.before;
      if (key === "sessionLoad") prompts.shownAnew();
      view(sessionId, prompts);
    }
    pending.set(id, note);
    options.toAgent({ jsonrpc: "2.0", id, method: hostRequests[translated[key]].method, params });
  }

  function notification(method: string, message: Frame): void {
    const params = message["params"];
    const id = isObject(params) ? params["requestId"] : undefined;
    if (method === hostNotifications.cancelRequest.method && isId(id)) {
      const open = [...sessions].find(([, { prompts }]) => prompts.isOpen(id));
      if (open) {
        const [sessionId] = open;
        options.toAgent({ jsonrpc: "2.0", method: hostNotifications.sessionCancel.method, params: { sessionId } });
        return;
      }
    }
    options.toAgent(message);
  }

  function response(id: RequestId, frame: Frame): void {
    const note = pending.get(id);
    pending.delete(id);
    const ok = "result" in frame;
    if (note?.prompts) {
      if (!ok) note.prompts.refused(id);
      else {
        note.prompts.accepted(id, frame["result"] as object);
        const session = [...sessions.values()].find(({ prompts }) => prompts === note.prompts);
        if (session) settleSoon(session);
        return;
      }
    }
    if (note?.ends !== undefined && ok) {
      sessions.get(note.ends)?.prompts.close();
      sessions.delete(note.ends);
    }
    // What could not be opened goes on as it was.
    if (!ok && note?.opens !== undefined && note.before) sessions.set(note.opens, note.before);
    if (!ok || note === undefined || note.key === null) {
      options.toHost(frame);
      return;
    }
    const { result } = frame;
    const { configOptions, sessionId = note.opens } = result as { configOptions?: []; sessionId?: string };
    learn(configOptions);
    const mode = modesOf(configOptions)?.currentModeId;
    if (sessionId !== undefined) {
      const session = sessionOf(sessionId);
      if (mode !== undefined) session.view.mode(mode);
      settleSoon(session);
    }
    const { result: back } = translations[note.key];
    // The agent answers each request with its own kind of result.
    const told = back ? (back as (result: unknown, around: Around) => unknown)(result, around()) : result;
    options.toHost({ jsonrpc: "2.0", id, result: told });
  }

  /** Answered, or taken back. */
  function questionOver(id: unknown): void {
    const question = questions.get(id);
    if (!question) return;
    questions.delete(id);
    const { sessionId, toolCallId } = question;
    for (const told of sessions.get(sessionId)?.view.calls.answered(toolCallId) ?? []) update(sessionId, told);
  }

  /** Version 1 asks about a tool call; what else the question says stands in the call while it is open. */
  function permission(id: unknown, frame: Frame): void {
    const params = frame["params"] as RequestPermissionParams;
    const { sessionId, title, description, subject, options: choices } = params;
    const { calls } = sessionOf(sessionId).view;
    const about = subject && "toolCall" in subject ? (subject["toolCall"] as { toolCallId: string }) : null;
    const words = typeof description === "string" ? description : "";
    const asked = calls.ask({ title: null, ...(about ?? { toolCallId: `question-${String(id)}`, title }) }, words);
    for (const told of asked.first) update(sessionId, told);
    const { toolCallId } = asked.toolCall;
    questions.set(id, { sessionId, toolCallId });
    const translatedParams = {
      sessionId,
      toolCall: asked.toolCall,
      options: choices as RequestPermissionRequest["options"],
      ...metaOf(params),
    } satisfies RequestPermissionRequest;
    options.toHost({ ...frame, params: translatedParams });
  }

  return {
    fromHost(message) {
      if (!isObject(message) || message["jsonrpc"] !== "2.0") {
        options.toAgent(message);
        return;
      }
      const { id, method } = message;
      if (typeof method !== "string") {
        options.toAgent(message);
        questionOver(id);
      } else if (!("id" in message)) notification(method, message);
      else if (isId(id)) request(id, method, message);
      else options.toAgent(message);
    },

    fromAgent(given) {
      const frame = given as Frame;
      const { method, id } = frame;
      if (method === updateMethod) {
        const { sessionId, update: told } = frame["params"] as SessionUpdateParams;
        const session = sessionOf(sessionId);
        // The strictness of the agent's own side vouches for the kind.
        const known = told as Update;
        if (known.sessionUpdate === "user_message" && known.content == null) {
          session.prompts.message(known.messageId, known._meta);
        }
        const others = session.view.tell(known);
        if (others === null) options.toHost(frame);
        else for (const one of others) update(sessionId, one);
        if (known.sessionUpdate === "state_update") {
          session.prompts.state(known);
          settleSoon(session);
        }
      } else if (method === agentRequests.requestPermission.method) permission(id, frame);
      else if (typeof method === "string" || !isId(id)) {
        options.toHost(frame);
        const { requestId } = isObject(frame["params"]) ? frame["params"] : {};
        if (method === hostNotifications.cancelRequest.method) questionOver(requestId);
      } else response(id, frame);
    },
  };
}
