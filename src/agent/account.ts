import { requests } from "../generated/codex/methods.js";
import type { GetAccountResponse, Model } from "../generated/codex/types.js";
import { errors } from "../generated/contract/errors.js";
import type { Clock } from "../runtime/clock.js";
import type { Catalog } from "../session/settings.js";
import type { CodexLink } from "./codex-link.js";

/** How long a model catalog is believed, in ms (CACHE-09). */
const modelsMs = 30_000;

/** What is known of the account and the models, so that a session need not ask first. */
export function createAccount(link: CodexLink, clock: Clock) {
  let account: Promise<GetAccountResponse> | null = null;
  let models: { readonly at: number; readonly list: Promise<Catalog> } | null = null;

  const mayStart = ({ account: signedIn, requiresOpenaiAuth }: GetAccountResponse): boolean =>
    signedIn != null || !requiresOpenaiAuth;

  async function read(): Promise<GetAccountResponse> {
    const { connection } = await link.ready();
    return connection.request(requests.accountRead, { refreshToken: false });
  }

  let known: Catalog = [];

  async function readModels(): Promise<Catalog> {
    const { connection } = await link.ready();
    const all: Model[] = [];
    const seen = new Set<string>();
    for (let cursor: string | null = null; ; ) {
      const page: { data: Model[]; nextCursor?: string | null } = await connection.request(requests.modelList, {
        ...(cursor === null ? {} : { cursor }),
        includeHidden: true,
      });
      all.push(...page.data);
      cursor = page.nextCursor ?? null;
      if (cursor === null) {
        known = all;
        return all;
      }
      // It would go round for ever (REC-19).
      if (seen.has(cursor)) throw errors.repeatedCursor({ method: requests.modelList.method });
      seen.add(cursor);
    }
  }

  /** Asks, and remembers what it hears. */
  function readAccount(): Promise<GetAccountResponse> {
    const asked = read();
    account = asked;
    asked.catch(() => {
      if (account === asked) account = null;
    });
    return asked;
  }

  /** Asks Codex only when it is not known that a thread may be started: someone may have signed in elsewhere. */
  async function signedIn(): Promise<boolean> {
    if (account && mayStart(await account)) return true;
    return mayStart(await readAccount());
  }

  function readOnce(): Promise<Catalog> {
    if (models && clock.elapsed() - models.at < modelsMs) return models.list;
    const list = readModels();
    models = { at: clock.elapsed(), list };
    list.catch(() => {
      if (models?.list === list) models = null;
    });
    return list;
  }

  return {
    signedIn,
    read: readAccount,
    models: readOnce,
    /** Asked anew, whatever is known (CACHE-11). */
    freshModels(): Promise<Catalog> {
      models = null;
      return readOnce();
    },
    /** Asks both before anyone needs them, so that the first session waits for neither. What fails is asked again then. */
    readAhead(): void {
      signedIn().catch(() => undefined);
      readOnce().catch(() => undefined);
    },
    /** The catalog as last read, for what cannot wait. */
    known: () => known,
    /** The account changed, or another Codex runs (CACHE-10). */
    forget(): void {
      account = null;
      models = null;
    },
  };
}
