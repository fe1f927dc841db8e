/** The members of an open union whose tag is a literal: what this version knows, without "any other string". */
export type Known<Union, Tag extends string> = Union extends { readonly [Key in Tag]: infer Name }
  ? string extends Name
    ? never
    : Union
  : never;

/** Narrows a member of an open union by its `type`. */
export const isType =
  <Name extends string>(name: Name) =>
  <Union extends { readonly type: string }>(
    value: Union,
  ): value is Union & Extract<Known<Union, "type">, { readonly type: Name }> =>
    value.type === name;

/** `_meta` as a member to spread: absent where there is none. Not for what comes many times a second: a spread is dear. */
export const metaOf = ({ _meta }: { readonly _meta?: object | null }): { _meta?: { [key: string]: unknown } } =>
  _meta == null ? {} : { _meta: { ..._meta } };
