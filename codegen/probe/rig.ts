import { createClient, initialized } from "../../src/codex/client.js";
import { createConnection, type NotificationFrame } from "../../src/codex/connection.js";
import { CodexRequestError } from "../../src/codex/errors.js";
import { startCodexProcess } from "../../src/codex/process-transport.js";
import type { ServerRequestFrame } from "../../src/codex/server-requests.js";
import type { ThreadStartParams, TurnStartParams } from "../../src/generated/codex/types.js";
import { createFrameLog } from "../../src/testing/frames.js";
import { loggedTransport } from "../../src/testing/logged-transport.js";
import { makeCodexHome } from "../../src/testing/real-codex.js";
import { type ScriptedModel, startScriptedModel } from "../../src/testing/scripted-model/server.js";
import { createWaits } from "../../src/testing/waits.js";
import { isObject, type JsonObject } from "../json.js";
import type { Probe } from "./probe.js";

/** One Codex process and what it said. */
export interface ProbedCodex {
  readonly client: ReturnType<typeof createClient>;
  /** A request that no schema of ours has. */
  request(method: string, params: unknown): Promise<unknown>;
  readonly told: readonly NotificationFrame[];
  readonly asked: readonly ServerRequestFrame[];
  respond(request: ServerRequestFrame, result: unknown): void;
  /** The params of the first notification of that method that fits. */
  until(method: string, fits?: (params: JsonObject) => boolean): Promise<JsonObject>;
  /** The first request of Codex's of that method. */
  untilAsked(method: string): Promise<ServerRequestFrame>;
  stop(): Promise<unknown>;
}

/** What a probe works with. Folders, models and processes are its own, and gone when it is done. */
export interface ProbeRig {
  /** The running Codex; another one after `restart`. */
  readonly codex: ProbedCodex;
  /** The models behind the providers `scripted`, which is the default, and `other`. */
  readonly model: ScriptedModel;
  readonly other: ScriptedModel;
  readonly workspace: string;
  readonly codexHome: string;
  /** Ends Codex and starts it again over the same folders. */
  restart(): Promise<void>;
  /** A second Codex beside the first, over the same folders. */
  second(): Promise<ProbedCodex>;
  /** Starts a thread that asks for nothing; its id. */
  thread(params?: Partial<ThreadStartParams>): Promise<string>;
  /** Starts a turn and waits for its end: the turn's id and status. */
  turn(threadId: string, text: string, params?: Partial<TurnStartParams>): Promise<{ id: string; status: string }>;
  /** `works`, or `refused: …` with Codex's words. */
  outcome(work: Promise<unknown>): Promise<string>;
  /** A text without ids, paths and ports. */
  plain(text: string): string;
}

const deadlineMs = 30_000;

export const textInput = (text: string) => [{ type: "text" as const, text, text_elements: [] }];

/** Asks one probe of the Codex at `path`. `under`: where the folders are made; not the system's temporary folder. */
export async function askProbe(probe: Probe, path: string, under: string): Promise<string> {
  const ends: (() => Promise<unknown>)[] = [];
  try {
    return await probe.ask(await makeRig(probe, path, under, ends));
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

async function makeRig(probe: Probe, path: string, under: string, ends: (() => Promise<unknown>)[]): Promise<ProbeRig> {
  const scripts = probe.scripts ?? [];
  const [model, other] = [await startScriptedModel({ scripts }), await startScriptedModel({ scripts })];
  ends.push(
    () => model.close(),
    () => other.close(),
  );
  const home = await makeCodexHome({
    under,
    modelUrl: model.url,
    git: probe.git ?? false,
    provider: probe.provider ?? [],
    files: { "old.txt": "old\n" },
    tables: [
      "[model_providers.other]",
      'name = "other"',
      `base_url = ${JSON.stringify(other.url)}`,
      'wire_api = "responses"',
      ...(probe.tables ?? []),
    ],
  });
  ends.push(() => home.remove());
  const start = async (): Promise<ProbedCodex> => {
    const codex = await startProbed(path, home.env);
    ends.push(() => codex.stop());
    return codex;
  };
  const plain = plainOver({ "<home>": home.codexHome, "<workspace>": home.workspace });
  let codex = await start();
  return {
    get codex() {
      return codex;
    },
    model,
    other,
    workspace: home.workspace,
    codexHome: home.codexHome,
    async restart() {
      await codex.stop();
      codex = await start();
    },
    second: start,
    async thread(params = {}) {
      const quiet = { cwd: home.workspace, approvalPolicy: "never", sandbox: "danger-full-access" } as const;
      return (await codex.client.threadStart({ ...quiet, ...params })).thread.id;
    },
    async turn(threadId, text, params = {}) {
      const { turn } = await codex.client.turnStart({ threadId, input: textInput(text), ...params });
      const done = await codex.until("turn/completed", (it) => isObject(it["turn"]) && it["turn"]["id"] === turn.id);
      return { id: turn.id, status: isObject(done["turn"]) ? String(done["turn"]["status"]) : "gone" };
    },
    async outcome(work) {
      try {
        await work;
        return "works";
      } catch (error) {
        if (!(error instanceof CodexRequestError)) throw error;
        const type = isObject(error.data) && typeof error.data["type"] === "string" ? ` [${error.data["type"]}]` : "";
        return `refused: ${plain(error.message)}${type}`;
      }
    },
    plain,
  };
}

/** Takes out of a text what differs from run to run. */
const plainOver =
  (places: { readonly [name: string]: string }) =>
  (text: string): string => {
    const named = Object.entries(places).reduce((it, [name, path]) => it.replaceAll(path, name), text);
    return named
      .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "<id>")
      .replaceAll(/127\.0\.0\.1:\d+/g, "<host>")
      .replaceAll(/\s+/g, " ")
      .trim();
  };

async function startProbed(path: string, env: Readonly<Record<string, string>>): Promise<ProbedCodex> {
  const log = createFrameLog();
  const waits = createWaits(log, deadlineMs);
  const told: NotificationFrame[] = [];
  const asked: ServerRequestFrame[] = [];
  const transport = startCodexProcess({ command: path, args: ["app-server"], env });
  const connection = createConnection(loggedTransport(transport, log), {
    onNotification: (frame) => void told.push(frame),
    onServerRequest: (request) => void asked.push(request),
    onBatchEnd: () => undefined,
    // What is no frame, and what nobody waits for, tells a probe nothing.
    onUnreadable: () => undefined,
    onLost: () => undefined,
    onStray: () => undefined,
  });
  const client = createClient(connection);
  await client.initialize({
    clientInfo: { name: "codex-acp-kit", title: "Codex ACP Kit", version: "0" },
    capabilities: { experimentalApi: true },
  });
  connection.notify(initialized, undefined);
  return {
    client,
    request: (method, params) => connection.request({ method }, params),
    told,
    asked,
    respond: (request, result) => void connection.respond(request.id, result),
    until: (method, fits = () => true) =>
      waits.until(method, () => {
        const params = told.filter((it) => it.method === method).map((it) => it.params);
        return params.filter(isObject).find(fits);
      }),
    untilAsked: (method) => waits.until(method, () => asked.find((it) => it.method === method)),
    stop: () => connection.stop(),
  };
}
