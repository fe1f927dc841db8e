import { mkdtemp } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { makeCodexHome } from "../../testing/real-codex.js";
import { oldNotes } from "./script.js";

/** The folders of one demo run. */
export interface DemoWorkspace {
  /** The session's working folder, with a file that the patch deletes. */
  readonly cwd: string;
  /** What leads Codex to the throw-away home and config. */
  readonly env: Readonly<Record<string, string>>;
  /** Recorded frames; stays after the run. */
  readonly frames: string;
  /** Removes all but the frames. */
  remove(): Promise<void>;
}

/** Makes the folders, under the user's cache folder: Codex refuses some features to a home in the temporary folder. */
export async function createWorkspace(modelUrl: string): Promise<DemoWorkspace> {
  const cache = process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache");
  const { env, workspace, remove } = await makeCodexHome({
    under: join(cache, "codex-acp-kit", "demo"),
    modelUrl,
    files: { [oldNotes.path]: oldNotes.text },
  });
  return { cwd: workspace, env, frames: await mkdtemp(join(tmpdir(), "codex-acp-kit-demo-")), remove };
}
