import {
  agentNotifications,
  agentRequests,
  hostNotifications,
  hostRequests,
} from "../../../src/generated/acp-v1/methods.js";
import type {
  ClientCapabilities,
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionUpdate,
} from "../../../src/generated/acp-v1/types.js";
import { nextTurn, type TurnScript } from "../../../src/testing/scripted-codex/turn.js";
import type { BridgeInProcess } from "../../support/bridge.js";
import { type BridgeOptions, startBridge } from "../../support/bridge-agent.js";
import { schemasV1 } from "../../support/schemas-v1.js";

export type UpdateOf<Kind extends SessionUpdate["sessionUpdate"]> = Extract<SessionUpdate, { sessionUpdate: Kind }>;

export interface Question {
  readonly id: string | number;
  readonly params: RequestPermissionRequest;
  answer(result: RequestPermissionResponse): void;
}

/** A bridge whose host speaks version 1, with an open session. Every frame is held to the captured schema of version 1. */
export interface Rig extends BridgeInProcess {
  readonly sessionId: string;
  prompt(text: string): ReturnType<typeof sendPrompt>;
  /** Prompts, and has the `n`-th turn begin; `answer` is that of the prompt, which comes with the turn's end. */
  begin(n?: number): Promise<{ readonly turn: TurnScript; readonly answer: ReturnType<typeof sendPrompt> }>;
  cancel(): void;
  updates(): SessionUpdate[];
  of<Kind extends SessionUpdate["sessionUpdate"]>(kind: Kind): UpdateOf<Kind>[];
  /** The `n`-th permission the host was asked for. */
  question(n?: number): Promise<Question>;
}

const sendPrompt = ({ host }: BridgeInProcess, sessionId: string, text: string) =>
  host.request(hostRequests.sessionPrompt, { sessionId, prompt: [{ type: "text", text }] });

export interface RigOptions extends BridgeOptions {
  readonly capabilities?: ClientCapabilities;
  /** `_meta` of the opening. */
  readonly meta?: { readonly [namespace: string]: unknown };
}

export const startBridgeV1 = (options: BridgeOptions = {}): BridgeInProcess =>
  startBridge({ ...options, held: schemasV1 });

/** The updates of a session so far. */
export const updatesOf = ({ host }: BridgeInProcess, sessionId: string): SessionUpdate[] =>
  host
    .notifications(agentNotifications.sessionUpdate)
    .flatMap((params) => (params.sessionId === sessionId ? [params.update] : []));

export async function startRig({ capabilities, meta, ...options }: RigOptions = {}): Promise<Rig> {
  const bridge = startBridgeV1(options);
  const { host, codex, clock, waits } = bridge;
  const questions: Question[] = [];
  host.on(
    agentRequests.sessionRequestPermission,
    (params, id) => new Promise((resolve) => questions.push({ id, params, answer: resolve })),
  );
  await host.request(hostRequests.initialize, {
    protocolVersion: 1,
    ...(capabilities === undefined ? {} : { clientCapabilities: capabilities }),
  });
  const { sessionId } = await host.request(hostRequests.sessionNew, {
    cwd: "/home/user/project",
    mcpServers: [],
    ...(meta === undefined ? {} : { _meta: meta }),
  });
  await clock.settle();
  const updates = (): SessionUpdate[] => updatesOf(bridge, sessionId);
  return {
    ...bridge,
    sessionId,
    prompt: (text) => sendPrompt(bridge, sessionId, text),
    async begin(n = 1) {
      const answer = sendPrompt(bridge, sessionId, `prompt ${n}`);
      const turn = await nextTurn(codex, n);
      turn.begin();
      await clock.settle();
      return { turn, answer };
    },
    cancel: () => host.notify(hostNotifications.sessionCancel, { sessionId }),
    updates,
    of: <Kind extends SessionUpdate["sessionUpdate"]>(kind: Kind) =>
      updates().filter((update): update is UpdateOf<Kind> => update.sessionUpdate === kind),
    question: (n = 1) => waits.until(`question ${n}`, () => questions[n - 1]),
  };
}

/** The text of chunks, one after the other. */
export const textOf = (
  updates: readonly { readonly content: { readonly type: string; readonly text?: unknown } }[],
): string => updates.map(({ content }) => (typeof content.text === "string" ? content.text : "")).join("");
