/** Parameters that both methods share. */
interface CommonParams {
  readonly cursor?: string | null;
  readonly limit?: number;
  readonly sortDirection?: "asc" | "desc";
  readonly mode?: "browse" | "export";
  readonly maxBytes?: number;
}

/** Fills in what the host left out (HIST-17, HIST-19, HIST-21, HIST-24). */
export const defaults = ({
  cursor = null,
  limit = 50,
  sortDirection = "asc",
  mode = "browse",
  maxBytes = 1024 * 1024,
}: CommonParams) => ({ cursor, limit, direction: sortDirection, mode, maxBytes });
