import { configOptionsOf, settingsOf, withModel } from "../../session/settings.js";
import type { OpenedThread } from "../open/opened.js";
import type { OpenSession, Services } from "../services.js";
import { sourcesFor } from "./places.js";
import type { Target } from "./target.js";

/** A session is where it was to go: what Codex holds now, and what the host still wants of it (CAT-14). */
export function settle(session: OpenSession, { gateway }: Target, opened: OpenedThread): void {
  const { place, settings } = session;
  const { held } = settings;
  if (gateway === null) place.home = null;
  else if (place.gateway === null) place.home = { providerId: place.providerId, model: held.model };
  place.gateway = gateway;
  place.providerId = opened.modelProvider;
  place.stale = null;
  settings.held = settingsOf(opened, held.collaboration);
  settings.wanted = { ...settings.wanted, model: opened.model };
}

/** It is back: Codex may have forgotten what it held, and the next turn brings that along. */
export function settleBack({ settings }: OpenSession, opened: OpenedThread): void {
  settings.held = settingsOf(opened, settings.held.collaboration);
}

/**
 * Once the new routing stands: the settings that the session's models allow (CONF-06, CONF-07), and their list. `moved`
 * says that it is certain where the session runs, and names no address (ROUTE-15, ROUTE-16).
 */
export function tellOptions(services: Services, session: OpenSession, moved: boolean) {
  const { settings } = session;
  const sources = sourcesFor(services, session, services.codex.knownModels());
  const { model } = settings.wanted;
  const known = sources.own.find((it) => it.model === model);
  if (moved && known) settings.wanted = { ...withModel(settings.wanted, sources.own, known.id), model };
  const configOptions = configOptionsOf(settings.wanted, sources);
  session.outbox.push({
    sessionUpdate: "config_option_update",
    configOptions,
    ...(moved ? { _meta: { codex: { routing: { stale: false } } } } : {}),
  });
  return configOptions;
}

/** Nobody knows where it runs: it takes no prompts until it is opened or moved again (ROUTE-13, ROUTE-14). */
export function tellStale(services: Services, session: OpenSession, maybe: string | null): void {
  session.place.stale = { maybe };
  session.outbox.push({
    sessionUpdate: "config_option_update",
    configOptions: configOptionsOf(
      session.settings.wanted,
      sourcesFor(services, session, services.codex.knownModels()),
    ),
    _meta: { codex: { routing: { stale: true } } },
  });
}
