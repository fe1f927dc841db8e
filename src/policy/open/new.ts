import type { CodexClient } from "../../codex/client.js";
import { hostRequests } from "../../generated/contract/methods.js";
import type { SessionNewParams, SessionNewResult } from "../../generated/contract/types.js";
import { noTokens } from "../../projection/usage.js";
import type { HandlerContext } from "../../runtime/index.js";
import { placeOf, requireAccount, targetOfNew } from "../providers/target.js";
import type { Services } from "../services.js";
import { dynamicTools } from "../tools/tool-set.js";
import { unlessCancelled } from "./cancellable.js";
import { heldSettings, lineage, openOutbox, optionsAtOpening, skillRootsOf, unnamed } from "./opened.js";
import { checkOpenParams, threadParams } from "./thread-params.js";

export async function newSession(
  services: Services,
  params: SessionNewParams,
  context: HandlerContext,
): Promise<SessionNewResult> {
  checkOpenParams(params);
  const client = await services.codex.ready();
  // Asked at the same time, so that the option list costs no wait of its own.
  const models = services.codex.models();
  models.catch(() => undefined);
  const starting = unnamed(services, hostRequests.sessionNew.method, () => startThread(services, client, params));
  const { response, target, base } = await unlessCancelled(starting, context.signal, (late) => {
    // Nobody knows the thread: it must not stay open behind everyone's back (CACHE-14).
    void services.codex.unsubscribe(late.response.thread.id);
  });
  const { thread } = response;
  const catalog = await models;
  const session = services.createSession(thread.id, {
    cwd: thread.cwd,
    usage: noTokens,
    title: thread.name ?? null,
    settings: heldSettings(response),
    skillRoots: skillRootsOf(params),
    place: placeOf(target, response.modelProvider),
    base,
    toolSetRevision: params._meta?.alwith?.tools?.revision ?? null,
  });
  // The response is the first frame that names the session.
  context.afterResponse(() => openOutbox(services, session));
  return {
    sessionId: thread.id,
    configOptions: optionsAtOpening(services, session, catalog),
    _meta: { codex: lineage(thread) },
  };
}

async function startThread(services: Services, client: CodexClient, params: SessionNewParams) {
  const { settings } = services;
  const target = targetOfNew(services, params._meta?.alwith?.model);
  await requireAccount(services, target);
  const { codex } = params._meta ?? {};
  const tools = params._meta?.alwith?.tools;
  const shared = await threadParams(services, client, params, codex?.mode ?? settings.mode, target);
  const release = await services.skills.holdRoots(skillRootsOf(params));
  const starting = client.threadStart({
    ...shared.params,
    // Codex's records then keep what a deleted file held (ROLL-03, R-12).
    historyMode: "paginated",
    ...(tools === undefined || tools.definitions.length === 0 ? {} : { dynamicTools: dynamicTools(tools) }),
  });
  const response = await starting.finally(release);
  const seed = codex?.seedHistory ?? [];
  if (seed.length > 0) {
    const items = seed.map(({ role, text }) => ({
      type: "message",
      role,
      content: [{ type: role === "user" ? "input_text" : "output_text", text }],
    }));
    try {
      await client.threadInjectItems({ threadId: response.thread.id, items });
    } catch (error) {
      // A conversation without its history is not what was asked for, and the host has no name for it.
      void services.codex.unsubscribe(response.thread.id);
      throw error;
    }
  }
  return { response, target, base: shared.base };
}
