/** An error a host sees. Made only by the generated constructors of `src/generated/contract/errors.ts`. */
export class ContractError extends Error {
  override readonly name = "ContractError";
  /** Name in `schemas/contract/errors.json`. */
  readonly kind: string;
  readonly code: number;
  readonly data: unknown;

  constructor(kind: string, code: number, message: string, data?: unknown, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
    this.code = code;
    this.data = data;
  }
}

/** For the errors that carry a code of Codex's own. */
export interface NativeErrorOptions extends ErrorOptions {
  /** Codex's code, in place of the table's. */
  readonly code?: number | undefined;
}
