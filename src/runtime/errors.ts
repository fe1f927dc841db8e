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
