import type { ContentBlock } from "../../generated/acp/types.js";
import type { ReviewTarget, TokenUsageBreakdown, Turn, TurnError, UserInput } from "../../generated/codex/types.js";
import type { SlashCommandName } from "../../generated/contract/tables.js";
import type { QuestionReplyPart } from "../../generated/contract/types.js";
import { emptyLedger, type Ledger } from "../../projection/ledger.js";
import type { ItemOf } from "../../projection/update.js";
import type { NotificationEvent } from "./events.js";

/** What a prompt makes Codex do. `answer`: nothing, the bridge answers it by itself. */
export type PromptAction =
  | { readonly kind: "turn" }
  | { readonly kind: "review"; readonly target: ReviewTarget }
  | { readonly kind: "compact" }
  | { readonly kind: "answer"; readonly command: SlashCommandName };

/** A user message of the running turn: its metadata is sent whole on each upsert. */
export interface PromptRecord {
  /** The receipt: the `messageId` answered, and Codex's `clientUserMessageId` (PROMPT-06, PROMPT-07). */
  readonly receipt: string;
  /** `_meta.codex.messageSentAt` of the request, Unix ms (REPLAY-26). */
  readonly sentAt: number | null;
  /** The parts of an answered questionnaire (REPLAY-38). */
  readonly questionReplyParts?: QuestionReplyPart[];
}

/** A prompt as the host gave it, already translated and validated. */
export interface Prompt extends PromptRecord {
  readonly content: readonly ContentBlock[];
  readonly input: readonly UserInput[];
  readonly action: PromptAction;
}

/** What stays of a prompt once it is sent. */
export const recordOf = ({ receipt, sentAt, questionReplyParts }: PromptRecord): PromptRecord => ({
  receipt,
  sentAt,
  ...(questionReplyParts ? { questionReplyParts } : {}),
});

/**
 * `preparing`: nothing sent to Codex yet. `starting`: `turn/start` is out. `running`: Codex named the turn.
 * `finishing`: Codex ended it; the fate of commands that still run is being asked. `planning`: Codex ended it with a plan,
 * and the host is asked whether to carry it out.
 */
export type TurnStage = "preparing" | "starting" | "running" | "finishing" | "planning";

/** The try at hand to stop a turn (CANCEL-04 to CANCEL-09, A-39). */
export interface Cancellation {
  /** Counts tries of this turn, so that a late timer or answer is known as such. */
  readonly attempt: number;
  /** The second try of one stop; after it the host is told. */
  readonly second: boolean;
  /** `interrupt`: waiting for the turn's end; `status`: `thread/read` is out; `given-up`: another stop begins anew. */
  readonly step: "interrupt" | "status" | "given-up";
  /** The interrupt of this try has been sent. */
  readonly sent: boolean;
}

export interface ActiveTurn {
  /** The receipt of the prompt that owns it; null for a turn that Codex started elsewhere (STATE-02). */
  readonly owner: string | null;
  readonly id: string | null;
  readonly action: PromptAction["kind"] | "implement";
  /** What an interrupt must name where that is not `id`: Codex starts a review under another id than its items have. */
  readonly interruptId: string | null;
  readonly stage: TurnStage;
  /** `turn/started` was seen: only from then on does Codex accept an interrupt. */
  readonly started: boolean;
  /** The request that starts it was answered. Until then `id` is what a notification gave, which may be another's. */
  readonly answered: boolean;
  /** An end that was told before the answer. */
  readonly early: Pick<Turn, "id" | "status" | "error"> | null;
  /** Unix ms. */
  readonly startedAt: number | null;
  /** What the turn was opened with; kept until it is sent. */
  readonly prompt: Prompt | null;
  /** Its user messages, oldest first. */
  readonly messages: readonly PromptRecord[];
  /** Prompts to be steered into it once Codex can take them. */
  readonly waiting: readonly Prompt[];
  /** Prompts that could not be steered: they open the next turn, once this one is proven over (REC-16). */
  readonly held: readonly Prompt[];
  readonly cancellation: Cancellation | null;
  /** Open requests to the host that block it, by key (STATE-12). */
  readonly blocking: ReadonlySet<string>;
  readonly work: { readonly startedAt: number; readonly durationMs: number | null } | null;
  /** The error that ended it, as the `error` notification gave it. */
  readonly failure: TurnError | null;
  /** Codex's token total when it began; null when unknown. */
  readonly usageBefore: TokenUsageBreakdown | null;
  /** How it ended; set while `finishing`. */
  readonly completion: Pick<Turn, "status"> | null;
  /** What a review in it comes to: exits wait for the end, where a message may have said the same (REVIEW-02). */
  readonly review: Review | null;
  /** The plan that it proposed, by its item. */
  readonly plan: { readonly itemId: string; readonly text: string } | null;
  /**
   * False when it was taken over and the receipts of commands could not be read: a message without a receipt may be a
   * command's, and is not shown as another client's (CANCEL-13).
   */
  readonly receiptsKnown: boolean;
  /** Why the history before it could not be shown whole; told when it ends (CANCEL-15). */
  readonly historyError: { readonly code: number; readonly message: string; readonly data?: unknown } | null;
  /** Items that a replay showed whole: their frames that come late say nothing new. */
  readonly shown: ReadonlySet<string>;
  /** Asking Codex what still runs: `terminating` after processes were told to end. */
  readonly background: "none" | "listing" | "terminating" | "relisting";
  /** Processes told to end whose answer is out. */
  readonly terminating: number;
}

export interface Review {
  /** The item that announced it; null when only its end was seen. */
  readonly itemId: string | null;
  readonly exits: readonly ItemOf<"exitedReviewMode">[];
  /** Texts of the turn's agent messages other than commentary. */
  readonly texts: readonly string[];
}

export interface Steering {
  readonly prompt: Prompt;
  /** The turn it was meant for. */
  readonly turnId: string;
  /** The host stopped since: refused, it is not sent again. */
  readonly stopped: boolean;
}

export interface SessionState {
  readonly cwd: string;
  readonly turn: ActiveTurn | null;
  readonly closed: boolean;
  /** The prompt whose `turn/steer` is unanswered. */
  readonly steering: Steering | null;
  readonly ledger: Ledger;
  /** Terminals whose process outlived its turn, by item id; named on every state update. */
  readonly background: readonly string[];
  /** Turns known to be over, newest last: their late frames are dropped (CACHE-17). */
  readonly ended: readonly string[];
  /** Turns that were given up before Codex named or started them: to be interrupted when it does (CLOSE-04). */
  readonly ghosts: {
    /** Receipts whose `turn/start` is unanswered. */
    readonly receipts: ReadonlySet<string>;
    readonly turns: ReadonlySet<string>;
  };
  /** Frames that are of the turn being started or of one that was given up: an answer to come tells which. */
  readonly parked: readonly NotificationEvent[];
  /** Codex's token total of the session; null when unknown, as after a resume. */
  readonly usage: TokenUsageBreakdown | null;
  /** Codex does not hold the thread any more: it must be resumed before the next turn (CANCEL-06). */
  readonly unloaded: boolean;
  readonly title: string | null;
  /** The host was told that Codex is retrying. */
  readonly retrying: boolean;
  /** Receipts used in this session, so that none is used twice. */
  readonly receipts: ReadonlySet<string>;
}

/** Ended turns remembered. Late frames come within seconds; a session runs one turn at a time. */
export const endedTurnsKept = 64;

export interface InitialState {
  readonly cwd: string;
  readonly title?: string | null;
  /** Zeros for a new thread. */
  readonly usage?: TokenUsageBreakdown | null;
}

export function initialState({ cwd, title = null, usage = null }: InitialState): SessionState {
  return {
    cwd,
    turn: null,
    closed: false,
    steering: null,
    ledger: emptyLedger,
    background: [],
    ended: [],
    ghosts: { receipts: new Set(), turns: new Set() },
    parked: [],
    usage,
    unloaded: false,
    title,
    retrying: false,
    receipts: new Set(),
  };
}

const noItems: ReadonlySet<string> = new Set();

export function newTurn(prompt: Prompt | null, usageBefore: TokenUsageBreakdown | null): ActiveTurn {
  return {
    owner: prompt?.receipt ?? null,
    id: null,
    action: prompt?.action.kind ?? "turn",
    interruptId: null,
    stage: prompt ? "preparing" : "running",
    started: false,
    answered: prompt === null,
    early: null,
    startedAt: null,
    prompt,
    messages: prompt ? [recordOf(prompt)] : [],
    waiting: [],
    held: [],
    cancellation: null,
    blocking: new Set(),
    work: null,
    failure: null,
    usageBefore,
    completion: null,
    review: null,
    plan: null,
    receiptsKnown: true,
    historyError: null,
    shown: noItems,
    background: "none",
    terminating: 0,
  };
}
