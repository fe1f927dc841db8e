import type { Schema } from "../../model/model.js";
import { refName } from "../../model/names.js";
import type { Resolve } from "./standalone.js";

/** Finds what a `$ref` means among `definitions`. */
export const resolveIn =
  (definitions: ReadonlyMap<string, Schema>): Resolve =>
  (ref) => {
    const schema = definitions.get(refName({ $ref: ref }) ?? "");
    if (schema === undefined) throw new Error(`no definition for ${ref}`);
    return schema;
  };
