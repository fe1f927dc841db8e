import type { PluginsHandlers } from "../generated/agent/handlers.js";
import { errors } from "../generated/contract/errors.js";
import { agentNotifications } from "../generated/contract/methods.js";
import { setRemotePlugin } from "./remote-plugin.js";
import type { Services } from "./services.js";

/** Turns plugins on and off: local ones in Codex's config, remote ones at the plugin service (PLUG-06, PLUG-11). */
export const pluginsPolicy = (services: Services): PluginsHandlers => ({
  async codexPluginSetEnabled({ pluginId, enabled, remotePluginId }, { signal }) {
    const client = await services.codex.ready();
    const changed = (): void => services.host.notify(agentNotifications.codexSkillsChanged, {});
    if (remotePluginId !== undefined) {
      await setRemotePlugin(services, client, { remotePluginId, enabled, signal });
      changed();
      return { enabled };
    }
    const { status } = await client.configValueWrite({
      keyPath: `plugins.${JSON.stringify(pluginId)}.enabled`,
      value: enabled,
      mergeStrategy: "upsert",
    });
    // The write is saved, whether or not something above it decides (PLUG-10, A-46).
    changed();
    if (status === "okOverridden") throw errors.pluginOverridden();
    return { enabled };
  },
});
