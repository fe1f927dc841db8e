import { setFlagsFromString } from "node:v8";
import { createAgent } from "../agent/create-agent.js";
import { rehearse } from "../agent/rehearsal.js";
import { settingsFromEnv } from "../agent/settings.js";
import type { CodexStarter } from "../codex/starter.js";
import { createReceiptStore, receiptFiles } from "../files/receipts.js";
import { stateFolder } from "../files/state-folder.js";
import { createStdioTransport } from "../host/stdio-transport.js";
import { openWireLog, withWireLog } from "../log/wire-log.js";
import type { AgentSettings } from "../policy/services.js";
import { systemClock } from "../runtime/clock.js";

const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/**
 * How much V8 may copy into one function that it optimises (its own limit is 920), and how long a function may be that it
 * optimises at all (61,440), in bytes of bytecode. An agent does many things, none of them for long: a turn or a replay is
 * over before the best code has paid for its compilation, which was a quarter of all CPU. So it costs half, and the code
 * is as good, but for a twentieth after a million deltas.
 */
const compiling = ["--max-inlined-bytecode-size-cumulative=100", "--max-optimized-bytecode-size=800"];

/** Serves the host at stdin and stdout until it is gone, or until a signal. Returns the exit code. */
export async function runAgent(starter: CodexStarter, env: NodeJS.ProcessEnv): Promise<number> {
  for (const flag of compiling) setFlagsFromString(flag);
  const warn = (line: string): void => void process.stderr.write(`codex-acp-kit: ${line}\n`);
  const folder = env["APP_SERVER_LOGS"];
  const log = folder ? await openWireLog({ folder, clock: systemClock, warn }) : null;
  starter.onStderr((line) => log?.note(`Codex: ${line}`));

  const { settings, fault } = readSettings(env);
  const { closed, close } = createAgent({
    codex() {
      if (fault !== null) throw fault;
      const transport = starter.start();
      return log === null ? transport : withWireLog(transport, log);
    },
    openBrowser,
    receipts: createReceiptStore(receiptFiles, stateFolder(env)),
    warn,
    note: (text) => log?.note(text),
    ...(log === null ? {} : { onFrame: (direction, frame) => log.frame(direction, frame) }),
    ...(settings === null ? {} : { settings }),
  }).connect(createStdioTransport(process.stdin, process.stdout, systemClock));

  // Nobody waits for it; what it says of itself is for the log.
  const note = (text: string): void => log?.note(`Rehearsal: ${text}`);
  rehearse({ note }).catch((error: unknown) => note(String(error)));

  const signalled = new Promise<number>((resolve) => {
    for (const [signal, code] of Object.entries(signals)) {
      process.once(signal, () => {
        // The host may hold our stdin open for as long as it likes.
        process.stdin.destroy();
        void close().then(() => resolve(code));
      });
    }
  });
  const code = await Promise.race([closed.then(() => 0), signalled]);
  await starter.stop();
  await log?.close();
  return code;
}

/** A variable that is wrong fails the first request, where the host can show it, and not the start. */
function readSettings(env: NodeJS.ProcessEnv): { settings: AgentSettings | null; fault: unknown } {
  try {
    return { settings: settingsFromEnv(env), fault: null };
  } catch (fault) {
    return { settings: null, fault };
  }
}

async function openBrowser(url: string): Promise<void> {
  const { default: open } = await import("open");
  await open(url);
}
