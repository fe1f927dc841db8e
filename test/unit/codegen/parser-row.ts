import type { Schema } from "../../../codegen/model/model.js";

/** A schema, values it takes, and values it refuses with the pointer of the fault and what was expected there. */
export interface Row {
  readonly given: string;
  readonly schema: Schema;
  readonly valid: readonly unknown[];
  /** Values with a member that counts as absent, and what is left of them. */
  readonly absent?: readonly (readonly [value: unknown, left: unknown])[];
  readonly faults: readonly (readonly [value: unknown, at: string, expected: string])[];
}

/** JSON as it comes off a wire: `__proto__` is a member, and numbers are as large as they like. */
export const own = (json: string): unknown => JSON.parse(json);
