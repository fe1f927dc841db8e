import type { Schema } from "../../model/model.js";
import { refName } from "../../model/names.js";
import type { Resolve } from "./standalone.js";

/** Finds what a `$ref` means in the first of the sets of definitions that has it. */
export const resolveIn =
  (...namespaces: readonly ReadonlyMap<string, Schema>[]): Resolve =>
  (ref) => {
    const name = refName({ $ref: ref });
    for (const namespace of namespaces) {
      const schema = name === null ? undefined : namespace.get(name);
      if (schema !== undefined) return schema;
    }
    throw new Error(`no definition for ${ref}`);
  };
