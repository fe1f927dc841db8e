import { type AnyMessage, type ClientApp, client } from "@agentclientprotocol/sdk";
import type { FrameLog } from "../../src/testing/frames.js";
import type { HostWire } from "./host.js";

/** The SDK's own client of version 1 at a wire. All that passes is in the log. */
export function connectSdkClient(wire: HostWire, log: FrameLog, set: (app: ClientApp) => ClientApp) {
  const readable = new ReadableStream<AnyMessage>({
    start(controller) {
      wire.onLine((line) => {
        const message: AnyMessage = JSON.parse(line);
        log.add("host", "bridge", message);
        controller.enqueue(message);
      });
    },
  });
  const writable = new WritableStream<AnyMessage>({
    write(message) {
      log.add("host", "host", message);
      wire.write(`${JSON.stringify(message)}\n`);
    },
  });
  return set(client({ name: "test" })).connect({ readable, writable });
}
