/** Where and how a value is off its schema. */
export interface SchemaFault {
  /** JSON pointer from the params' root; `""` is the root itself. */
  readonly path: string;
  /** What was expected there, in words: `a string`, `one of "asc", "desc"`, `no other member than …`. */
  readonly expected: string;
}

export type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly fault: SchemaFault };

/** A generated params parser: never throws, whatever the value, which is the caller's to give away. */
export type Parser<T> = (value: unknown) => Parsed<T>;
