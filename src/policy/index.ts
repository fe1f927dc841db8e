import type { PolicyModules } from "../generated/agent/handlers.js";
import { authPolicy } from "./auth.js";
import { configPolicy } from "./config.js";
import { historyPolicy } from "./history/index.js";
import { initializePolicy } from "./initialize.js";
import { listingPolicy } from "./listing/index.js";
import { pluginsPolicy } from "./plugins.js";
import { promptPolicy } from "./prompt.js";
import { providersPolicy } from "./providers.js";
import type { OpenSession, Services } from "./services.js";
import { sessionsPolicy } from "./sessions.js";

/** Makes one policy module for one host connection; `find` gives a session that is open for requests. */
export type Policy<Area extends keyof PolicyModules> = (
  services: Services,
  find: (sessionId: string) => OpenSession | undefined,
) => PolicyModules[Area];

/** A module for each area of the contract. */
export type Policies = { readonly [Area in keyof PolicyModules]: Policy<Area> };

export const defaultPolicies = {
  initialize: initializePolicy,
  auth: authPolicy,
  providers: providersPolicy,
  sessions: sessionsPolicy,
  prompt: promptPolicy,
  config: configPolicy,
  plugins: pluginsPolicy,
  listing: listingPolicy,
  history: historyPolicy,
} satisfies Policies;

/** Makes the modules of one host connection. */
export function assemblePolicies(
  policies: Policies,
  services: Services,
  find: (sessionId: string) => OpenSession | undefined,
): PolicyModules {
  const areas = Object.keys(policies) as (keyof Policies)[];
  // `fromEntries` cannot know that each area has its own module; `Policies` says so.
  return Object.fromEntries(areas.map((area) => [area, policies[area](services, find)])) as unknown as PolicyModules;
}
