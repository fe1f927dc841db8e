import type { ConfigHandlers } from "../generated/agent/handlers.js";
import type { ThreadSettings } from "../generated/codex/types.js";
import { errors } from "../generated/contract/errors.js";
import { hostRequests } from "../generated/contract/methods.js";
import { changeOption, configOptionsOf, followed, sameSettings, settingsOfUpdate } from "../session/settings.js";
import { alone } from "./open/opened.js";
import { moveToModel } from "./providers/move.js";
import { sourcesFor } from "./providers/places.js";
import type { OpenSession, Services } from "./services.js";

/** The list as it stands, for results and updates alike (SESS-22). */
export async function optionsOf(services: Services, session: OpenSession) {
  const catalog = await services.codex.models();
  return configOptionsOf(session.settings.wanted, sourcesFor(services, session, catalog));
}

/** Tells the host the list after something beside its own request changed it (UPD-17). */
export async function broadcastOptions(services: Services, session: OpenSession): Promise<void> {
  session.outbox.push({ sessionUpdate: "config_option_update", configOptions: await optionsOf(services, session) });
}

/** Another client, or a turn's own overrides, changed what Codex holds. */
export async function followSettings(services: Services, session: OpenSession, now: ThreadSettings): Promise<void> {
  const { settings } = session;
  if (session.place.moving) return;
  const held = settingsOfUpdate(now);
  const wanted = followed(settings.wanted, settings.held, held);
  const changed = !sameSettings(wanted, settings.wanted);
  settings.held = held;
  settings.wanted = wanted;
  if (changed) await broadcastOptions(services, session);
}

export const configPolicy = (
  services: Services,
  find: (sessionId: string) => OpenSession | undefined,
): ConfigHandlers => ({
  /** Allowed while a turn runs; it holds from the next one. */
  async sessionSetConfigOption(params) {
    const { sessionId, configId } = params;
    if (services.viewing.has(sessionId)) throw errors.readOnlySession();
    return await alone(services, sessionId, hostRequests.sessionSetConfigOption.method, async () => {
      const catalog = await services.codex.models();
      const session = find(sessionId);
      if (!session) throw errors.sessionNotFound({ sessionId });
      const { settings } = session;
      if (configId === "model") {
        const moved = await moveToModel(services, session, catalog, params.value);
        if (moved) return { configOptions: moved };
      }
      const sources = sourcesFor(services, session, catalog);
      const changed = changeOption(settings.wanted, sources, configId, params.value);
      if ("unknownOption" in changed) {
        const known = configOptionsOf(settings.wanted, sources).map((option) => option.configId);
        throw errors.unknownConfigOption({ configId, known: known.join(", ") });
      }
      if ("allowed" in changed) {
        const value = typeof params.value === "string" ? params.value : JSON.stringify(params.value);
        throw errors.invalidConfigValue({ configId, value, allowed: changed.allowed.join(", ") });
      }
      settings.wanted = changed.settings;
      const configOptions = configOptionsOf(changed.settings, sources);
      session.outbox.push({ sessionUpdate: "config_option_update", configOptions });
      return { configOptions };
    });
  },
});
