import type { Parser } from "./parse.js";

/** A parser for each wire method of `Types`. */
export type ParserTable<Types> = { readonly [Method in keyof Types]: Parser<Types[Method]> };

/** Parsers by wire method; `undefined` for a method that the table does not have. */
export interface Lookup<Types> {
  <Method extends keyof Types>(method: Method): Parser<Types[Method]>;
  (method: string): Parser<unknown> | undefined;
}

export const lookup = <Types>(table: ParserTable<Types>): Lookup<Types> => {
  const has = (method: PropertyKey): method is keyof Types => Object.hasOwn(table, method);
  function find<Method extends keyof Types>(method: Method): Parser<Types[Method]>;
  function find(method: string): Parser<unknown> | undefined;
  function find(method: string): Parser<unknown> | undefined {
    return has(method) ? table[method] : undefined;
  }
  return find;
};

/** The parser of a method that takes nothing. */
export const nothing: Parser<null | undefined> = (value) =>
  value === null || value === undefined ? { ok: true, value } : { ok: false, fault: { path: "", expected: "nothing" } };

/** `parse`, for params that may be null or left out. */
export const optional =
  <T>(parse: Parser<T>): Parser<T | null | undefined> =>
  (value) =>
    value === null || value === undefined ? { ok: true, value } : parse(value);
