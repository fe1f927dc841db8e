/** The steps of a host's case. Part of the case files' format: see `format.ts`. */

import type { AnyStep, CheckStep, Pattern, Template, UseStep, Within } from "../conformance/step-format.js";
import type { Instructions } from "./driver-format.js";

/** The driver says who the host is. Binds it. */
export interface HelloStep extends AnyStep {
  readonly hello: string;
}

/** The host starts the agent and opens the connection. */
export interface OpenStep extends AnyStep {
  readonly open: true;
}

/** The user does something, through the driver. Its answer is awaited here, or with `later` by `did`. */
export interface UserStep extends AnyStep {
  readonly user: Exclude<keyof Instructions, "hello" | "open" | "shown">;
  readonly params?: Template;
  /** Name of the instruction, and of its result. */
  readonly as?: string;
  readonly later?: true;
  readonly result?: Pattern;
}

/** The driver's answer to an instruction that was given with `later`. */
export interface DidStep extends AnyStep {
  readonly did: string;
  readonly result?: Pattern;
}

/** The user sees this of a session, in the end and then still. Binds it. */
export interface ShownStep extends AnyStep {
  readonly shown: Pattern;
  /** Session id. Default `${session.sessionId}`. */
  readonly of?: Template;
  readonly as?: string;
}

/** The host sends this request or notification. Binds its params. */
export interface HostSendsStep extends AnyStep {
  readonly hostSends: string;
  readonly params?: Pattern;
  /** Name for what was sent, and for the request that `agentGives` answers. */
  readonly as?: string;
  /** The first frame of this method must be so; without it any later one will do. */
  readonly must?: Pattern;
  /** Look from the beginning, not from the last frame that was seen. */
  readonly anywhere?: true;
  readonly within?: Within;
}

/** The host answers what `agentAsks` asked. Binds the result. */
export interface HostAnswersStep extends AnyStep {
  readonly hostAnswers: string;
  readonly result?: Pattern;
  readonly error?: Pattern;
  /** The whole answer, where either will do. */
  readonly answered?: Pattern;
}

/** The agent sends updates of a session, in one piece. */
export interface AgentUpdatesStep extends AnyStep {
  readonly agentUpdates: readonly Template[];
  /** Session id. Default `${session.sessionId}`. */
  readonly of?: Template;
}

/** The agent sends a notification. */
export interface AgentTellsStep extends AnyStep {
  readonly agentTells: string;
  readonly params: Template;
  /** It is off contract on purpose. */
  readonly wrong?: true;
}

/** The agent sends a request. */
export interface AgentAsksStep extends AnyStep {
  readonly agentAsks: string;
  readonly params: Template;
  readonly as: string;
  /** It is no method of anybody, on purpose. */
  readonly wrong?: true;
}

/** The agent withdraws a request with `$/cancel_request`. */
export interface AgentWithdrawsStep extends AnyStep {
  readonly agentWithdraws: string;
}

/** The agent answers this method so from now on. */
export interface AgentAnswersStep extends AnyStep {
  readonly agentAnswers: string;
  /** May use `${params.x}` of the request. */
  readonly result?: Template;
  readonly error?: Template;
}

/** The agent keeps back its answers to this method from now on; `agentGives` gives each. `session/prompt` is always so. */
export interface AgentHoldsStep extends AnyStep {
  readonly agentHolds: string;
}

/** The agent answers a request that it kept back, and that `hostSends` named. */
export interface AgentGivesStep extends AnyStep {
  readonly agentGives: string;
  readonly result?: Template;
  readonly error?: Template;
}

/** A kind of frame of the host, for `never` and `count`. */
export interface HostKind {
  /** A method, or a rule for methods. */
  readonly hostSends?: Pattern;
  readonly params?: Pattern;
  /** An answer to what `agentAsks` named so. */
  readonly hostAnswers?: string;
  /** Any frame to the agent that has this text in it. */
  readonly text?: string;
}

/** No such frame from here to the end, or to the step with the label `until`. Judged when the case is over. */
export interface HostNeverStep extends AnyStep {
  readonly never: HostKind;
  readonly until?: string;
}

/** How many such frames there are in all. Judged when the case is over. */
export interface HostCountStep extends AnyStep {
  readonly count: HostKind;
  readonly is: number;
}

/** Waits until the host has taken in all that the agent said, by a round trip; later watches look from there. */
export interface HostQuietStep extends AnyStep {
  readonly hostQuiet: true;
}

/** A step that a run meets: the others are written out at loading. */
export type RunHostStep =
  | HelloStep
  | OpenStep
  | UserStep
  | DidStep
  | ShownStep
  | HostSendsStep
  | HostAnswersStep
  | AgentUpdatesStep
  | AgentTellsStep
  | AgentAsksStep
  | AgentWithdrawsStep
  | AgentAnswersStep
  | AgentHoldsStep
  | AgentGivesStep
  | HostNeverStep
  | HostCountStep
  | CheckStep
  | HostQuietStep;

export type HostStep = UseStep | RunHostStep;
