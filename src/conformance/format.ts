/**
 * What a file of conformance cases holds. The JSON Schema beside the cases is made from these types
 * (`npm run generate`), so a comment here is what an editor shows.
 */

import type { Step, Template } from "./step-format.js";

/** Steps under a name, for use by many cases. `${with.x}` stands for what the user gives. */
export interface Prelude {
  /** What it leaves behind, and the names it binds. */
  readonly doc: string;
  /** What `with` holds where the user gives nothing. */
  readonly defaults?: { readonly [name: string]: Template };
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

/** Path to what a file holds: a text, which may be a long one (`$text`), or a list of JSON values, one a line. Or to what is no regular file: a link to another path of the folder, or a pipe that nobody writes to. */
export interface Files {
  readonly [path: string]:
    | string
    | { readonly $text: readonly (readonly [text: string, times: number])[] }
    | { readonly $link: string }
    | { readonly $pipe: true }
    | readonly Template[];
}

export interface Case {
  /** Second half of the name: small letters, digits and hyphens. */
  readonly name: string;
  /** What is shown, as a sentence. */
  readonly title: string;
  /** Clauses that a failure of this case breaks. The strongest of them gives the case its level. */
  readonly clauses: readonly string[];
  /** What stands behind the agent. Default `scripted`: our scripted Codex. `none`: Codex is there and never looked at. `real`: the real Codex, whose model is ours. */
  readonly ground?: "none" | "scripted" | "real";
  /** Claims it stands on, besides those of its file. */
  readonly needs?: readonly string[];
  /** One case for each row, with `${row.x}`; `row.name` is the last part of the case's name. */
  readonly rows?: readonly { readonly name: string; readonly [member: string]: Template }[];
  /** Folders of the case's own, made before the agent starts and gone after it: name, which stands for the folder's path from the first step on, to its files. */
  readonly folders?: { readonly [name: string]: Files };
  /** Environment of the agent; null takes a variable away. It may name folders. */
  readonly env?: { readonly [name: string]: string | null };
  /** `capabilities` of the host in `initialize`. Default `{}`. */
  readonly client?: Template;
  readonly steps: readonly Step[];
}
