import { nativeProvider } from "../../session/routing/native.js";
import type { Services } from "../services.js";

/** Codex's own routing as its configuration has it now. */
export async function readNative(services: Services) {
  const client = await services.codex.ready();
  const { config } = await client.configRead({});
  const { settings } = services;
  return nativeProvider([config, settings.config], settings.modelProvider);
}
