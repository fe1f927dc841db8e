import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** The folder for what the bridge itself keeps between runs: `XDG_STATE_HOME` and its equals by platform. */
export function stateFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): string {
  const set = (name: string): string | null => {
    const value = env[name];
    // The XDG rule: a relative path counts as not set.
    return value !== undefined && isAbsolute(value) ? value : null;
  };
  const home = set("HOME") ?? homedir();
  const xdg = set("XDG_STATE_HOME");
  if (xdg !== null) return join(xdg, "codex-acp-kit");
  if (platform === "win32")
    return join(set("LOCALAPPDATA") ?? join(home, "AppData", "Local"), "codex-acp-kit", "State");
  if (platform === "darwin") return join(home, "Library", "Application Support", "codex-acp-kit");
  return join(home, ".local", "state", "codex-acp-kit");
}
