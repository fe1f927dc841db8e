export { anyJson, hostileJson, hostileNames } from "./any-json.js";
export { type ArbitraryOptions, arbitraryFrom, arbitraryOf, variantOf } from "./arbitrary.js";
export { satisfies } from "./check.js";
export { type Mutation, mutationsOf } from "./mutations.js";
export type { Definitions, JsonSchema, SchemaDocument } from "./schema.js";
