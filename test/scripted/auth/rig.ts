import { notifications, requests } from "../../../src/generated/codex/methods.js";
import type { LoginAccountResponse } from "../../../src/generated/codex/types.js";
import { hostRequests } from "../../../src/generated/contract/methods.js";
import type { Bridge } from "../../support/bridge.js";

export const apiKey = { type: "apiKey" as const };

const logins: { readonly [type: string]: LoginAccountResponse } = {
  apiKey,
  chatgpt: { type: "chatgpt", loginId: "login-1", authUrl: "https://auth.openai.com/authorize?state=1&b=%20" },
  chatgptDeviceCode: {
    type: "chatgptDeviceCode",
    loginId: "login-1",
    userCode: "ABCD-1234",
    verificationUrl: "https://auth.openai.com/codex/device",
  },
};

/** Has Codex begin every sign-in, under the id `login-1`. */
export function serveLogins({ codex }: Bridge): void {
  codex.on(requests.accountLoginStart, ({ type }) => logins[type] ?? apiKey);
  codex.on(requests.accountLoginCancel, () => ({ status: "canceled" as const }));
}

export const login = ({ host }: Bridge, methodId: string, _meta?: object) =>
  host.call(hostRequests.authLogin.method, { methodId, ...(_meta === undefined ? {} : { _meta }) });

/** How Codex was asked to sign in, so far. */
export const started = ({ codex }: Bridge) => codex.calls(requests.accountLoginStart).map(({ params }) => params);

/** The sign-ins that Codex was asked to give up. */
export const givenUp = ({ codex }: Bridge) => codex.calls(requests.accountLoginCancel).map(({ params }) => params);

export const ended = ({ codex }: Bridge, success: boolean, error: string | null = null, loginId = "login-1") =>
  codex.notify(notifications.accountLoginCompleted, { loginId, success, error });
