import { readFile } from "node:fs/promises";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { Socket } from "node:net";
import { fileURLToPath } from "node:url";

/** A call as the service got it. */
export interface ServiceCall {
  readonly method: string | undefined;
  /** Where the caller believed it went, e.g. `https://chatgpt.com`. */
  readonly origin: string;
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Resolves when the caller is done with the call, whatever became of its answer. */
  readonly over: Promise<void>;
}

export interface PluginService {
  readonly port: number;
  readonly calls: readonly ServiceCall[];
  /** Answers the calls from now on; one that is left open stays so until the end. */
  serve(answer: (response: ServerResponse, nth: number) => void): void;
  /** The first call, once it has come. */
  readonly called: Promise<void>;
  close(): Promise<void>;
}

const file = (name: string): Promise<Buffer> => readFile(new URL(`./tls/${name}`, import.meta.url));

/** A module for `node --import`: sends all TLS to the port in `STAND_IN_SERVICE`. */
export const redirectModule = fileURLToPath(new URL("./tls/redirect.mjs", import.meta.url));

/** ChatGPT's plugin service as TLS on loopback, and whatever other host a redirect may name. */
export async function startPluginService(): Promise<PluginService> {
  const calls: ServiceCall[] = [];
  let answer: (response: ServerResponse, nth: number) => void = (response) => response.writeHead(500).end();
  let cameIn = (): void => undefined;
  const called = new Promise<void>((resolve) => {
    cameIn = resolve;
  });
  const [key, cert] = await Promise.all([file("key.pem"), file("certificate.pem")]);
  const server = createServer({ key, cert }, (request, response) => {
    const chunks: Buffer[] = [];
    const over = new Promise<void>((resolve) => response.once("close", resolve));
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method, url: path, headers } = request;
      const body = Buffer.concat(chunks).toString();
      calls.push({ method, origin: `https://${headers.host}`, path, headers, body, over });
      cameIn();
      answer(response, calls.length);
    });
  });
  // Also those in which nobody has asked yet: callers keep some in store.
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the stand-in has no port");
  return {
    port: address.port,
    calls,
    called,
    serve(next) {
      answer = next;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
