import type { NotificationDescriptor, RequestDescriptor } from "./descriptor.js";
import type { ContractError } from "./errors.js";
import type { Parser, SchemaFault } from "./parse.js";

/** An object as JSON has them, which arrays and null are not. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

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

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** The answer is passed on as it is written. Default false. */
  readonly verbatim?: boolean;
}

/** The peer that requests go to, as far as generated code needs it. */
export interface Caller {
  request<Params, Result>(
    descriptor: RequestDescriptor<Params, Result>,
    params: Params,
    options?: CallOptions,
  ): Promise<Result>;
}

/** Queues a notification; keeps the order of the calls. */
export type Notify = <Params>(descriptor: NotificationDescriptor<Params>, params: Params) => void;

/** One method that the agent serves, parser and handler in one. */
export interface MethodEntry {
  /** Key of the handler, as in `schemas/contract/methods.json`. */
  readonly name: string;
  readonly kind: "request" | "notification";
  /** True for the one request that is allowed before the handshake. */
  readonly initializes: boolean;
  /** True when its params are passed on as they are written. */
  readonly verbatim: boolean;
  /** Parses the raw params and runs the handler. Rejects with the method's `-32602` before the handler runs. */
  call(params: unknown, context: HandlerContext): Promise<unknown>;
}

interface Served<Params> {
  readonly name: string;
  readonly kind: "request" | "notification";
  readonly initializes?: boolean;
  readonly verbatim?: boolean;
  readonly parse: Parser<Params>;
  /** The method's error for params off schema. */
  readonly invalid: (fault: SchemaFault, params: unknown) => ContractError;
}

/**
 * What missing or null params mean. `empty`: both stand for `{}`; `absent-only`: missing ones do; `pass`: both reach the
 * handler as undefined; otherwise the parser refuses them.
 */
export type MethodOptions<Params, Result> = Served<Params> &
  (
    | { readonly missing?: "empty" | "absent-only"; readonly handle: Handler<Params, Result> }
    | { readonly missing: "pass"; readonly handle: Handler<Params | undefined, Result> }
  );

/** Ties a handler to the parser of its params. */
export const methodEntry = <Params, Result>(options: MethodOptions<Params, Result>): MethodEntry => ({
  name: options.name,
  kind: options.kind,
  initializes: options.initializes ?? false,
  verbatim: options.verbatim ?? false,
  async call(params, context) {
    const absent = params === undefined || (params === null && options.missing !== "absent-only");
    if (options.missing === "pass" && absent) return options.handle(undefined, context);
    const parsed = options.parse(options.missing !== undefined && absent ? {} : params);
    if (!parsed.ok) throw options.invalid(parsed.fault, params);
    return options.handle(parsed.value, context);
  },
});
