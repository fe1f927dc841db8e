import { requests } from "../generated/codex/methods.js";
import type { NotificationDescriptor, ParamsOf, RequestDescriptor, ResultOf } from "../runtime/index.js";
import { notification } from "../runtime/index.js";
import type { CodexConnection } from "./connection.js";

export interface RequestOptions {
  /** Gives the answer up; Codex itself goes on, as it cannot be told. */
  readonly signal?: AbortSignal | undefined;
}

/** Any table of request descriptors, such as the generated `requests`. */
export type RequestTable = Readonly<Record<string, RequestDescriptor<unknown, unknown>>>;

type Arguments<Params> = undefined extends Params
  ? [params?: Params, options?: RequestOptions]
  : [params: Params, options?: RequestOptions];

/** One method per descriptor: `client.threadStart(params, options?)`. */
export type ClientOf<Table> = {
  readonly [Key in keyof Table]: (...args: Arguments<ParamsOf<Table[Key]>>) => Promise<ResultOf<Table[Key]>>;
};

/** The typed client over every request of the captured Codex. */
export type CodexClient = ClientOf<typeof requests>;

/** The only notification that a client sends. */
export const initialized: NotificationDescriptor<undefined> = notification<undefined>("initialized");

/** Builds the methods for `table`; they reject as `CodexConnection.request` does. */
export function clientOver<Table extends RequestTable>(
  connection: Pick<CodexConnection, "request">,
  table: Table,
): ClientOf<Table> {
  const methods = Object.entries(table).map(([key, descriptor]) => [
    key,
    (params: unknown, options?: RequestOptions) => connection.request(descriptor, params, options),
  ]);
  // `fromEntries` cannot know that the keys are the table's; the line above gives each key its own descriptor.
  return Object.fromEntries(methods) as ClientOf<Table>;
}

export const createClient = (connection: Pick<CodexConnection, "request">): CodexClient =>
  clientOver(connection, requests);
