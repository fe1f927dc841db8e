import type { CodexClient } from "../codex/client.js";
import type { CodexErrorKind } from "../codex/error-text.js";
import type { AuthStatusResponse, ClientCapabilities, ContentBlock, Implementation } from "../generated/acp/types.js";
import type {
  AccountLoginCompletedNotification,
  AskForApproval,
  GetAccountResponse,
  SandboxPolicy,
  SkillMetadata,
} from "../generated/codex/types.js";
import type { ModeId } from "../generated/contract/tables.js";
import type { ReadImage } from "../projection/user-input.js";
import type { Clock } from "../runtime/clock.js";
import type { NotificationDescriptor, RequestDescriptor } from "../runtime/index.js";
import type { Admission } from "../session/admission.js";
import type { SessionRegistry } from "../session/registry.js";
import type { Gateway } from "../session/routing/gateway.js";
import type { ProviderKind } from "../session/routing/plan.js";
import type { Routing } from "../session/routing/routing.js";
import type { Session } from "../session/session.js";
import type { Catalog, SessionSettings } from "../session/settings.js";
import type { InitialState, SessionState } from "../session/turn/state.js";

/** What the environment says about every session; read once at start. */
export interface AgentSettings {
  /** `CODEX_CONFIG`: merged into the config of every thread. */
  readonly config: { readonly [key: string]: unknown };
  /** `MODEL_PROVIDER`: the provider of new threads; null leaves it to Codex. */
  readonly modelProvider: string | null;
  /** `INITIAL_AGENT_MODE`. */
  readonly mode: ModeId;
  /** `CODEX_API_KEY`, else `OPENAI_API_KEY` (AUTH-02, AUTH-03). */
  readonly apiKey: string | null;
  /** False when `NO_BROWSER` is set and not empty. */
  readonly browser: boolean;
}

/** Codex's refusal in its own terms, and the end of Codex itself. */
export type CodexFailure =
  | {
      readonly type: "refused";
      readonly kind: CodexErrorKind | null;
      readonly code: number;
      readonly message: string;
      readonly data: unknown;
    }
  | { readonly type: "lost"; readonly message: string };

/** The Codex of this connection. */
export interface CodexService {
  /** The typed client of a Codex that has been greeted; starts one when there is none. Rejects with a contract error. */
  ready(): Promise<CodexClient>;
  /** Ends the subscription to a thread. Never rejects; settles when Codex has answered or is lost. */
  unsubscribe(threadId: string): Promise<"confirmed" | "failed">;
  /** An unsubscribe of that thread is unanswered: it must not be opened meanwhile (CLOSE-12). */
  unsubscribing(threadId: string): boolean;
  /** What a refusal of Codex means; null for what is none, or says nothing known. */
  errorKind(error: unknown): CodexErrorKind | null;
  /** A sign-in or sign-out of ours: nothing that is known of account and models holds any more (CACHE-10). */
  accountChanged(): void;
  /** What became of a request: refused by Codex, or lost with it; null for an error that is neither. */
  failureOf(error: unknown): CodexFailure | null;
  /** The account as Codex has it now. Rejects with what Codex refuses it with. */
  account(): Promise<GetAccountResponse>;
  /** Whether a native thread may be started: Codex has an account, or its provider needs none. */
  signedIn(): Promise<boolean>;
  /** Codex's home, when this Codex leaves forks that nobody has prompted yet out of its list; else null. */
  hiddenForks(): Promise<string | null>;
  /** The models Codex offers, hidden ones too; believed for 30 s (CACHE-09). */
  models(): Promise<Catalog>;
  /** The same, asked anew whatever is known (CACHE-11). */
  freshModels(): Promise<Catalog>;
  /** The models as last read, for what cannot wait; none before the first answer. */
  knownModels(): Catalog;
  /** What the running Codex does with a thread's provider: by its version, until an answer tells better. */
  readonly providers: ProviderKind;
  /** An answer told what this Codex does. */
  learnProviders(kind: ProviderKind): void;
  /** Of the running Codex; null before it is greeted, or when it does not tell. */
  readonly version: string | null;
  /** Runs for each `account/login/completed`; the returned function ends that. */
  onLoginCompleted(listener: (params: AccountLoginCompletedNotification) => void): () => void;
  /** The requests in use that the running Codex does not have. */
  readonly lacking: ReadonlySet<string>;
  /** Aborted when the running Codex is lost; a new one with each start. */
  readonly lost: AbortSignal;
}

/** The host of this connection. */
export interface HostService {
  notify<Params>(descriptor: NotificationDescriptor<Params>, params: Params): void;
  request<Params, Result>(
    descriptor: RequestDescriptor<Params, Result>,
    params: Params,
    options?: { readonly signal?: AbortSignal },
  ): Promise<Result>;
  /** Writes what is queued. */
  flush(): void;
  /** Resolves once the host takes frames again, until when more of them would pile up here; null while it does. */
  drained(): Promise<void> | null;
  /** What the last `initialize` declared. */
  client: { readonly capabilities: ClientCapabilities; readonly info: Implementation | null };
  /** An `initialize` has succeeded: notices of the draft may be sent. */
  greeted: boolean;
  /** What the host was last told of the account, by answer or by notification; null before that. */
  authStatus: AuthStatusResponse | null;
}

/** A thread that was forked, as the header of its rollout has it. */
export interface ForkHeader {
  readonly id: string;
  /** Null when the header does not tell. */
  readonly cwd: string | null;
}

/** The files that an attachment or a gateway's config names, and the headers of rollouts; nothing else is read. */
export interface FileService {
  /** The text of a regular file of at most `maxBytes`; else what is wrong, in words. */
  readText(path: string, maxBytes: number): Promise<{ readonly text: string } | { readonly problem: string }>;
  /** A regular raster image of at most `limit` bytes; the size of a larger one; null for anything else (REPLAY-16). */
  readImage(path: string, limit: number): Promise<ReadImage>;
  /** The forks among the rollouts beneath Codex's home, live or archived; what cannot be read is left out (BRANCH-14). */
  readForks(codexHome: string, archived: boolean): Promise<readonly ForkHeader[]>;
  /** The folder as Codex stores and compares it, without links and closing slashes; as given when there is none. */
  canonicalPath(path: string): Promise<string>;
}

/** What slash commands were to the host, where Codex's record does not say it. */
export interface CommandReceipt {
  readonly threadId: string;
  readonly turnId: string;
  /** The `messageId` the prompt was answered with. */
  readonly receipt: string;
  /** The prompt as the host sent it; null for a turn whose native input is no message of its own. */
  readonly content: readonly ContentBlock[] | null;
}

/** The receipts of slash commands: a small sidecar that outlives the process. */
export interface ReceiptService {
  /** Resolves once it is saved. Rejects when it cannot be; its thread stays unconfirmed. */
  record(receipt: CommandReceipt): Promise<void>;
  /** By turn id, the turns of forks included; a turn without a receipt is absent. Rejects when one cannot be read. */
  lookup(turnIds: Iterable<string>): Promise<ReadonlyMap<string, CommandReceipt>>;
  /** Threads with a receipt that is still being saved or could not be (HIST-76). */
  unconfirmed(): ReadonlySet<string>;
  /** Removes those of a thread that was deleted. Never rejects: what cannot be removed is told to the log. */
  forget(threadId: string): Promise<void>;
}

/** Codex's skills, as far as sessions and their commands need them. */
export interface SkillService {
  /** The enabled skills of a folder. */
  list(cwd: string): Promise<readonly SkillMetadata[]>;
  /** Sends the session its commands where they changed. */
  announce(session: OpenSession): Promise<void>;
  /** Makes `roots` the process's skill roots until the result is called. */
  holdRoots(roots: readonly string[]): Promise<() => void>;
}

/** Where sessions go (PROV-02). */
export interface RoutingService {
  /** Of new sessions, and of every open one that is not stale; changed only by a switch that succeeded (ROUTE-01). */
  committed: Routing;
  /** Runs changes one after the other, each whatever became of the one before (ROUTE-06). */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  /** Credentials of every gateway this connection was given; they stay out of all that the host is told. */
  readonly secrets: Set<string>;
}

export interface Services {
  readonly codex: CodexService;
  readonly host: HostService;
  readonly sessions: SessionRegistry;
  /** Sessions open for viewing only, because another client has their thread (SESS-10). */
  readonly viewing: Set<string>;
  /** Ends the wait of those that are being opened while a turn of theirs runs: the host stopped it (CANCEL-12). */
  readonly restoring: Map<string, () => void>;
  readonly admission: Admission;
  readonly routing: RoutingService;
  readonly files: FileService;
  readonly receipts: ReceiptService;
  readonly skills: SkillService;
  readonly clock: Clock;
  readonly settings: AgentSettings;
  /** Name and version of the agent, as `initialize` reports them (INIT-24). */
  readonly info: { readonly name: string; readonly title: string; readonly version: string };
  /** The sessions that are open for requests. */
  openSessions(): OpenSession[];
  /** A session over a thread that Codex has open. Its outbox is still shut. */
  createSession(id: string, thread: NewSession): OpenSession;
  /** The one way out to the network; injected, so that tests can stand in for the service. */
  readonly fetch: typeof fetch;
  /** Opens a web page for the user. */
  openBrowser(url: string): Promise<void>;
  /** An id nobody has used. */
  newId(): string;
  /** SHA-256 of the text's UTF-8, in hexadecimal. */
  digest(text: string): string;
}

/** A session and what only policy needs of it. */
export interface OpenSession extends Session {
  readonly settings: SettingsHolder;
  /** Folders whose skills the session has beside those of its own folder. */
  readonly skillRoots: readonly string[];
  readonly toolSetRevision: string | number | null;
  readonly place: SessionPlace;
  readonly base: ThreadBase;
  /** Answers waiting for the machine, by receipt: how each `session/prompt` ends. */
  readonly answers: Map<string, PromptAnswer>;
  /** Takes back every open request to the host, and answers Codex in the user's stead (D-20). */
  withdraw(): void;
}

export interface NewSession extends InitialState {
  readonly settings: SettingsHolder;
  readonly skillRoots: readonly string[];
  /** The host's revision of the tools it gave with this opening; null when it gave none. */
  readonly toolSetRevision: string | number | null;
  readonly place: SessionPlace;
  readonly base: ThreadBase;
  /** Changes the initial state, as when a running turn is taken over. */
  readonly adopt?: (state: SessionState) => SessionState;
}

/** A session's settings: what the host wants, and what Codex was last told. The difference goes with the next turn. */
export interface SettingsHolder {
  wanted: SessionSettings;
  held: SessionSettings;
  /** The sandbox the thread was opened with. */
  readonly workspace: SandboxPolicy | null;
  /** When it asked for approval as it was opened. */
  readonly approvalPolicy: AskForApproval;
}

/** Which provider a session runs on. */
export interface SessionPlace {
  /** Null: a provider of Codex's own. */
  gateway: Gateway | null;
  /** Codex's name of the provider. */
  providerId: string;
  /** What it ran on before it was moved to a gateway; null when it never was. */
  home: { readonly providerId: string; readonly model: string } | null;
  /** Set while it may be elsewhere, after a failed switch: where that is, null for Codex's own provider (ROUTE-13). */
  stale: { readonly maybe: string | null } | null;
  /** It is being moved: what Codex says of its settings meanwhile is not for the host. */
  moving: boolean;
}

/** What a thread is opened with beside its settings and its provider, and again whenever it is opened anew. */
export interface ThreadBase {
  readonly config: { readonly [key: string]: unknown };
  readonly developerInstructions: string | null;
}

export interface PromptAnswer {
  /** `steered`: the turn it went into. */
  accept(steered: string | null): void;
  reject(error: Error): void;
}
