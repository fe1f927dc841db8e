/**
 * What a file of conformance cases holds. The JSON Schema beside the cases is made from these types
 * (`npm run generate`), so a comment here is what an editor shows.
 */

/** Any JSON value. A string may hold `${name.member}`, which stands for what an earlier step bound; alone it keeps its type. */
export type Template = unknown;

/**
 * What a value must be. Objects name the members that matter, arrays match item by item, other values match themselves.
 * An object with one member that begins with `$` is a rule: see `pattern.ts`.
 */
export type Pattern = unknown;

/** Steps under a name, for use by many cases. `${with.x}` stands for what the user gives. */
export interface Prelude {
  /** What it leaves behind, and the names it binds. */
  readonly doc: string;
  readonly steps: readonly Step[];
}

export interface PreludeFile {
  readonly $schema?: string;
  readonly preludes: { readonly [name: string]: Prelude };
}

/** A claim that a case stands on. */
export interface Feature {
  readonly doc: string;
  /** Member of `capabilities` in the agent's `initialize` result that claims it, as `session.fork`. Left out: nothing on the wire says so, and it is taken as claimed unless a features file denies it. */
  readonly capability?: string;
}

export interface FeatureFile {
  readonly $schema?: string;
  readonly features: { readonly [name: string]: Feature };
}

/** Clauses that no case can show, and why. */
export interface NotShownFile {
  readonly $schema?: string;
  readonly reasons: readonly { readonly reason: string; readonly clauses: readonly string[] }[];
}

export interface CaseFile {
  readonly $schema?: string;
  /** Area of the contract, as `PROMPT`: the first half of each case's name, in small letters. */
  readonly area: string;
  /** Claims that every case here stands on. */
  readonly needs?: readonly string[];
  readonly cases: readonly Case[];
}

export interface Case {
  /** Second half of the name: small letters, digits and hyphens. */
  readonly name: string;
  /** What is shown, as a sentence. */
  readonly title: string;
  /** Clauses that a failure of this case breaks. The strongest of them gives the case its level. */
  readonly clauses: readonly string[];
  /** What stands behind the agent. Default `scripted`: our scripted Codex. `none`: Codex is there and never looked at. */
  readonly ground?: "none" | "scripted";
  /** Claims it stands on, besides those of its file. */
  readonly needs?: readonly string[];
  /** One case for each row, with `${row.x}`; `row.name` is the last part of the case's name. */
  readonly rows?: readonly { readonly name: string; readonly [member: string]: Template }[];
  /** Environment of the agent; null takes a variable away. */
  readonly env?: { readonly [name: string]: string | null };
  /** `capabilities` of the host in `initialize`. Default `{}`. */
  readonly client?: Template;
  readonly steps: readonly Step[];
}

interface AnyStep {
  /** Name for `after` of later steps. */
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

/** The host sends a request. With `result` or `error` the answer is awaited here, else by `gives`. */
export interface AskStep extends AnyStep {
  readonly ask: string;
  readonly params?: Template;
  /** Name of the request, and of its result. */
  readonly as?: string;
  /** The params are wrong on purpose. */
  readonly wrong?: true;
  readonly result?: Pattern;
  readonly error?: Pattern;
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
  readonly sees?: string;
  readonly codexSees?: string;
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

/** Waits until the agent has taken in all that was said, by a round trip on each side. */
export interface QuietStep extends AnyStep {
  readonly quiet: true;
}

/** Codex answers this method so from now on; members of `result` go over those of the usual answer. */
export interface CodexAnswersStep extends AnyStep {
  readonly codexAnswers: string;
  /** May use `${params.x}` of the request. */
  readonly result?: Template;
  /** The result as it is, without the usual one. */
  readonly exactly?: Template;
  readonly error?: Template;
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
  readonly play: Play | readonly Play[];
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
  | QuietStep
  | CodexAnswersStep
  | CodexHoldsStep
  | CodexReleasesStep
  | CodexTellsStep
  | CodexAsksStep
  | CodexDiesStep
  | BeginStep
  | PlayStep;
