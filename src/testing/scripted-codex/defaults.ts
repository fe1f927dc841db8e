import { notifications, requests } from "../../generated/codex/methods.js";
import type { Thread, ThreadStartResponse } from "../../generated/codex/types.js";
import { CodexFailure, type ScriptedCodex } from "./core.js";
import { recorded } from "./recorded.js";
import { turnOf } from "./turn.js";

/** What a thread was opened with, as far as later answers show it. */
interface Opening {
  readonly cwd?: string | null;
  readonly model?: string | null;
  readonly modelProvider?: string | null;
}

/** Requests that the recording answers, whatever the params. */
const asRecorded = [
  requests.accountRead,
  requests.configRequirementsRead,
  requests.modelList,
  requests.collaborationModeList,
  requests.hooksList,
  requests.mcpServerStatusList,
  requests.threadList,
  requests.threadLoadedList,
  requests.threadGoalGet,
  requests.threadNameSet,
  requests.threadArchive,
  requests.threadBackgroundTerminalsList,
  requests.threadUnsubscribe,
] as const;

/**
 * Answers as the real Codex does when nothing special happens: threads open, turns start and then wait for the test.
 * A later `on` or `hold` of the same method goes first.
 */
export function installDefaults(codex: ScriptedCodex): void {
  const threads = new Map<string, Thread>();
  let lastThread = 0;
  let lastTurn = 0;

  const number = (n: number): string => n.toString(16).padStart(12, "0");

  function opened<R extends ThreadStartResponse>(response: R, id: string, opening: Opening): R {
    const known = threads.get(id);
    const cwd = opening.cwd ?? known?.cwd ?? response.cwd;
    const model = opening.model ?? response.model;
    const modelProvider = opening.modelProvider ?? response.modelProvider;
    const thread: Thread = {
      ...response.thread,
      ...known,
      id,
      sessionId: id,
      cwd,
      model,
      modelProvider,
      environments: [{ environmentId: "local", cwd, runtimeWorkspaceRoots: [cwd] }],
      path: `/home/user/.codex/sessions/rollout-${id}.jsonl`,
    };
    threads.set(id, thread);
    return { ...response, thread, cwd, model, modelProvider, runtimeWorkspaceRoots: [cwd] };
  }

  const newThreadId = (): string => {
    lastThread += 1;
    return `0199aaaa-0000-7000-8000-${number(lastThread)}`;
  };

  for (const descriptor of asRecorded) codex.on(descriptor, () => recorded(descriptor));
  codex.on(requests.initialize, () => recorded(requests.initialize));
  codex.on(requests.configRead, (params) => recorded(requests.configRead, params.includeLayers ? "+layers" : ""));
  codex.on(requests.skillsList, (params) => ({
    data: (params.cwds ?? []).map((cwd) => ({ cwd, skills: [], errors: [] })),
  }));
  codex.on(requests.threadStart, (params, { afterAnswer }) => {
    const result = opened(recorded(requests.threadStart), newThreadId(), params);
    afterAnswer(() => codex.notify(notifications.threadStarted, { thread: result.thread }));
    return result;
  });
  codex.on(requests.threadResume, (params) => {
    const response = opened(recorded(requests.threadResume), params.threadId, params);
    return { ...response, turnsBackwardsCursor: null, itemsBackwardsCursor: null };
  });
  codex.on(requests.threadFork, (params, { afterAnswer }) => {
    const forkedFromId = params.threadId;
    const result = opened(recorded(requests.threadFork), newThreadId(), params);
    const thread = { ...result.thread, forkedFromId };
    afterAnswer(() => codex.notify(notifications.threadStarted, { thread }));
    return { ...result, thread };
  });
  codex.on(requests.threadRead, (params) => {
    const thread = threads.get(params.threadId);
    if (thread === undefined) throw new CodexFailure(-32600, `thread not loaded: ${params.threadId}`);
    return { thread };
  });
  codex.on(requests.threadTurnsList, () => ({ data: [], nextCursor: null, backwardsCursor: null }));
  codex.on(requests.threadItemsList, () => ({ data: [], nextCursor: null, backwardsCursor: null }));
  codex.on(requests.turnStart, () => {
    lastTurn += 1;
    return { turn: turnOf(`0199bbbb-0000-7000-8000-${number(lastTurn)}`) };
  });
  codex.on(requests.turnSteer, (params) => ({ turnId: params.expectedTurnId }));
  codex.on(requests.turnInterrupt, () => ({}));
}
