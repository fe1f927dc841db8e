import { serverRequests } from "../../../src/generated/codex/methods.js";
import type {
  CommandExecutionRequestApprovalParams,
  FileUpdateChange,
  McpServerElicitationRequestParams,
} from "../../../src/generated/codex/types.js";
import { agentRequests, hostNotifications, hostRequests } from "../../../src/generated/contract/methods.js";
import type {
  ElicitationCreateParams,
  ElicitationCreateResult,
  InitializeParams,
  RequestPermissionParams,
  RequestPermissionResult,
  SessionNewParams,
} from "../../../src/generated/contract/types.js";
import { commandExecution, fileChange, mcpToolCall } from "../../../src/testing/scripted-codex/items.js";
import { nextTurn, type TurnScript } from "../../../src/testing/scripted-codex/turn.js";
import type { Bridge } from "../../support/bridge.js";
import { type BridgeOptions, startBridge } from "../../support/bridge-agent.js";
import { isUpdate, type UpdateOf } from "../../support/host.js";

/** A request the host has been asked, whose answer the test gives. */
export interface Dialog<Params, Result> {
  readonly id: string | number;
  readonly params: Params;
  answer(result: Result): void;
  fail(error: Error): void;
}

export type PermissionDialog = Dialog<RequestPermissionParams, RequestPermissionResult>;
export type ElicitationDialog = Dialog<ElicitationCreateParams, ElicitationCreateResult>;

/** A bridge with a running turn, a host that answers when the test says so, and what Codex may ask. */
export interface Rig {
  readonly bridge: Bridge;
  readonly sessionId: string;
  readonly turn: TurnScript;
  /** The `n`-th permission request, counted from 1. */
  permission(n?: number): Promise<PermissionDialog>;
  elicitation(n?: number): Promise<ElicitationDialog>;
  readonly permissions: readonly PermissionDialog[];
  readonly elicitations: readonly ElicitationDialog[];
  /** The states of the session so far, without repetition of what did not change. */
  states(): string[];
  /** Resolves once nothing is on its way. */
  settle(): Promise<void>;
  /** Starts the `n`-th turn; until then the rig's own is the first. */
  prompt(n: number): Promise<TurnScript>;
  /** Ends the first turn as completed and waits for its idle. */
  finish(): Promise<void>;
}

export interface RigOptions extends BridgeOptions {
  readonly capabilities?: NonNullable<InitializeParams["capabilities"]>;
  /** `_meta` of the opening. */
  readonly meta?: SessionNewParams["_meta"];
}

export async function startRig({ capabilities = {}, meta, ...options }: RigOptions = {}): Promise<Rig> {
  const bridge = startBridge(options);
  const { host, waits, clock } = bridge;
  const permissions: PermissionDialog[] = [];
  const elicitations: ElicitationDialog[] = [];
  const keep =
    <Params, Result>(list: Dialog<Params, Result>[]) =>
    (params: Params, id: string | number): Promise<Result> =>
      new Promise((resolve, reject) => list.push({ id, params, answer: resolve, fail: reject }));
  host.on(agentRequests.requestPermission, keep(permissions));
  host.on(agentRequests.elicitationCreate, keep(elicitations));
  const dialog = <Params, Result>(what: string, list: Dialog<Params, Result>[], n: number) =>
    waits.until(`${what} ${n}`, () => list[n - 1]);

  await host.request(hostRequests.initialize, {
    protocolVersion: 2,
    info: { name: "test", version: "0" },
    capabilities,
  });
  const { sessionId } = await host.request(hostRequests.sessionNew, {
    cwd: "/home/user/project",
    mcpServers: [],
    ...(meta == null ? {} : { _meta: meta }),
  });
  async function prompt(n: number): Promise<TurnScript> {
    await host.request(hostRequests.sessionPrompt, { sessionId, prompt: [{ type: "text", text: `prompt ${n}` }] });
    const turn = await nextTurn(bridge.codex, n);
    turn.begin();
    return turn;
  }
  const turn = await prompt(1);
  return {
    bridge,
    sessionId,
    turn,
    permissions,
    elicitations,
    permission: (n = 1) => dialog("permission request", permissions, n),
    elicitation: (n = 1) => dialog("elicitation", elicitations, n),
    states: () => statesOf(host.updates(sessionId).filter(isUpdate("state_update"))),
    settle: () => clock.settle(),
    prompt,
    async finish() {
      turn.complete();
      await host.idle(sessionId);
    },
  };
}

const statesOf = (updates: readonly UpdateOf<"state_update">[]): string[] =>
  updates.map(({ state }) => state).filter((state, index, all) => state !== all[index - 1]);

export const chosen = (optionId: string): RequestPermissionResult => ({ outcome: { outcome: "selected", optionId } });

export const dismissed: RequestPermissionResult = { outcome: { outcome: "cancelled" } };

export const optionIds = ({ params }: PermissionDialog): string[] => params.options.map(({ optionId }) => optionId);

/** Wire name of the notification that takes a request back. */
export const cancelMethod = hostNotifications.cancelRequest.method;

/** Ids of the host requests that the bridge took back. */
export const withdrawn = ({ host }: Bridge): unknown[] =>
  host
    .frames()
    .flatMap(({ method, params }) => (method === cancelMethod ? [Reflect.get(Object(params), "requestId")] : []));

/** Answers of the bridge to a request of Codex: one, or none. */
export const answersTo = ({ log }: Bridge, id: unknown): unknown[] =>
  log.entries.flatMap((entry) => {
    if (!("frame" in entry) || entry.wire !== "codex" || entry.from !== "bridge") return [];
    const frame = Object(entry.frame);
    if (Reflect.get(frame, "id") !== id || "method" in frame) return [];
    return ["result" in frame ? Reflect.get(frame, "result") : Reflect.get(frame, "error")];
  });

let lastItem = 0;
const fresh = (): string => {
  lastItem += 1;
  return `call_${lastItem}`;
};

/** A command waits for approval. */
export function askCommand(
  { bridge, turn }: Pick<Rig, "bridge" | "turn">,
  fields: Partial<CommandExecutionRequestApprovalParams> = {},
) {
  const id = fields.itemId ?? fresh();
  const command = "touch a.txt";
  if (fields.itemId === undefined)
    turn.itemStarted(commandExecution({ id, command, processId: null, source: "agent" }));
  const asked = bridge.codex.ask(serverRequests.itemCommandExecutionRequestApproval, {
    ...ids(turn),
    kind: "command",
    itemId: id,
    startedAtMs: 1_000,
    command,
    cwd: "/home/user/project",
    ...fields,
  });
  return { asked, answer: asked.answer, itemId: id };
}

/** A patch waits for approval. */
export function askPatch(
  { bridge, turn }: Pick<Rig, "bridge" | "turn">,
  changes: FileUpdateChange[],
  reason: string | null = null,
) {
  const id = fresh();
  turn.itemStarted(fileChange({ id, changes }));
  const { answer } = bridge.codex.ask(serverRequests.itemFileChangeRequestApproval, {
    ...ids(turn),
    itemId: id,
    startedAtMs: 1_000,
    reason,
    grantRoot: null,
  });
  return { answer, itemId: id };
}

type Elicitation = McpServerElicitationRequestParams;

export function askMcp(
  { bridge, turn }: Pick<Rig, "bridge" | "turn">,
  fields: Partial<Elicitation> & { mode: Elicitation["mode"] },
) {
  const params = { ...ids(turn), serverName: "tiny", message: "Please say", ...fields } as Elicitation;
  return bridge.codex.ask(serverRequests.mcpServerElicitationRequest, params);
}

/** An MCP tool call that runs. */
export function startMcpCall({ turn }: Pick<Rig, "turn">, tool: string, args: Record<string, unknown> = {}): string {
  const id = fresh();
  turn.itemStarted(mcpToolCall({ id, tool, arguments: args }));
  return id;
}

export const ids = ({ threadId, turnId }: TurnScript) => ({ threadId, turnId });
