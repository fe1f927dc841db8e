import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";

/** An answer of a service that means no good, and the error that the host gets for it. */
export interface HostileAnswer {
  readonly name: string;
  answer(response: ServerResponse, authorization: string): void;
  readonly message: string;
}

const unconfirmed = "Remote plugin service did not confirm the requested enabled state";
const unreachable = "Remote plugin enable failed: the service cannot be reached or redirects";
const failed = (status: number): string => `Remote plugin enable failed (HTTP ${status})`;

/** Never stops by itself. */
function pour(response: ServerResponse, piece: Buffer): void {
  while (!response.destroyed && response.write(piece));
  if (!response.destroyed) response.once("drain", () => pour(response, piece));
}

const spaces = Buffer.alloc(64 * 1024, " ");

const says =
  (body: string | Buffer) =>
  (response: ServerResponse): void =>
    void response.writeHead(200, { "content-type": "application/json" }).end(body);

const repeats =
  (status: number) =>
  (response: ServerResponse, authorization: string): void => {
    response.writeHead(status, authorization, { "x-you-sent": authorization, location: `/?${authorization}` });
    response.end(JSON.stringify({ id: authorization, enabled: true, detail: authorization }));
  };

/** `id` is the plugin that is asked for. */
export const hostileAnswers = (id: string): readonly HostileAnswer[] => [
  {
    name: "a body without an end",
    answer: (response) => pour(response.writeHead(200), spaces),
    message: unconfirmed,
  },
  {
    name: "a failure whose body has no end",
    answer: (response) => pour(response.writeHead(403), spaces),
    message: failed(403),
  },
  {
    name: "a small body that unfolds to 64 MiB",
    answer: (response) =>
      void response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(64 << 20, " "))),
    message: unconfirmed,
  },
  {
    name: "a right answer behind more than is read",
    answer: says(`${" ".repeat(65_536)}${JSON.stringify({ id, enabled: true })}`),
    message: unconfirmed,
  },
  { name: "no JSON", answer: says("<html>"), message: unconfirmed },
  { name: "JSON that is nested deeply", answer: says("[".repeat(60_000)), message: unconfirmed },
  {
    name: "a prototype in place of members",
    answer: says(`{"__proto__":${JSON.stringify({ id, enabled: true })}}`),
    message: unconfirmed,
  },
  { name: "bytes that are no UTF-8", answer: says(Buffer.of(0xff, 0xfe, 0x7b, 0x7d)), message: unconfirmed },
  { name: "no body at all", answer: (response) => void response.writeHead(204).end(), message: unconfirmed },
  ...[301, 302, 303, 307, 308].map((status) => ({
    name: `${status} to another host`,
    answer: (response: ServerResponse, authorization: string) =>
      void response.writeHead(status, { location: `https://elsewhere.example/${authorization}` }).end(),
    message: unreachable,
  })),
  ...[200, 500].map((status) => ({
    name: `${status} that repeats the credentials everywhere`,
    answer: repeats(status),
    message: status === 200 ? unconfirmed : failed(500),
  })),
  {
    name: "an answer that breaks off",
    answer(response) {
      response.writeHead(200, { "content-length": "1000" }).write('{"id":');
      response.socket?.end();
    },
    message: unreachable,
  },
  {
    name: "something that is no HTTP",
    answer: (response, authorization) => void response.socket?.end(`220 ${authorization} ready\r\n`),
    message: unreachable,
  },
  {
    name: "headers without measure",
    answer: (response, authorization) => {
      for (let n = 0; n < 2000; n++) response.setHeader(`x-${n}`, authorization);
      response.end();
    },
    message: unreachable,
  },
];
