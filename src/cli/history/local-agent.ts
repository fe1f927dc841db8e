import { type AgentOptions, createAgent } from "../../agent/create-agent.js";
import { hostNotifications, hostRequests } from "../../generated/contract/methods.js";
import type { HostSink, HostTransport } from "../../host/transport.js";
import type { RequestDescriptor } from "../../runtime/index.js";
import { version } from "../../version.js";

/** The agent's own answer to a failed request. */
export class RequestFailed extends Error {
  override readonly name = "RequestFailed";
  readonly code: unknown;
  /** `data.reason` of the error, where it has one. */
  readonly reason: string | null;

  constructor(error: { readonly code?: unknown; readonly message?: unknown; readonly data?: unknown }) {
    super(String(error.message));
    this.code = error.code;
    const data = error.data;
    const reason = typeof data === "object" && data !== null && "reason" in data ? data.reason : null;
    this.reason = typeof reason === "string" ? reason : null;
  }
}

/** An agent in this process, spoken to as a host speaks to it. */
export interface LocalAgent {
  /** Rejects with `RequestFailed`. Aborting `signal` sends `$/cancel_request`; the answer is still waited for. */
  request<Params, Result>(
    descriptor: RequestDescriptor<Params, Result>,
    params: Params,
    signal?: AbortSignal,
  ): Promise<Result>;
  close(): Promise<void>;
}

/** Starts an agent and greets it. */
export async function startLocalAgent(options: AgentOptions): Promise<LocalAgent> {
  const waiting = new Map<unknown, { resolve(result: unknown): void; reject(error: Error): void }>();
  let sink: HostSink | undefined;
  let lastId = 0;
  const take = (frame: object): void => {
    // Updates and notices are of no use here; this host opens no session and has no dialogs.
    if (!("id" in frame) || "method" in frame) return;
    const open = waiting.get(frame.id);
    waiting.delete(frame.id);
    if ("error" in frame && typeof frame.error === "object" && frame.error !== null) {
      open?.reject(new RequestFailed(frame.error));
    } else open?.resolve("result" in frame ? frame.result : undefined);
  };
  const transport: HostTransport = {
    start(to) {
      sink = to;
    },
    send: take,
    flush: () => undefined,
    pause: () => undefined,
    resume: () => undefined,
    end: async () => undefined,
  };
  const connection = createAgent(options).connect(transport);
  const tell = (frame: object): void => sink?.line(JSON.stringify({ jsonrpc: "2.0", ...frame }));

  const agent: LocalAgent = {
    async request<Params, Result>(
      { method }: RequestDescriptor<Params, Result>,
      params: Params,
      signal?: AbortSignal,
    ): Promise<Result> {
      lastId += 1;
      const id = lastId;
      const cancel = (): void => tell({ method: hostNotifications.cancelRequest.method, params: { requestId: id } });
      signal?.throwIfAborted();
      signal?.addEventListener("abort", cancel, { once: true });
      try {
        // The descriptor ties the method to the type of its result.
        return await new Promise<Result>((resolve, reject) => {
          waiting.set(id, { resolve: (result) => resolve(result as Result), reject });
          tell({ id, method, params });
        });
      } finally {
        signal?.removeEventListener("abort", cancel);
      }
    },
    close: () => connection.close(),
  };
  try {
    await agent.request(hostRequests.initialize, {
      protocolVersion: 2,
      info: { name: "codex-acp-kit history", version },
      capabilities: {},
    });
  } catch (error) {
    await agent.close();
    throw error;
  }
  return agent;
}
