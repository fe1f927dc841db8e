import type { Instructions } from "../../../src/host-check/driver-format.js";

/** What a driver does for each instruction. */
export type Handlers = {
  readonly [Method in keyof Instructions]: (
    params: Instructions[Method]["params"],
  ) => Instructions[Method]["result"] | Promise<Instructions[Method]["result"]>;
};
