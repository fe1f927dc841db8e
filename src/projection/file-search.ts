import type { FuzzyFileSearchResult } from "../generated/codex/types.js";
import { announceTool, patchTool } from "./tool-view.js";
import { content, text, type Update } from "./update.js";

/** A search for files that goes on: all its matches so far, in the order Codex ranks them (TOOL-15, PASS-17). */
export function fileSearchUpdate(
  toolCallId: string,
  query: string,
  files: readonly FuzzyFileSearchResult[],
  first: boolean,
): Update {
  const view = {
    toolCallId,
    name: "fuzzy_file_search",
    title: query === "" ? "Search files" : `Search files for ${query}`,
    status: "in_progress",
    content: files.length === 0 ? [] : [content(text(files.map(({ path }) => path).join("\n")))],
  } as const;
  return first ? announceTool({ ...view, content: [...view.content], rawInput: { query } }) : patchTool(view);
}

export const fileSearchEnded = (toolCallId: string, status: "completed" | "failed"): Update =>
  patchTool({ toolCallId, status });
