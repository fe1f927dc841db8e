import type { HistoryHandlers } from "../../generated/agent/handlers.js";
import type { Services } from "../services.js";
import { itemPage } from "./items.js";
import { turnPage } from "./turns.js";

/** Stored threads read without opening them: no session, no writer, no subscription, no update (HIST-01 to HIST-06). */
export const historyPolicy = (services: Services): HistoryHandlers => ({
  codexSessionHistory: (params, context) => turnPage(services, params, context),
  codexSessionHistoryItems: (params, context) => itemPage(services, params, context),
});
