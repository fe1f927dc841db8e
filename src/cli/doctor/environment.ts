import { type Finding, fail, ok } from "./findings.js";

const modes = ["read-only", "agent", "agent-full-access"];

/** Checks of the environment variables that have a form; those that are not set have no finding. */
export function checkEnvironment(env: Readonly<Record<string, string | undefined>>): Finding[] {
  return [checkConfig(env["CODEX_CONFIG"]), checkMode(env["INITIAL_AGENT_MODE"])].filter((it) => it !== undefined);
}

function checkConfig(value: string | undefined): Finding | undefined {
  if (!value) return undefined;
  const advice = 'set it to a JSON object, such as {"model_reasoning_effort":"high"}, or unset it';
  let config: unknown;
  try {
    config = JSON.parse(value);
  } catch (error) {
    return fail("CODEX_CONFIG", `is not JSON: ${error instanceof Error ? error.message : String(error)}`, advice);
  }
  return typeof config === "object" && config !== null && !Array.isArray(config)
    ? ok("CODEX_CONFIG", `sets ${Object.keys(config).join(", ") || "nothing"}`)
    : fail("CODEX_CONFIG", "is JSON, but no object", advice);
}

function checkMode(value: string | undefined): Finding | undefined {
  if (!value) return undefined;
  return modes.includes(value)
    ? ok("agent mode", value)
    : fail("agent mode", `INITIAL_AGENT_MODE is ${JSON.stringify(value)}`, `set it to one of ${modes.join(", ")}`);
}
