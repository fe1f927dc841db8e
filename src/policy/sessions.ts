import type { CodexClient } from "../codex/client.js";
import type { SessionsHandlers } from "../generated/agent/handlers.js";
import type { ThreadStartResponse } from "../generated/codex/types.js";
import { errors } from "../generated/contract/errors.js";
import type { SessionNewParams, SessionNewResult } from "../generated/contract/types.js";
import { noTokens } from "../projection/usage.js";
import { configOptionsOf, settingsOf } from "../session/settings.js";
import { closeSession } from "./close.js";
import type { Services, SettingsHolder } from "./services.js";
import { directoriesConfig, mcpConfig, mergeConfig, modePolicy, requireAbsolute } from "./thread-config.js";

export const sessionsPolicy = (services: Services): SessionsHandlers => ({
  async sessionNew(params, context) {
    // Everything is checked before anything happens (SESS-25).
    requireAbsolute(params.cwd, "/cwd");
    const directories = params.additionalDirectories ?? [];
    for (const [index, path] of directories.entries()) requireAbsolute(path, `/additionalDirectories/${index}`);
    const { alwith } = params._meta ?? {};
    if (alwith?.tools !== undefined) throw errors.notImplemented({ method: "_meta.alwith.tools" });
    mcpConfig(params.mcpServers ?? [], new Set());

    const client = await services.codex.ready();
    if (!(await services.codex.signedIn())) throw errors.authRequired();
    // Asked at the same time, so that the option list costs no wait of its own.
    const models = services.codex.models();
    models.catch(() => undefined);
    const started = startThread(services, client, params);
    const response = await unlessCancelled(started, context.signal, (late) => {
      // Nobody knows the thread: it must not stay open behind everyone's back (CACHE-14).
      void client.threadUnsubscribe({ threadId: late.thread.id }).catch(() => undefined);
    });
    const { thread } = response;
    const session = services.createSession(thread.id, {
      cwd: thread.cwd,
      usage: noTokens,
      title: thread.name ?? null,
      settings: heldSettings(response),
    });
    context.afterResponse(() => session.outbox.open());
    const configOptions = configOptionsOf(session.settings.wanted, await models);
    const result: SessionNewResult = { sessionId: thread.id, configOptions, _meta: { codex: lineage(response) } };
    return result;
  },
  sessionClose: ({ sessionId }) => closeSession(services, sessionId),
});

/** What Codex holds is what the host starts from. */
export function heldSettings(thread: ThreadStartResponse): SettingsHolder {
  const settings = settingsOf(thread);
  return { wanted: settings, held: settings, workspace: thread.sandbox };
}

/** `Thread.sessionId` and `Thread.forkedFromId` (BRANCH-08, BRANCH-09). */
const lineage = ({ thread }: ThreadStartResponse) => ({
  nativeSessionId: thread.sessionId,
  forkedFromId: thread.forkedFromId ?? null,
});

async function startThread(
  services: Services,
  client: CodexClient,
  params: SessionNewParams,
): Promise<ThreadStartResponse> {
  const { settings } = services;
  const { codex, alwith } = params._meta ?? {};
  const servers = params.mcpServers ?? [];
  const taken = servers.length === 0 ? new Set<string>() : await configuredServers(client, params.cwd);
  const config = mergeConfig(
    settings.config,
    directoriesConfig(params.additionalDirectories ?? []),
    mcpConfig(servers, taken),
  );
  const response = await client.threadStart({
    cwd: params.cwd,
    ...modePolicy(codex?.mode ?? settings.mode),
    // Codex's records then keep what a deleted file held (ROLL-03, R-12).
    historyMode: "paginated",
    ...(Object.keys(config).length === 0 ? {} : { config }),
    ...(settings.modelProvider === null ? {} : { modelProvider: settings.modelProvider }),
    ...(alwith?.model === undefined ? {} : { model: alwith.model }),
    ...(alwith?.appendSystemPrompt === undefined ? {} : { developerInstructions: alwith.appendSystemPrompt }),
  });
  const seed = codex?.seedHistory ?? [];
  if (seed.length > 0) {
    const items = seed.map(({ role, text }) => ({
      type: "message",
      role,
      content: [{ type: role === "user" ? "input_text" : "output_text", text }],
    }));
    await client.threadInjectItems({ threadId: response.thread.id, items });
  }
  return response;
}

/** Names of the MCP servers in the user's own config, as it holds for that folder (SESS-05). */
async function configuredServers(client: CodexClient, cwd: string): Promise<ReadonlySet<string>> {
  const { config } = await client.configRead({ cwd });
  const servers: unknown = config["mcp_servers"];
  return new Set(typeof servers === "object" && servers !== null ? Object.keys(servers) : []);
}

/** Settles with `work`, or at once with the signal's reason; then `late` gets what comes in the end. */
function unlessCancelled<T>(work: Promise<T>, signal: AbortSignal, late: (value: T) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    let cancelled = false;
    const cancel = (): void => {
      cancelled = true;
      reject(signal.reason);
    };
    if (signal.aborted) cancel();
    else signal.addEventListener("abort", cancel, { once: true });
    work.then(
      (value) => {
        signal.removeEventListener("abort", cancel);
        if (cancelled) late(value);
        else resolve(value);
      },
      (error: unknown) => {
        signal.removeEventListener("abort", cancel);
        reject(error);
      },
    );
  });
}
