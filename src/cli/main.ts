#!/usr/bin/env node
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { startCodexAhead } from "../codex/starter.js";

// The bin. What it imports at once is small: without arguments Codex is started first, and the agent's own code loads
// while Codex starts.
const cliPath = fileURLToPath(import.meta.url);

/** What a host has not read would keep this process alive for as long as that host lives. */
const unreadMs = 500;

async function agent(): Promise<number> {
  const starter = startCodexAhead(process.env);
  const { runAgent } = await import("./agent.js");
  const code = await runAgent(starter, process.env);
  setTimeout(() => process.exit(code), unreadMs).unref();
  return code;
}

async function command(args: readonly string[]): Promise<number> {
  // A reader may go before the end, as `head` does. What the command does and the code it ends with still matter.
  process.stdout.on("error", (error) => {
    if (!("code" in error && error.code === "EPIPE")) throw error;
  });
  const { runProgram } = await import("./program.js");
  return runProgram(args, {
    agent,
    doctor: async (options) => (await import("./doctor.js")).doctor({ ...options, cliPath }),
    demo: async (options) => (await import("./demo.js")).demo({ ...options, cliPath }),
    drift: async (options) => (await import("./drift.js")).drift({ ...options, data: dirname(cliPath) }),
    history: async (options) => (await import("./history.js")).history(options),
    conformance: async (agent, flags) => (await import("./conformance.js")).conformance(agent, flags),
    hostCheck: async (driver, flags) => (await import("./host-check.js")).hostCheck(driver, flags),
  });
}

const args = process.argv.slice(2);
try {
  process.exitCode = args.length === 0 ? await agent() : await command(args);
} catch (error) {
  // What no command expects: one line, as a stack trace helps no user.
  process.stderr.write(`codex-acp-kit: ${error instanceof Error ? error.message : String(error)}\n`);
  // A Codex that was started ahead would keep this process alive; it is killed when we exit.
  process.exit(1);
}
