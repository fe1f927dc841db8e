export {
  type NotificationDescriptor,
  notification,
  type ParamsOf,
  type RequestDescriptor,
  type ResultOf,
  request,
} from "./descriptor.js";
export { ContractError, type NativeErrorOptions } from "./errors.js";
export { faultOf, parser, type SchemaError, type Validate } from "./fault.js";
export {
  type Caller,
  type CallOptions,
  type Handler,
  type HandlerContext,
  isObject,
  type MethodEntry,
  type MethodOptions,
  methodEntry,
  type Notify,
} from "./handler.js";
export { equalJson, ucs2length } from "./json.js";
export { type Lookup, lookup, nothing, optional, type ParserTable } from "./lookup.js";
export { oneShape } from "./one-shape.js";
export type { Parsed, Parser, SchemaFault } from "./parse.js";
export { closingQuote } from "./quotes.js";
export { frameText, keepText, memberText, withDefaults } from "./verbatim.js";
