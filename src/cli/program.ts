import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { version } from "../version.js";
import type { ConformanceFlags } from "./conformance.js";
import { type HostName, hostNames } from "./doctor/snippets.js";
import type { SuiteFlags } from "./suite-flags.js";

/** What the command line leads to; each loads its own code when it is called. */
export interface Actions {
  agent(): Promise<number>;
  doctor(options: { host: HostName; json?: boolean }): Promise<number>;
  demo(options: { prompt?: string; frames?: boolean; keep?: boolean }): Promise<number>;
  drift(options: { old: string; now: string; acp?: boolean; format: DriftFormat; all?: boolean }): Promise<number>;
  history(options: { session: string; export?: string; items?: boolean; native?: boolean }): Promise<number>;
  conformance(agent: readonly string[], flags: ConformanceFlags): Promise<number>;
  hostCheck(driver: readonly string[], flags: SuiteFlags): Promise<number>;
}

const driftFormats = ["terminal", "json", "markdown"] as const;
export type DriftFormat = (typeof driftFormats)[number];

const exitCodes = { ok: 0, usage: 2 };

/** Runs one command line (without node and script) and returns the exit code; 2 for wrong use, said on stderr. */
export async function runProgram(args: readonly string[], actions: Actions): Promise<number> {
  let exitCode = exitCodes.ok;
  const program = new Command("codex-acp-kit")
    .description(
      "An ACP agent (version 1 and draft 2) on stdio for editors and desktop apps, backed by `codex app-server`.",
    )
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", environmentHelp)
    .showHelpAfterError()
    .exitOverride()
    .allowExcessArguments()
    .action(async (_options, { args: [unknown] }: Command) => {
      if (unknown !== undefined) program.error(`error: unknown command '${unknown}'`);
      exitCode = await actions.agent();
    });
  program
    .command("doctor")
    .allowExcessArguments(false)
    .description("check the Codex binary, its version, the sign-in and the config, and print a host's settings")
    .addOption(new Option("--host <name>", "whose settings to print").choices(hostNames).default("json"))
    .option("--json", "print the findings as JSON")
    .action(async (options) => {
      exitCode = await actions.doctor(options);
    });
  program
    .command("demo")
    .allowExcessArguments(false)
    .description("one whole turn with the real Codex and a scripted model: no account, no network")
    .option("--prompt <text>", "your own prompt")
    .option("--frames", "print each frame between client and bridge")
    .option("--keep", "leave the working folders in place")
    .action(async (options) => {
      exitCode = await actions.demo(options);
    });
  program
    .command("history <session>")
    .allowExcessArguments(false)
    .description("print a stored session without opening it, or export it as JSON lines")
    .option("--export <file>", "write one line for each turn; the file is there as a whole or not at all")
    .option("--items", "item by item in place of whole turns")
    .option("--native", "keep Codex's own records in the export")
    .action(async (session: string, options) => {
      exitCode = await actions.history({ session, ...options });
    });
  program
    .command("drift <old> <new>")
    .allowExcessArguments(false)
    .description("print what changed between two Codex versions, and what of it breaks this bridge (exit code 1)")
    .option("--acp", "compare the ACP schemas of two versions of @agentclientprotocol/sdk")
    .addOption(new Option("--format <name>", "how to print it").choices(driftFormats).default("terminal"))
    .option("--all", "list what this bridge uses nothing of, too")
    .action(async (old: string, now: string, options) => {
      exitCode = await actions.drift({ old, now, ...options });
    });
  addConformance(program, async (agent, flags) => {
    exitCode = await actions.conformance(agent, flags);
  });
  addHostCheck(program, async (driver, flags) => {
    exitCode = await actions.hostCheck(driver, flags);
  });
  try {
    await program.parseAsync([...args], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
  }
  return exitCode;
}

const count = (text: string): number => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError("expected a whole number above 0");
  return value;
};

function addConformance(
  program: Command,
  run: (agent: readonly string[], flags: ConformanceFlags) => Promise<void>,
): void {
  const command = program
    .command("conformance [agent...]")
    .usage("[options] -- <command> [arguments]")
    .description("hold any agent to the contract: it gets a scripted host and, through CODEX_PATH, a scripted Codex");
  addSuiteOptions(command, "agent")
    .addOption(new Option("--ground <ground...>", "cases on these grounds").choices(["none", "scripted", "real"]))
    .option("--features <file>", 'JSON: {"feature": true or false}, for what an agent has and does not advertise')
    .option("--codex-variable <name>", "variable through which the agent finds Codex (default: CODEX_PATH)")
    .option(
      "--codex-wrapper <program>",
      'what to name there instead; it must run "$SCRIPTED_CODEX_PATH" with its arguments',
    )
    .option(
      "--codex <path>",
      "the codex of the ground real (default: CODEX_PATH, else the one this package depends on)",
    )
    .action(run);
}

function addHostCheck(program: Command, run: (driver: readonly string[], flags: SuiteFlags) => Promise<void>): void {
  const command = program
    .command("host-check [driver...]")
    .usage("[options] -- <command> [arguments]")
    .description("hold a host to what ACP asks of it: a driver with the host's code in it gets a scripted agent");
  addSuiteOptions(command, "driver").action(run);
}

/** The options that every suite has. `subject`: what stands behind `--`. */
const addSuiteOptions = (command: Command, subject: string): Command =>
  command
    .option("--list", "list the cases that are selected, and run none")
    .option("--area <area...>", "cases of these areas, as PROMPT")
    .option("--case <pattern...>", "cases of these names; * stands for anything")
    .addOption(new Option("--level <level...>", "cases of these levels").choices(["MUST", "SHOULD", "MAY"]))
    .option("--known-failing <file>", 'JSON: {"case": "why it fails"}; one that passes fails the run')
    .option("--known-flaky <file>", 'JSON: {"case": "why it comes and goes"}')
    .option("--json <file>", "write the report as JSON")
    .option("--junit <file>", "write the report as JUnit XML")
    .option("--html <file>", "write the report as one HTML page")
    .option("--compare <report...>", "print where two JSON reports differ, and run nothing")
    .option("--timeout <ms>", "longest wait of one step (default: 10000)", count)
    .option("--workers <count>", "cases at once (default: up to 4)", count)
    .option("--verbose", "print the cases that pass as well")
    .addHelpText(
      "after",
      `
Exit codes: 0 as expected, 1 a case failed, 2 wrong use, 3 the ${subject} could not be started, 4 an entry of a list no
longer holds, 5 the suite itself${subject === "driver" ? " or the driver" : ""} is broken.`,
    );

const environmentHelp = `
Without a command: the agent, speaking newline-delimited JSON-RPC on stdin and stdout.

Environment:
  CODEX_PATH          the Codex binary to run instead of the one this package depends on
  CODEX_CONFIG        JSON object, merged into the config of every thread
  MODEL_PROVIDER      the model provider of new threads
  INITIAL_AGENT_MODE  read-only, agent (default) or agent-full-access
  CODEX_API_KEY       API key for the api-key sign-in; OPENAI_API_KEY is read after it
  NO_BROWSER          any value: offer no sign-in that opens a browser
  APP_SERVER_LOGS     folder to write a wire log to, secrets taken out`;
