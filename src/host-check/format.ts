/**
 * What a file of cases for hosts holds. The JSON Schema beside the cases is made from these types
 * (`npm run generate`), so a comment here is what an editor shows.
 */

import type { Template } from "../conformance/step-format.js";
import type { Ability } from "./driver-format.js";
import type { HostStep } from "./step-format.js";

/** Steps under a name, for use by many cases. `${with.x}` stands for what the user gives. */
export interface HostPrelude {
  /** What it leaves behind, and the names it binds. */
  readonly doc: string;
  /** What `with` holds where the user gives nothing. */
  readonly defaults?: { readonly [name: string]: Template };
  readonly steps: readonly HostStep[];
}

export interface HostPreludeFile {
  readonly $schema?: string;
  readonly preludes: { readonly [name: string]: HostPrelude };
}

/** Duties of hosts in the contract that no case can show, and why. */
export interface HostNotShownFile {
  readonly $schema?: string;
  readonly reasons: readonly { readonly reason: string; readonly clauses: readonly string[] }[];
}

/** What the ACP draft says, word for word: a part of a type's or a member's description in `schemas/acp`. */
export interface DraftRule {
  /** A definition of the draft's schema, as `AgentMessage`, or a member of one, as `AgentMessage.content`. */
  readonly type: string;
  readonly says: string;
}

export interface HostCaseFile {
  readonly $schema?: string;
  /** What the cases are about, as `PERMISSION`: the first half of each case's name, in small letters. */
  readonly area: string;
  readonly cases: readonly HostCase[];
}

export interface HostCase {
  /** Second half of the name: small letters, digits and hyphens. */
  readonly name: string;
  /** What is shown, as a sentence. */
  readonly title: string;
  /** Clauses of the contract that a failure of this case breaks. */
  readonly clauses?: readonly string[];
  /** Rules of the ACP draft that a failure of this case breaks. */
  readonly draft?: readonly DraftRule[];
  readonly level: "MUST" | "SHOULD" | "MAY";
  /** What the driver must be able to do besides. */
  readonly needs?: readonly Ability[];
  /** One case for each row, with `${row.x}`; `row.name` is the last part of the case's name. */
  readonly rows?: readonly { readonly name: string; readonly [member: string]: Template }[];
  readonly steps: readonly HostStep[];
}
