import type { AuthHandlers } from "../generated/agent/handlers.js";
import type { AccountLoginCompletedNotification, LoginAccountResponse } from "../generated/codex/types.js";
import type { AuthMethodId } from "../generated/contract/capabilities.js";
import { errors } from "../generated/contract/errors.js";
import { agentNotifications, agentRequests } from "../generated/contract/methods.js";
import type { HandlerContext } from "../runtime/index.js";
import { authStatus } from "./auth-status.js";
import { offeredAuthMethods } from "./initialize.js";
import type { Services } from "./services.js";

/** A sign-in that goes on outside until Codex reports its end. */
type Pending = Extract<LoginAccountResponse, { loginId: string }>;

export const authPolicy = (services: Services): AuthHandlers => {
  const { codex, settings, host } = services;

  const ways: {
    readonly [Method in AuthMethodId]: (meta: string | undefined, context: HandlerContext) => Promise<void>;
  } = {
    async "api-key"(given) {
      const apiKey = given ?? settings.apiKey;
      if (apiKey === null || apiKey === "") throw errors.noApiKey();
      const client = await codex.ready();
      await client.accountLoginStart({ type: "apiKey", apiKey });
    },
    "chat-gpt": (_given, context) =>
      signIn("chat-gpt", { type: "chatgpt" }, context, async (login) => {
        if (login.type === "chatgpt") await openPage(login.authUrl);
      }),
    "chat-gpt-device-code": (_given, context) =>
      signIn("chat-gpt-device-code", { type: "chatgptDeviceCode" }, context, (login, signal) =>
        login.type === "chatgptDeviceCode" ? showDeviceCode(login, context, signal) : Promise.resolve(),
      ),
  };

  /** What keeps a browser from being opened depends on the system, and says nothing to a user. */
  async function openPage(url: string): Promise<void> {
    try {
      await services.openBrowser(url);
    } catch (error) {
      throw errors.loginFailed({ methodId: "chat-gpt", details: "no browser can be opened here" }, { cause: error });
    }
  }

  /** Shows the address and the code. Declining it is cancelling the sign-in (AUTH-07, INIT-23). */
  async function showDeviceCode(
    login: Extract<Pending, { type: "chatgptDeviceCode" }>,
    context: HandlerContext,
    signal: AbortSignal,
  ): Promise<void> {
    const methodId = "chat-gpt-device-code";
    const page = {
      mode: "url" as const,
      // A request always has an id; only a notification's context has none.
      requestId: context.requestId ?? "",
      elicitationId: login.loginId,
      url: login.verificationUrl,
      message: `Open ${login.verificationUrl} and enter the code ${login.userCode}`,
    };
    const answer = await host.request(agentRequests.elicitationCreate, page, { signal }).catch((error: unknown) => {
      if (signal.aborted) throw error;
      throw errors.loginFailed({ methodId, details: "the host did not show the page" }, { cause: error });
    });
    if (answer.action !== "accept") throw errors.loginCancelled({ methodId });
  }

  async function signIn(
    methodId: AuthMethodId,
    params: { readonly type: "chatgpt" } | { readonly type: "chatgptDeviceCode" },
    context: HandlerContext,
    show: (login: Pending, signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const client = await codex.ready();
    const early: AccountLoginCompletedNotification[] = [];
    let settle: (params: AccountLoginCompletedNotification) => void = (completed) => void early.push(completed);
    const stop = codex.onLoginCompleted((completed) => settle(completed));
    const over = new AbortController();
    try {
      const login = await client.accountLoginStart(params);
      if (!("loginId" in login)) return;
      const completed = new Promise<AccountLoginCompletedNotification>((resolve, reject) => {
        settle = (it) => {
          if (it.loginId === login.loginId) resolve(it);
        };
        for (const it of early) settle(it);
        const abort = (): void => reject(errors.loginCancelled({ methodId }));
        if (context.signal.aborted) abort();
        context.signal.addEventListener("abort", abort, { once: true });
        codex.lost.addEventListener("abort", () => reject(codex.lost.reason), { once: true });
      });
      try {
        // Cancelled before Codex had an address: nobody wants to see it any more.
        const shown: Promise<unknown> = context.signal.aborted ? completed : show(login, over.signal);
        // The sign-in may end while its page is still shown, and showing it may fail while the sign-in goes on.
        const result = await Promise.race([completed, shown.then(() => completed)]);
        over.abort();
        if (!result.success) throw errors.loginFailed({ methodId, details: result.error ?? "Codex gave no reason" });
        if (login.type === "chatgptDeviceCode") {
          host.notify(agentNotifications.elicitationComplete, { elicitationId: login.loginId });
        }
      } catch (error) {
        completed.catch(() => undefined);
        over.abort();
        // Codex would wait for the browser for minutes; it may already have given up, which is as good.
        await client.accountLoginCancel({ loginId: login.loginId }).catch(() => undefined);
        throw error;
      }
    } finally {
      stop();
    }
  }

  return {
    async authLogin({ methodId, _meta }, context) {
      const offered = offeredAuthMethods(services).map((method) => method.methodId);
      const known = offered.find((id) => id === methodId);
      if (known === undefined) throw errors.unknownAuthMethod({ methodId, offered: offered.join(", ") });
      await ways[known](_meta?.["api-key"]?.apiKey, context);
      codex.accountChanged();
      return {};
    },
    authStatus: () => authStatus(services),
    async authLogout() {
      const client = await codex.ready();
      await client.accountLogout();
      codex.accountChanged();
      return {};
    },
  };
};
