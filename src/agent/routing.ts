import type { RoutingService } from "../policy/services.js";
import { nativeRouting } from "../session/routing/routing.js";

/** The routing of one host connection: Codex's own until the host sets a gateway. */
export function createRoutingService(): RoutingService {
  let last: Promise<unknown> = Promise.resolve();
  return {
    committed: nativeRouting,
    secrets: new Set(),
    inTurn(work) {
      const next = last.then(work, work);
      // Who asked hears of a failure; the next in turn only waits for it.
      last = next.catch(() => undefined);
      return next;
    },
  };
}
