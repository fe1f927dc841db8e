import { hidesForks } from "../codex/version.js";
import { requests } from "../generated/codex/methods.js";
import type { AccountLoginCompletedNotification } from "../generated/codex/types.js";
import type { CodexService } from "../policy/services.js";
import type { createAccount } from "./account.js";
import { errorKind, failureOf } from "./codex-failure.js";
import type { CodexLink } from "./codex-link.js";
import { createProviderKind } from "./provider-kind.js";

type Login = (params: AccountLoginCompletedNotification) => void;

/** The Codex of one host connection, as policy sees it. `loginCompleted` is what Codex tells of a sign-in. */
export function createCodexService(
  link: CodexLink,
  account: ReturnType<typeof createAccount>,
): CodexService & { readonly loginCompleted: Login } {
  const loginListeners = new Set<Login>();
  const unsubscribing = new Set<string>();
  const providerKind = createProviderKind(() => link.version);
  return {
    ready: async () => (await link.ready()).client,
    accountChanged: account.forget,
    account: account.read,
    signedIn: account.signedIn,
    models: account.models,
    freshModels: account.freshModels,
    knownModels: account.known,
    get providers() {
      return providerKind.kind;
    },
    learnProviders: providerKind.learn,
    get version() {
      return link.version;
    },
    async hiddenForks() {
      const { version, response } = await link.ready();
      return hidesForks(version) ? response.codexHome : null;
    },
    unsubscribe: (threadId) =>
      new Promise((resolve) => {
        unsubscribing.add(threadId);
        link.call(requests.threadUnsubscribe, { threadId }, ({ ok }) => {
          unsubscribing.delete(threadId);
          resolve(ok ? "confirmed" : "failed");
        });
      }),
    unsubscribing: (threadId) => unsubscribing.has(threadId),
    errorKind,
    failureOf,
    onLoginCompleted(listener) {
      loginListeners.add(listener);
      return () => loginListeners.delete(listener);
    },
    loginCompleted(params) {
      for (const listener of loginListeners) listener(params);
    },
    get lacking() {
      return link.lacking.requests;
    },
    get lost() {
      return link.lost;
    },
  };
}
