import type { AuthAccount } from "../generated/acp/types.js";
import type { Account, GetAccountResponse } from "../generated/codex/types.js";
import { agentNotifications } from "../generated/contract/methods.js";
import type { AuthStatusResult } from "../generated/contract/types.js";
import type { Services } from "./services.js";

/** How an account is called where a person reads it. */
const labels: { readonly [Type in Account["type"]]: string } = {
  apiKey: "OpenAI API key",
  chatgpt: "ChatGPT",
  amazonBedrock: "Amazon Bedrock",
  gcp: "Google Cloud",
};

function accountOf(account: Account): AuthAccount {
  const label = labels[account.type] ?? account.type;
  if (account.type !== "chatgpt") return { label, active: true };
  const { email, planType, workspaceName } = account;
  return {
    label: planType === "unknown" ? label : `${label} ${planType}`,
    active: true,
    ...(email == null ? {} : { email }),
    ...(workspaceName == null ? {} : { organization: workspaceName }),
  };
}

/** What Codex says of its account, in the draft's terms. */
export function authStatusOf({ account, requiresOpenaiAuth }: GetAccountResponse): AuthStatusResult {
  if (account != null) return { state: "authenticated", accounts: [accountOf(account)] };
  return { state: requiresOpenaiAuth ? "unauthenticated" : "not_required" };
}

/** `auth/status`. A Codex that refuses to say is no error: the state is unknown then. */
export async function authStatus(services: Services): Promise<AuthStatusResult> {
  const status = await ask(services);
  services.host.authStatus = status;
  return status;
}

async function ask({ codex }: Services): Promise<AuthStatusResult> {
  try {
    return authStatusOf(await codex.account());
  } catch (error) {
    if (codex.failureOf(error)?.type === "refused") return { state: "unknown" };
    throw error;
  }
}

/** The account changed: a host that has been greeted hears of it, if it changes what it was last told. */
export async function authChanged(services: Services): Promise<void> {
  const { host } = services;
  if (!host.greeted) return;
  const status = await ask(services);
  // Both were made here, with their members in the same order.
  if (JSON.stringify(host.authStatus) === JSON.stringify(status)) return;
  host.authStatus = status;
  host.notify(agentNotifications.authStatusUpdate, status);
  host.flush();
}
