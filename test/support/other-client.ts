import { installedCodex } from "../../codegen/capture/native-binary.js";
import { startCodexProcess } from "../../src/codex/process-transport.js";
import { type CodexUser, connectUser, handshake } from "./codex-rig.js";
import type { RealBridge } from "./real-bridge.js";

/**
 * A client of Codex that is no bridge, on the same home, with a Codex of its own and of the bridge's version. To be
 * stopped by its connection.
 */
export async function startOtherClient({ home }: Pick<RealBridge, "home">): Promise<CodexUser> {
  const user = connectUser(
    startCodexProcess({ command: home.env["CODEX_PATH"] ?? installedCodex(), args: ["app-server"], env: home.env }),
  );
  await handshake(user);
  return user;
}
