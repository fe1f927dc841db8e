import { missingRequests, type ReadyCodex } from "../../codex/handshake.js";
import { type CodexLaunch, resolveCodex, systemHost } from "../../codex/resolve.js";
import { startCodex } from "../../codex/start.js";
import { compareVersions } from "../../codex/version.js";
import { optOutNotificationMethods, requiredRequests } from "../../generated/codex/dispatch.js";
import { notifications } from "../../generated/codex/methods.js";
import type { Account, ConfigWarningNotification } from "../../generated/codex/types.js";
import { capturedCodex } from "../../generated/codex/version.js";
import { type Finding, fail, ok, warn } from "./findings.js";

const install = `npm install -g @openai/codex@${capturedCodex}, or point CODEX_PATH to another codex`;

/** Starts the Codex that the agent would start and asks it. Ends it before returning; never rejects for what it finds. */
export async function checkCodex(env: Readonly<Record<string, string | undefined>>): Promise<Finding[]> {
  let launch: CodexLaunch;
  try {
    launch = resolveCodex(systemHost(env));
  } catch (error) {
    return [fail("Codex binary", messageOf(error), install)];
  }
  const binary = ok("Codex binary", `${[launch.command, ...launch.args].join(" ")} (${launch.origin})`);
  const warnings: ConfigWarningNotification[] = [];
  let codex: ReadyCodex;
  try {
    codex = await startCodex({
      launch,
      env,
      optOutNotificationMethods,
      requiredRequests,
      onNotification({ method, params }) {
        // Codex's own frame, of the type that its schema gives this method.
        if (method === notifications.configWarning.method) warnings.push(params as ConfigWarningNotification);
      },
    });
  } catch (error) {
    return [binary, fail("Codex start", messageOf(error), install)];
  }
  try {
    const answers = [await checkMethods(codex), await checkAccount(codex), await checkConfig(codex)];
    return [binary, checkVersion(codex), ...answers, ...warnings.map(configWarning)];
  } finally {
    await codex.connection.stop();
  }
}

function checkVersion({ version: found, warning }: ReadyCodex): Finding {
  if (warning !== null) return warn("Codex version", warning, install);
  const against =
    found !== null && compareVersions(found, capturedCodex) === 0 ? "the captured one" : `captured: ${capturedCodex}`;
  return ok("Codex version", `${found} (${against})`);
}

async function checkMethods({ connection }: ReadyCodex): Promise<Finding> {
  try {
    const missing = await missingRequests(connection, requiredRequests, AbortSignal.timeout(10_000));
    return missing.length === 0
      ? ok("Codex methods", `has all ${requiredRequests.length} that the agent cannot do without`)
      : fail("Codex methods", `lacks ${missing.join(", ")}`, install);
  } catch (error) {
    return fail("Codex methods", messageOf(error), install);
  }
}

async function checkAccount({ client }: ReadyCodex): Promise<Finding> {
  const advice = "sign in from the host, run `codex login`, or set CODEX_API_KEY and choose the API key sign-in";
  try {
    const { account, requiresOpenaiAuth } = await client.accountRead({ refreshToken: false });
    if (account) return ok("sign-in", describeAccount(account));
    return requiresOpenaiAuth
      ? warn("sign-in", "no account", advice)
      : ok("sign-in", "no account, and the configured model provider needs none");
  } catch (error) {
    return fail("sign-in", messageOf(error), advice);
  }
}

function describeAccount(account: Account): string {
  if (account.type === "chatgpt") return `ChatGPT, ${account.email ?? "no address"} (${account.planType})`;
  return account.type === "apiKey" ? "API key" : account.type;
}

async function checkConfig({ client }: ReadyCodex): Promise<Finding> {
  try {
    const { config } = await client.configRead({ cwd: process.cwd() });
    return ok("config", `model ${config.model ?? "by default"}, provider ${config.model_provider ?? "openai"}`);
  } catch (error) {
    return fail("config", messageOf(error), "mend config.toml in CODEX_HOME (default ~/.codex)");
  }
}

const configWarning = ({ summary, details, path }: ConfigWarningNotification): Finding =>
  warn("config", [summary, details].filter(Boolean).join(" "), path ? `look at ${path}` : undefined);

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
