import { hostRequests } from "../../../src/generated/contract/methods.js";
import type { InitializeResult } from "../../../src/generated/contract/types.js";
import type { Bridge } from "../../support/bridge.js";

/** A right `initialize`, with `capabilities` of the host. */
export const initialize = ({ host }: Bridge, capabilities: object = {}): Promise<InitializeResult> =>
  host.request(hostRequests.initialize, {
    protocolVersion: 2,
    info: { name: "test", version: "0" },
    capabilities,
  });
