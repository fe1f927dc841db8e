import type { Peer } from "../acp-v1/index.js";
import { hostRequests } from "../generated/contract/methods.js";
import { isObject } from "../runtime/index.js";

export interface VersionsOptions {
  /** Hands a message on as draft v2 has it. */
  toAgent(message: unknown): void;
  /** Writes a frame as it is. */
  toHost(frame: object): void;
  /** From now on what the agent says goes through `peer`; null: as it is. */
  use(peer: Peer | null): void;
  soon(task: () => void): void;
  newId(): string;
  /** The code for version 1 could not be loaded. */
  failed(error: unknown): void;
}

/** Which version of ACP a host speaks. */
export interface Versions {
  /** A message of the host. */
  receive(message: unknown): void;
  /** A request was answered: an `initialize` that succeeded settles the version, one that failed leaves it open. */
  answered(id: unknown, succeeded: boolean): void;
  /** The host is gone. */
  close(): void;
}

/** The version that an `initialize` asks for; null for any other message, and for a version that is none. */
function askedVersion(message: unknown): number | null {
  if (!isObject(message) || message["method"] !== hostRequests.initialize.method || !("id" in message)) return null;
  const { params } = message;
  const version = isObject(params) ? params["protocolVersion"] : undefined;
  return Number.isInteger(version) ? Number(version) : null;
}

/**
 * Chooses the version by `initialize`, as the SDK's router does: the highest that is served and not above what the host
 * asked for. Draft v2 is what this agent speaks, and nothing stands in its way. Version 1 is a translation of it, whose
 * code is loaded when a host asks for it; what the host says meanwhile waits.
 */
export function createVersions(options: VersionsOptions): Versions {
  let peer: Peer | null = null;
  let waiting: unknown[] | null = null;
  let greeting: unknown = null;
  let settled = false;
  let closed = false;

  function choose(message: unknown): void {
    const version = askedVersion(message);
    if (version === null) return;
    greeting = isObject(message) ? message["id"] : null;
    if (version !== 1) {
      peer = null;
      options.use(null);
    } else if (peer === null) {
      waiting = [];
      load().catch(options.failed);
    }
  }

  async function load(): Promise<void> {
    const { createPeer } = await import("../acp-v1/index.js");
    const loaded = createPeer({
      toAgent: options.toAgent,
      soon: options.soon,
      newId: options.newId,
      toHost(frame) {
        if (!settled && "error" in frame && "id" in frame) answered(frame.id, false);
        options.toHost(frame);
      },
    });
    peer = loaded;
    options.use(loaded);
    const queue = waiting ?? [];
    waiting = null;
    if (!closed) for (const message of queue) receive(message);
  }

  function answered(id: unknown, succeeded: boolean): void {
    if (greeting === null || id !== greeting) return;
    greeting = null;
    settled ||= succeeded;
  }

  function receive(message: unknown): void {
    if (!settled && greeting === null) choose(message);
    if (waiting) waiting.push(message);
    else if (peer) peer.fromHost(message);
    else options.toAgent(message);
  }

  return {
    receive,
    answered,
    close() {
      closed = true;
    },
  };
}
