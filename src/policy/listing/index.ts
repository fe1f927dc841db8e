import type { ListingHandlers } from "../../generated/agent/handlers.js";
import type { Services } from "../services.js";
import { listAll } from "./all.js";
import { createThreadReads } from "./entries.js";
import { listPage } from "./page.js";

/** The stored threads: a page at a time, or all that are not archived. No list is kept between calls (LIST-20). */
export function listingPolicy(services: Services): ListingHandlers {
  const reads = createThreadReads(services);
  return {
    sessionList: (params) => listPage(services, reads, params),
    codexSessionList: (params) => {
      // Any member at all asks for a page, null included (LIST-07, LIST-08).
      const asked = Object.values(params).some((value) => value !== undefined);
      return asked ? listPage(services, reads, params) : listAll(services, reads);
    },
  };
}
