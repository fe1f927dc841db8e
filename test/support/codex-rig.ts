import { createClient, initialized } from "../../src/codex/client.js";
import { type CodexConnection, createConnection, type NotificationFrame } from "../../src/codex/connection.js";
import type { ServerRequestFrame } from "../../src/codex/server-requests.js";
import type { CodexTransport } from "../../src/codex/transport.js";
import { createFrameLog, type FrameLog } from "../../src/testing/frames.js";
import type { ScriptedCodex } from "../../src/testing/scripted-codex/core.js";
import { scriptedCodex } from "../../src/testing/scripted-codex/index.js";
import { type BridgeWires, createStrictChecker, type StrictChecker } from "../../src/testing/strict.js";
import { createVirtualClock, type VirtualClock, type VirtualClockOptions } from "../../src/testing/virtual-clock.js";
import { createWaits, type Waits } from "../../src/testing/waits.js";
import { schemas } from "./schemas.js";

/** A strictly checked log with waits that fail on the first fault. */
export interface Ground {
  readonly log: FrameLog;
  readonly waits: Waits;
  readonly checker: StrictChecker;
  readonly clock: VirtualClock;
  readonly codex: ScriptedCodex;
}

export interface GroundOptions extends VirtualClockOptions {
  /** Answers of the scripted Codex. Default true. */
  readonly defaults?: boolean;
  /** What every frame is held to. Default: the contract. */
  readonly held?: BridgeWires;
}

export function createGround({ held = schemas, ...options }: GroundOptions = {}): Ground {
  const log = createFrameLog();
  const waits = createWaits(log);
  const checker = createStrictChecker({ log, schemas: held, onFault: (fault) => waits.fail(fault) });
  const onError = (cause: unknown): void => waits.fail(new Error(`a task threw: ${cause}`, { cause }));
  const clock = createVirtualClock({ auto: true, onError, ...options });
  const codex = scriptedCodex({ log, waits, clock, defaults: options.defaults ?? true });
  return { log, waits, checker, clock, codex };
}

/** A client of Codex without a bridge, and what it was told. */
export interface CodexUser {
  readonly connection: CodexConnection;
  readonly client: ReturnType<typeof createClient>;
  readonly told: NotificationFrame[];
  readonly asked: ServerRequestFrame[];
  readonly strays: string[];
}

export function connectUser(transport: CodexTransport): CodexUser {
  const told: NotificationFrame[] = [];
  const asked: ServerRequestFrame[] = [];
  const strays: string[] = [];
  const connection = createConnection(transport, {
    onNotification: (frame) => void told.push(frame),
    onServerRequest: (request) => void asked.push(request),
    onBatchEnd: () => undefined,
    onUnreadable: ({ kind }) => void strays.push(kind),
    onLost: (exit) => void strays.push(`lost ${exit.signal ?? exit.code} ${exit.stderrTail}`.trim()),
    onStray: ({ kind }) => void strays.push(kind),
  });
  return { connection, client: createClient(connection), told, asked, strays };
}

export async function handshake({ connection, client }: CodexUser): Promise<void> {
  await client.initialize({
    clientInfo: { name: "test", title: null, version: "0" },
    capabilities: { experimentalApi: true, requestAttestation: false },
  });
  connection.notify(initialized, undefined);
}
