import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { type Choice, chooseStep } from "./choose.js";
import { eventsOf, type FreshId, type StreamEvent, usageEvent } from "./events.js";
import type { ModelScript, ModelUsage, Part } from "./steps.js";

/** A request that Codex sent to the model. */
export interface ModelRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The parsed body; the text itself when it is no JSON. */
  readonly body: unknown;
  /** Key of the script that answered, null when none did. */
  readonly key: string | null;
  readonly step: number;
}

/** What to answer to a request with this body; Codex waits until that is known. */
export type ChooseAnswer = (body: unknown, http: Pick<ModelRequest, "path" | "headers">) => Choice | Promise<Choice>;

export interface ScriptedModelOptions {
  /** Scripts to choose from by the newest user message, or whoever decides on each request when it arrives. */
  readonly scripts: readonly ModelScript[] | ChooseAnswer;
  /** Told of each request when it arrives. */
  readonly log?: (request: ModelRequest) => void;
  /** How many of the newest requests are kept. Default 200. */
  readonly keep?: number;
}

export interface ScriptedModel {
  /** What a provider's `base_url` wants: `http://127.0.0.1:<port>/v1`. */
  readonly url: string;
  /** Oldest first. */
  readonly requests: readonly ModelRequest[];
  /** Breaks what is open and frees the port; again, it does nothing. */
  close(): Promise<void>;
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString("utf8");
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const inputOf = (body: unknown): readonly unknown[] => {
  const input = typeof body === "object" && body !== null && "input" in body ? body.input : undefined;
  return Array.isArray(input) ? input : [];
};

/** Resolves when the response takes more, or is gone. */
const writable = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      response.off("drain", done);
      response.off("close", done);
      resolve();
    };
    response.on("drain", done);
    response.on("close", done);
  });

const closed = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => (response.destroyed ? resolve() : response.once("close", () => resolve())));

/** Breaks the connection once what was said has left. */
const breakOff = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    response.once("close", () => resolve());
    response.write(": cut\n\n", () => response.destroy());
  });

async function stream(parts: readonly Part[], response: ServerResponse, fresh: FreshId): Promise<void> {
  const headers = Object.assign({}, ...parts.map((part) => (part.kind === "headers" ? part.headers : {})));
  response.writeHead(200, { "content-type": "text/event-stream", ...headers });
  const send = async (data: StreamEvent): Promise<void> => {
    if (response.destroyed) return;
    if (!response.write(`event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`)) await writable(response);
  };
  const id = fresh("resp");
  await send({ type: "response.created", response: { id } });
  // One listener for all waits.
  const gone = closed(response);
  let counts: ModelUsage = {};
  let index = 0;
  for (const part of parts) {
    if (part.kind === "usage") counts = part.usage;
    else if (part.kind === "wait") await Promise.race([part.until, gone]);
    else if (part.kind === "stall") await gone;
    else if (part.kind === "cut") await breakOff(response);
    else if (part.kind === "failed") {
      const error = { code: part.code, message: part.message };
      await send({ type: "response.failed", response: { id, status: "failed", error } });
      response.end();
    } else if (part.kind === "incomplete") {
      await send({ type: "response.incomplete", response: { id, incomplete_details: { reason: part.reason } } });
      response.end();
    } else {
      const events = eventsOf(part, index, fresh);
      for (const data of events) await send(data);
      if (events.length > 0) index += 1;
    }
    if (response.destroyed || response.writableEnded) return;
  }
  await send(usageEvent(id, counts));
  response.end();
}

async function answer(choice: Choice, response: ServerResponse, fresh: FreshId): Promise<void> {
  const refusal = choice.parts.find((part) => part.kind === "http-error");
  if (refusal === undefined) {
    await stream(choice.parts, response, fresh);
    return;
  }
  response.writeHead(refusal.status, { "content-type": "application/json", ...refusal.headers });
  response.end(typeof refusal.body === "string" ? refusal.body : JSON.stringify(refusal.body));
}

/** Starts a model on a free loopback port that answers `POST …/responses` as its scripts say, and 404 to all else. */
export async function startScriptedModel(options: ScriptedModelOptions): Promise<ScriptedModel> {
  const { scripts, log, keep = 200 } = options;
  const requests: ModelRequest[] = [];
  let lastId = 0;
  const fresh: FreshId = (prefix) => {
    lastId += 1;
    return `${prefix}_${lastId}`;
  };

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? "";
    const body = await readBody(request);
    if (request.method !== "POST" || !path.endsWith("/responses")) {
      response.writeHead(404, { "content-type": "application/json" });
      response.end("{}");
      return;
    }
    const choice =
      typeof scripts === "function"
        ? await scripts(body, { path, headers: request.headers })
        : chooseStep(scripts, inputOf(body));
    const record: ModelRequest = { path, headers: request.headers, body, key: choice.key, step: choice.step };
    requests.push(record);
    if (requests.length > keep) requests.shift();
    log?.(record);
    await answer(choice, response, fresh);
  }

  const server = createServer((request, response) => {
    // A request that broke off, or a `wait` that rejected: the peer sees a broken connection.
    serve(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => resolve());
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the scripted model has no port");
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    requests,
    close: () =>
      new Promise((resolve, reject) => {
        if (!server.listening) {
          resolve();
          return;
        }
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      }),
  };
}
