import { notifications, requests } from "../../../src/generated/codex/methods.js";
import type { Turn } from "../../../src/generated/codex/types.js";
import { hostNotifications, hostRequests } from "../../../src/generated/contract/methods.js";
import type { SessionPromptParams } from "../../../src/generated/contract/types.js";
import { nextTurn, type TurnScript, turnScript } from "../../../src/testing/scripted-codex/turn.js";
import type { Bridge, BridgeInProcess } from "../../support/bridge.js";
import { type BridgeOptions, startBridge } from "../../support/bridge-agent.js";
import { isUpdate, type Update, type UpdateOf } from "../../support/host.js";

type Meta = NonNullable<SessionPromptParams["_meta"]>;

/** A bridge with an open session, and the words a test of turns is written in. */
export interface Rig extends BridgeInProcess {
  readonly sessionId: string;
  prompt(text: string, meta?: Meta): ReturnType<typeof sendPrompt>;
  /** Prompts, and has the `n`-th turn begin. */
  begin(n?: number, meta?: Meta): Promise<TurnScript>;
  /** A turn that nobody here asked for. */
  foreign(turnId: string): TurnScript;
  cancel(): void;
  closeSession(): ReturnType<typeof sendClose>;
  updates(): Update[];
  states(): UpdateOf<"state_update">[];
  idles(): UpdateOf<"state_update">[];
  /** Kinds of the updates that Codex's frames of late made: none of them may be of a turn. */
  since(count: number): Update["sessionUpdate"][];
}

const sendPrompt = ({ host }: Bridge, sessionId: string, text: string, meta?: Meta) =>
  host.request(hostRequests.sessionPrompt, {
    sessionId,
    prompt: [{ type: "text", text }],
    ...(meta === undefined ? {} : { _meta: meta }),
  });

const sendClose = ({ host }: Bridge, sessionId: string) => host.request(hostRequests.sessionClose, { sessionId });

export const initializeParams = {
  protocolVersion: 2,
  info: { name: "test", version: "0" },
  capabilities: {},
};

export async function startRig(options: BridgeOptions = {}): Promise<Rig> {
  const bridge = startBridge(options);
  const { host, codex, clock } = bridge;
  await host.request(hostRequests.initialize, initializeParams);
  const { sessionId } = await host.request(hostRequests.sessionNew, { cwd: "/home/user/project", mcpServers: [] });
  await clock.settle();
  const updates = (): Update[] => host.updates(sessionId);
  const states = (): UpdateOf<"state_update">[] => updates().filter(isUpdate("state_update"));
  return {
    ...bridge,
    sessionId,
    prompt: (text, meta) => sendPrompt(bridge, sessionId, text, meta),
    async begin(n = 1, meta) {
      await sendPrompt(bridge, sessionId, `prompt ${n}`, meta);
      const turn = await nextTurn(codex, n);
      turn.begin();
      await clock.settle();
      return turn;
    },
    foreign: (turnId) => turnScript(codex, { threadId: sessionId, turnId }),
    cancel: () => host.notify(hostNotifications.sessionCancel, { sessionId }),
    closeSession: () => sendClose(bridge, sessionId),
    updates,
    states,
    idles: () => states().filter(({ state }) => state === "idle"),
    since: (count) =>
      updates()
        .slice(count)
        .map(({ sessionUpdate }) => sessionUpdate),
  };
}

export const owned = (messageId: string) => ({ alwith: { messageId } });

/** What `thread/read` says of the session from now on. */
export function threadIs(
  { codex }: Bridge,
  type: "idle" | "notLoaded" | "systemError" | "active",
  turns: Turn[] = [],
): void {
  const status = type === "active" ? { type, activeFlags: [] } : { type };
  codex.on(requests.threadRead, async ({ threadId }) => {
    const { result } = await codex.answered(requests.threadStart);
    return { thread: { ...result.thread, id: threadId, status, turns } };
  });
}

/** The updates as `kind` or `kind state`, to compare their order. */
export const kinds = (list: readonly Update[]): string[] =>
  list.map((update) =>
    update.sessionUpdate === "state_update" && "state" in update
      ? `${update.sessionUpdate} ${String(update.state)}`
      : update.sessionUpdate,
  );

/** Has the skills change and keeps back what they are now: a turn waits for that before it is sent. */
export async function stallSkills({ codex }: Bridge) {
  const held = codex.hold(requests.skillsList);
  codex.notify(notifications.skillsChanged, {});
  await held.received();
  return held;
}
