import { checkCodex } from "./doctor/codex.js";
import { checkEnvironment } from "./doctor/environment.js";
import { type Finding, ok, printFinding } from "./doctor/findings.js";
import { type AgentCommand, type HostName, snippetFor } from "./doctor/snippets.js";
import { paintFor } from "./paint.js";

export interface DoctorOptions {
  /** The bin that hosts shall run. */
  readonly cliPath: string;
  readonly host: HostName;
  /** Print one JSON object: `{ok, findings, snippet}`. */
  readonly json?: boolean;
}

/** Checks what the agent needs and prints the settings for a host. Returns the exit code: 1 when something fails. */
export async function doctor({ cliPath, host, json }: DoctorOptions): Promise<number> {
  const agent: AgentCommand = { command: process.execPath, args: [cliPath] };
  const findings: Finding[] = [
    ok("Node", process.version),
    ...checkEnvironment(process.env),
    ...(await checkCodex(process.env)),
  ];
  const failed = findings.some(({ level }) => level === "fail");
  const snippet = snippetFor(host, agent);
  const paint = paintFor(process.stdout);
  process.stdout.write(
    json
      ? `${JSON.stringify({ ok: !failed, findings, snippet }, null, 2)}\n`
      : `${findings.map((finding) => printFinding(finding, paint)).join("\n")}\n\n${paint("bold", snippet.place)}\n${snippet.text}\n`,
  );
  return failed ? 1 : 0;
}
