/**
 * The runtime under the generated code: generated modules import from `src/runtime/index.ts` and from nothing else.
 * A descriptor ties a wire method to its types; no other code passes a method string.
 */

declare const types: unique symbol;

/** A request: what is sent under `method` and what comes back. */
export interface RequestDescriptor<Params, Result> {
  readonly method: string;
  readonly [types]?: { readonly params: Params; readonly result: Result };
}

/** A notification. */
export interface NotificationDescriptor<Params> {
  readonly method: string;
  readonly [types]?: { readonly params: Params };
}

export type ParamsOf<Descriptor> =
  Descriptor extends RequestDescriptor<infer Params, infer _Result>
    ? Params
    : Descriptor extends NotificationDescriptor<infer Params>
      ? Params
      : never;

export type ResultOf<Descriptor> = Descriptor extends RequestDescriptor<infer _Params, infer Result> ? Result : never;

export const request = <Params, Result>(method: string): RequestDescriptor<Params, Result> => ({ method });

export const notification = <Params>(method: string): NotificationDescriptor<Params> => ({ method });
