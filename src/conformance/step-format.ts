/** The steps of a case. Part of the case files' format: see `format.ts`. */

import type { ModelGoesOnStep, ModelSeesStep, ModelStep } from "./model-steps.js";

/** Any JSON value. A string may hold `${name.member}`, which stands for what an earlier step bound; alone it keeps its type. `${name.list.0}` and `${name.list.kind=allow_once}` are items of a list. */
export type Template = unknown;

/**
 * What a value must be. Objects name the members that matter, arrays match item by item, other values match themselves.
 * An object with one member that begins with `$` is a rule: see `pattern.ts`.
 */
export type Pattern = unknown;

export interface AnyStep {
  /** Name for `after` and `until` of other steps. It stands for where an act begins, for the frame that a watch has seen, and for the end of `quiet`. */
  readonly label?: string;
  /** Why the step is there. */
  readonly comment?: string;
}

/** Puts a prelude's steps here. */
export interface UseStep extends AnyStep {
  readonly use: string;
  readonly with?: { readonly [name: string]: Template };
}

/** The steps once for each row, with `${each.x}`; a text names a set that the contract gives (`sets.ts`). */
export interface ForEachStep extends AnyStep {
  readonly forEach: string | readonly { readonly [member: string]: Template }[];
  readonly do: readonly Step[];
}

/** The host sends a request. With `result`, `error` or `answered` the answer is awaited here, else by `gives`. */
export interface AskStep extends AnyStep {
  readonly ask: string;
  readonly params?: Template;
  /** Name of the request, and of its result. */
  readonly as?: string;
  /** The params are wrong on purpose. */
  readonly wrong?: true;
  readonly result?: Pattern;
  readonly error?: Pattern;
  /** The whole answer, where either will do. */
  readonly answered?: Pattern;
  readonly within?: Within;
}

/** The host sends a notification. */
export interface TellStep extends AnyStep {
  readonly tell: string;
  readonly params?: Template;
  readonly wrong?: true;
}

/** The host writes frames in one piece, or a line that is no frame. */
export interface RawStep extends AnyStep {
  readonly raw: readonly Template[];
}

/** The host answers a request of the agent that `sees` bound. */
export interface AnswerStep extends AnyStep {
  readonly answer: string;
  readonly result?: Template;
  readonly error?: Template;
}

/** The host stops reading (`false`), or goes on. */
export interface ReadStep extends AnyStep {
  readonly hostReads: boolean;
}

/** The host closes the agent's stdin and awaits its end. */
export interface EndStep extends AnyStep {
  readonly end: true;
  readonly within?: Within;
}

/** Limits in milliseconds from a label to the frame that is awaited. */
export interface Within {
  readonly after: string;
  readonly atLeast?: number;
  readonly atMost?: number;
}

interface Watch extends AnyStep {
  /** Name for what was seen. */
  readonly as?: string;
  /** The first frame that is meant must be so; without it any later one will do. */
  readonly must?: Pattern;
  /** Look from the beginning, not from the last frame that was seen. */
  readonly anywhere?: true;
  readonly within?: Within;
}

/** The host gets this `session/update`. Binds the update. */
export interface UpdateStep extends Watch {
  readonly update: Pattern;
  /** Session id. Default `${session.sessionId}`. */
  readonly of?: Template;
}

/** The host gets this request or notification. Binds its params. */
export interface SeesStep extends Watch {
  readonly sees: string;
  readonly params?: Pattern;
}

/** Codex gets this request. Binds its params. */
export interface CodexSeesStep extends Watch {
  readonly codexSees: string;
  readonly params?: Pattern;
}

/** The answer to a request of the host. Binds the result. */
export interface GivesStep extends AnyStep {
  readonly gives: string;
  readonly result?: Pattern;
  readonly error?: Pattern;
  readonly anywhere?: true;
  readonly within?: Within;
}

/** The answer to a request of Codex. */
export interface CodexGetsStep extends AnyStep {
  readonly codexGets: string;
  readonly result?: Pattern;
  readonly error?: Pattern;
  readonly within?: Within;
}

/** Watches in any order, all from where the first of them looks. */
export interface UnorderedStep extends AnyStep {
  readonly unordered: readonly (UpdateStep | SeesStep | CodexSeesStep | GivesStep | CodexGetsStep)[];
}

/** A kind of frame, for `never` and `count`. */
export interface Kind {
  readonly update?: Pattern;
  readonly of?: Template;
  /** A method, or a rule for methods. */
  readonly sees?: Pattern;
  readonly codexSees?: Pattern;
  /** Any frame of the agent to this side that has this text in it. */
  readonly textTo?: "host" | "codex";
  readonly text?: string;
  readonly params?: Pattern;
}

/** No such frame from here to the end, or to the step with the label `until`. Judged when the case is over. */
export interface NeverStep extends AnyStep {
  readonly never: Kind;
  readonly until?: string;
}

/** How many such frames there are in all. Judged when the case is over. */
export interface CountStep extends AnyStep {
  readonly count: Kind;
  readonly is: number;
}

/** A value that was bound is so. */
export interface CheckStep extends AnyStep {
  readonly check: Template;
  readonly is: Pattern;
}

/** A server at `${name.url}` that nobody may call: a call to it fails the case. */
export interface TrapStep extends AnyStep {
  readonly trap: string;
}

/** What lies in this folder: the paths of all files, sorted. */
export interface FilesInStep extends AnyStep {
  readonly filesIn: Template;
  /** Only regular files that have this text in them. */
  readonly with?: Template;
  readonly are: Pattern;
}

/** Waits until the agent has taken in all that was said, by a round trip on each side; later watches look from there. */
export interface QuietStep extends AnyStep {
  readonly quiet: true;
}

/** Codex answers this method so from now on; members of `result` go over those of the usual answer. */
export interface CodexAnswersStep extends AnyStep {
  readonly codexAnswers: string;
  /** Only requests whose params are so; the others are answered as before. */
  readonly when?: Pattern;
  /** May use `${params.x}` of the request. */
  readonly result?: Template;
  /** Members over those of each item in a list of the usual answer. */
  readonly each?: { readonly list: string; readonly members: Template };
  /** The result as it is, without the usual one. */
  readonly exactly?: Template;
  readonly error?: Template;
}

/** Codex has this thread on disk, and answers reads, resumes and forks of it as the real one does. */
export interface CodexStoresStep extends AnyStep {
  /** Id of the thread. */
  readonly codexStores: string;
  /** Members that differ from those of a usual thread. */
  readonly thread?: Template;
  /** It is left out of lists, as older versions do it with a fork that nobody has prompted. */
  readonly unlisted?: true;
  /** Turns with an `id` and `items`; other members as of a completed turn. An item has its usual members under these. */
  readonly turns?: readonly Template[];
}

/** Codex keeps back the answer to the next request of this method. */
export interface CodexHoldsStep extends AnyStep {
  readonly codexHolds: string;
}

/** Codex gives the answer that it kept back; the usual one when none is given. */
export interface CodexReleasesStep extends AnyStep {
  readonly codexReleases: string;
  readonly result?: Template;
  readonly error?: Template;
}

/** Codex sends a notification. */
export interface CodexTellsStep extends AnyStep {
  readonly codexTells: string;
  readonly params: Template;
}

/** Codex sends a request. */
export interface CodexAsksStep extends AnyStep {
  readonly codexAsks: string;
  readonly params: Template;
  /** Members over those of `params`. */
  readonly more?: Template;
  readonly as: string;
}

/** Codex's process ends. */
export interface CodexDiesStep extends AnyStep {
  readonly codexDies: { readonly code?: number; readonly signal?: "SIGKILL" };
}

/** The next turn that the agent starts begins, or one that nobody here asked for (`thread`). Binds `{threadId, turnId}`. */
export interface BeginStep extends AnyStep {
  readonly begin: string;
  readonly thread?: Template;
  readonly turnId?: Template;
  /** Only take the turn; its first frames are not sent. */
  readonly silent?: true;
}

/** What a turn of Codex does next. The turn is `turn` unless `of` names another. */
export interface PlayStep extends AnyStep {
  /** A text stands for what a name holds. */
  readonly play: Play | readonly Play[] | string;
  readonly of?: string;
}

export type Play =
  | {
      readonly message: string;
      readonly id?: string;
      readonly phase?: "commentary" | "final_answer";
      readonly deltas?: readonly string[];
    }
  | { readonly messageDelta: string; readonly id: string }
  | { readonly reasoning: readonly string[]; readonly id?: string }
  | {
      readonly command: string;
      readonly id?: string;
      readonly output?: string;
      readonly exitCode?: number;
      readonly deltas?: readonly string[];
    }
  | { readonly outputDelta: string; readonly id: string }
  /** An item begins, with its usual members under these. */
  | { readonly starts: Template }
  /** An item is done, with its usual members under these. */
  | { readonly completes: Template }
  | { readonly usage: number; readonly total: number; readonly window?: number }
  | { readonly error: Template; readonly willRetry: boolean }
  /** The turn ends. */
  | { readonly ends: "completed" | "interrupted" | "failed"; readonly error?: Template };

export type Step =
  | UseStep
  | ForEachStep
  | AskStep
  | TellStep
  | RawStep
  | AnswerStep
  | ReadStep
  | EndStep
  | UpdateStep
  | SeesStep
  | CodexSeesStep
  | GivesStep
  | CodexGetsStep
  | UnorderedStep
  | NeverStep
  | CountStep
  | CheckStep
  | QuietStep
  | TrapStep
  | FilesInStep
  | CodexAnswersStep
  | CodexStoresStep
  | CodexHoldsStep
  | CodexReleasesStep
  | CodexTellsStep
  | CodexAsksStep
  | CodexDiesStep
  | BeginStep
  | PlayStep
  | ModelStep
  | ModelSeesStep
  | ModelGoesOnStep;
