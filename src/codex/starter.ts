import { startCodexProcess } from "./process-transport.js";
import { type CodexLaunch, resolveCodex, systemHost } from "./resolve.js";
import type { CodexTransport } from "./transport.js";

/** Starts Codex processes for an agent, the first one ahead of its time. */
export interface CodexStarter {
  /**
   * A Codex: the one started already, then a new one each time.
   *
   * @throws {CodexNotFoundError}
   */
  start(): CodexTransport;
  /** Where lines of Codex's stderr go; those that came before are handed over at once. */
  onStderr(receiver: (line: string) => void): void;
  /** Ends the Codex started ahead, if `start` has not handed it out. */
  stop(): Promise<void>;
}

/**
 * Starts a Codex at once, so that it gets ready while the rest of the program loads. Does not throw: what fails is tried
 * again by `start`, whose caller has somewhere to say why.
 */
export function startCodexAhead(env: Readonly<Record<string, string | undefined>> = process.env): CodexStarter {
  const waiting: string[] = [];
  let receive = (line: string): void => void waiting.push(line);
  const resolve = (): CodexLaunch => resolveCodex(systemHost(env));
  const open = ({ command, args }: CodexLaunch): CodexTransport =>
    startCodexProcess({ command, args: [...args, "app-server"], env: { ...env }, onStderr: (line) => receive(line) });

  let ahead: CodexTransport | null = null;
  try {
    ahead = open(resolve());
  } catch {
    // `start` tries again and throws.
  }
  return {
    start() {
      const started = ahead ?? open(resolve());
      ahead = null;
      return started;
    },
    onStderr(receiver) {
      receive = receiver;
      for (const line of waiting.splice(0)) receiver(line);
    },
    async stop() {
      await ahead?.stop();
      ahead = null;
    },
  };
}
