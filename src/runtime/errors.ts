/** An error a host sees. Made only by the generated constructors of `src/generated/contract/errors.ts`. */
export class ContractError extends Error {
  override readonly name = "ContractError";

  constructor(
    /** Name in `schemas/contract/errors.json`. */
    readonly kind: string,
    readonly code: number,
    message: string,
    readonly data?: unknown,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
