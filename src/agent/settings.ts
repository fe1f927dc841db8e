import { errors } from "../generated/contract/errors.js";
import type { AgentSettings } from "../policy/services.js";
import { modeIds } from "../policy/thread-config.js";

type Env = Readonly<Record<string, string | undefined>>;

const given = (env: Env, name: string): string | null => {
  const value = env[name];
  return value === undefined || value === "" ? null : value;
};

/**
 * Reads the environment of the agent. An empty value counts as none.
 *
 * @throws {ContractError} `environment_invalid`, naming the variable and what it takes, never its value.
 */
export function settingsFromEnv(env: Env): AgentSettings {
  return {
    config: configFrom(given(env, "CODEX_CONFIG")),
    modelProvider: given(env, "MODEL_PROVIDER"),
    mode: modeFrom(given(env, "INITIAL_AGENT_MODE")),
    apiKey: given(env, "CODEX_API_KEY") ?? given(env, "OPENAI_API_KEY"),
    browser: given(env, "NO_BROWSER") === null,
  };
}

function configFrom(text: string | null): AgentSettings["config"] {
  if (text === null) return {};
  const fault = errors.environmentInvalid({ variable: "CODEX_CONFIG", problem: "is not a JSON object" });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's message quotes the text, which may hold a secret.
    throw fault;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw fault;
  return { ...value };
}

function modeFrom(text: string | null): AgentSettings["mode"] {
  if (text === null) return "agent";
  const mode = modeIds.find((id) => id === text);
  if (mode === undefined) {
    throw errors.environmentInvalid({ variable: "INITIAL_AGENT_MODE", problem: `is none of ${modeIds.join(", ")}` });
  }
  return mode;
}
