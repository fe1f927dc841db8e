import type { CodexClient } from "../codex/client.js";
import { errors } from "../generated/contract/errors.js";
import { isObject } from "../runtime/index.js";
import type { Services } from "./services.js";

interface Change {
  readonly remotePluginId: string;
  readonly enabled: boolean;
  /** Cancels the request of the host. */
  readonly signal: AbortSignal;
}

/** Each attempt at the plugin service, in ms (PLUG-19, A-49). */
const attemptMs = 30_000;

/** Longest answer of the service that is read, in bytes: it names one plugin and one flag. */
const maxAnswer = 64 * 1024;

/**
 * Changes a remote plugin with Codex's own credentials, then makes Codex take the change over and sees that it has. The
 * credentials go to the service and nowhere else: no error here quotes an answer, a header or a cause (PLUG-29).
 */
export async function setRemotePlugin(services: Services, client: CodexClient, change: Change): Promise<void> {
  const { remotePluginId, enabled } = change;
  const { url, accountId } = await serviceOf(client, change);
  await confirmed(services, client, change, url, accountId);
  await client.pluginReconcile({ reason: "plugin-enabled-changed" });
  const { marketplaces } = await client.pluginInstalled({});
  const plugin = marketplaces.flatMap((market) => market.plugins).find((it) => it.remotePluginId === remotePluginId);
  if (plugin?.enabled !== enabled) throw errors.pluginNotSynchronized();
}

/** Where the change goes: the workspace's own backend, and only ChatGPT's (PLUG-11 to PLUG-14). */
async function serviceOf(
  client: CodexClient,
  { remotePluginId, enabled }: Change,
): Promise<{ url: URL; accountId: string }> {
  const { account, workspaceRouting } = await client.accountRead({ refreshToken: false });
  if (account?.type !== "chatgpt" || workspaceRouting == null) throw errors.pluginSignInRequired();
  const origin = URL.canParse(workspaceRouting.backendOrigin) ? new URL(workspaceRouting.backendOrigin) : null;
  const trusted = origin?.hostname === "chatgpt.com" || origin?.hostname.endsWith(".chatgpt.com");
  if (origin?.protocol !== "https:" || !trusted) throw errors.pluginBackendUnsupported();
  const action = enabled ? "enable" : "disable";
  const segment = pathSegment(remotePluginId);
  if (segment === null) throw errors.pluginRemoteUnreachable({ action, details: "no plugin can have this id" });
  const path = `/backend-api/ps/plugins/${segment}/${action}`;
  return { url: new URL(path, origin), accountId: workspaceRouting.chatgptAccountId };
}

/** Null for an id that no encoding makes a part of a path: half a character, and the dots that lead elsewhere. */
function pathSegment(id: string): string | null {
  if (id === "." || id === ".." || /\p{Surrogate}/u.test(id)) return null;
  return encodeURIComponent(id);
}

/** Asks the service, once more with a fresh token when the first is not accepted (PLUG-15 to PLUG-24). */
async function confirmed(
  services: Services,
  client: CodexClient,
  change: Change,
  url: URL,
  accountId: string,
): Promise<void> {
  const action = change.enabled ? "enable" : "disable";
  for (const refreshToken of [false, true]) {
    const token = await tokenOf(services, client, refreshToken);
    const answer = await post(services, change, url, { token, accountId, action });
    if (answer.status === 401 && !refreshToken) continue;
    if (answer.status < 200 || answer.status > 299) throw errors.pluginRemoteFailed({ action, status: answer.status });
    const { body } = answer;
    const said = isObject(body) && body["id"] === change.remotePluginId && body["enabled"] === change.enabled;
    if (!said) throw errors.pluginNotConfirmed();
    return;
  }
}

async function tokenOf(services: Services, client: CodexClient, refreshToken: boolean): Promise<string> {
  let status: Awaited<ReturnType<CodexClient["getAuthStatus"]>>;
  try {
    status = await client.getAuthStatus({ includeToken: true, refreshToken });
  } catch (error) {
    throw services.codex.errorKind(error) === "unknown-method" ? errors.pluginRemoteUnsupported() : error;
  }
  const { authMethod, authToken } = status;
  const own = authMethod === "chatgpt" || authMethod === "chatgptAuthTokens";
  if (!own || authToken == null || authToken === "") throw errors.pluginCredentialsUnavailable();
  return authToken;
}

interface Answer {
  readonly status: number;
  /** Undefined for anything but a success, whose body is not read (PLUG-23), and for one that is no JSON. */
  readonly body?: unknown;
}

async function post(
  services: Services,
  { signal }: Change,
  url: URL,
  { token, accountId, action }: { readonly token: string; readonly accountId: string; readonly action: string },
): Promise<Answer> {
  const late = new AbortController();
  const stop = services.clock.after(attemptMs, () => late.abort());
  const { lost } = services.codex;
  try {
    const response = await services.fetch(url, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "ChatGPT-Account-Id": accountId, "OpenAI-Product-SKU": "codex" },
      redirect: "error",
      signal: AbortSignal.any([late.signal, lost, signal]),
    });
    if (!response.ok) {
      await response.body?.cancel();
      return { status: response.status };
    }
    return { status: response.status, body: await readJson(response) };
  } catch {
    // What failed may quote the request; only what is known is said.
    if (lost.aborted) throw lost.reason;
    if (signal.aborted) throw signal.reason;
    const details = late.signal.aborted
      ? `no answer within ${attemptMs / 1000} s`
      : "the service cannot be reached or redirects";
    throw errors.pluginRemoteUnreachable({ action, details });
  } finally {
    stop();
  }
}

/** The answer, if it is short JSON. A longer one is not read to its end. */
async function readJson(response: Response): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxAnswer) return undefined;
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    return undefined;
  }
}
