import type { NotificationDescriptor, RequestDescriptor } from "./descriptor.js";
import type { Parser } from "./parse.js";

/** What a handler may know of the message it answers. */
export interface HandlerContext {
  /** Aborted by `$/cancel_request` for this request, and when the host goes away. */
  readonly signal: AbortSignal;
  /** Undefined for a notification. */
  readonly requestId: string | number | undefined;
  /** Runs `fn` right after the response has been handed to the writer, so that what it sends follows the response. */
  afterResponse(fn: () => void): void;
}

/** Answers one method; for a notification `Result` is `void`. */
export type Handler<Params, Result> = (params: Params, context: HandlerContext) => Promise<Result>;

/** The peer that requests go to, as far as generated code needs it. */
export interface Caller {
  request<Params, Result>(
    descriptor: RequestDescriptor<Params, Result>,
    params: Params,
    options?: { signal?: AbortSignal },
  ): Promise<Result>;
}

/** Queues a notification; keeps the order of the calls. */
export type Notify = <Params>(descriptor: NotificationDescriptor<Params>, params: Params) => void;

/** One method that the agent serves. Built by `methodEntry` alone, which ties `parse` to `handle`. */
export interface MethodEntry {
  /** Key of the handler, as in `schemas/contract/methods.json`. */
  readonly name: string;
  readonly kind: "request" | "notification";
  /** True for the one request that is allowed before the handshake. */
  readonly initializes: boolean;
  readonly parse: Parser<unknown>;
  /** What missing or null params mean: `-32602`, `{}`, or `undefined` handed to the handler unparsed. */
  readonly missingParams: "refuse" | "empty" | "pass";
  /** The fixed message of this method's `-32602`, where the contract gives one. */
  readonly invalidParams?: string;
  /** Takes only what `parse` returned, or `undefined` where `missingParams` is `pass`. */
  handle(params: unknown, context: HandlerContext): Promise<unknown>;
}

/** An entry whose handler takes what its parser returns. */
export const methodEntry = <Params, Result>(
  entry: Omit<MethodEntry, "parse" | "handle"> & {
    readonly parse: Parser<Params>;
    readonly handle: Handler<Params, Result>;
  },
): MethodEntry => entry;
