import type { CodexErrorKind } from "../../src/codex/error-text.js";
import type { ModelScript } from "../../src/testing/scripted-model/steps.js";
import type { ProbeRig } from "./rig.js";

/**
 * A question to a running Codex that its schemas do not answer. What Codex does is told in one line, the same each time:
 * ids, paths and ports are taken out of it.
 */
export interface Probe {
  /** Kebab-case, and never reused: answers are compared by it. */
  readonly name: string;
  readonly question: string;
  /** What the model says. */
  readonly scripts?: readonly ModelScript[];
  /** Tables of Codex's config. */
  readonly tables?: readonly string[];
  /** Lines of the scripted provider in Codex's config. */
  readonly provider?: readonly string[];
  /** Make the workspace a git repository. */
  readonly git?: boolean;
  /** For a probe of a refusal: what the bridge takes its text for; any of them where versions refuse for other reasons. */
  readonly kind?: CodexErrorKind | readonly CodexErrorKind[];
  ask(rig: ProbeRig): Promise<string>;
}
