/**
 * Names of the fields that hold a secret, in camelCase. A field matches in any case and with any of `-`, `_` or nothing
 * between the words (`apiKey`, `api-key`, `API_KEY`), also as a part of a dotted config key
 * (`mcp_servers.files.env.TOKEN`).
 */
export const secretFields = [
  // Credentials (LOG-01)
  "accessKey",
  "accessKeyId",
  "accessToken",
  "apiKey",
  "authBearerToken",
  "authToken",
  "authorization",
  "bearerToken",
  "clientPrivateKey",
  "clientSecret",
  "cookie",
  "cookies",
  "credentials",
  "experimentalBearerToken",
  "idToken",
  "passphrase",
  "password",
  "privateKey",
  "proxyAuthorization",
  "refreshToken",
  "secret",
  "secretAccessKey",
  "secretKey",
  "sessionToken",
  "setCookie",
  "token",
  "userCode",
  "xApiKey",
  // Headers, as a map or as a list of `{name, value}` (LOG-01)
  "envHttpHeaders",
  "headers",
  "httpHeaders",
  "requestHeaders",
  // Environments, as a map or as a list of `{name, value}` (LOG-02)
  "env",
  "environmentVariables",
  "shellEnvironmentPolicy",
] as const;

/** `secretFields` as what `redactByField` takes. */
export const secretPatterns: readonly RegExp[] = secretFields.map((name) => {
  const words = name.replace(/[A-Z]/g, "[-_]?$&");
  return new RegExp(`(?:^|\\.)${words}(?:\\.|$)`, "i");
});

export const isSecretField = (name: string): boolean => secretPatterns.some((pattern) => pattern.test(name));

export const REDACTED = "[redacted]";

/** What stands in the log for a secret. Nothing at all, and a yes or no, are no secrets. */
export const redactedValue = (value: unknown): unknown =>
  value === null || value === undefined || typeof value === "boolean" ? value : REDACTED;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A config edit, `{keyPath, value}`, names its field in a value, which no search by field name can see. */
function redactEdit(edit: unknown): unknown {
  if (!isObject(edit) || typeof edit["keyPath"] !== "string" || !isSecretField(edit["keyPath"])) return edit;
  return { ...edit, value: redactedValue(edit["value"]) };
}

/** `frame` with the secrets of config edits taken out; everything else is left to `secretPatterns`. */
export function redactConfigEdits(frame: unknown): unknown {
  if (!isObject(frame) || !isObject(frame["params"])) return frame;
  const { params } = frame;
  if (typeof params["keyPath"] === "string") return { ...frame, params: redactEdit(params) };
  if (Array.isArray(params["edits"]))
    return { ...frame, params: { ...params, edits: params["edits"].map(redactEdit) } };
  return frame;
}
