import type { ThreadNotifications } from "../../generated/codex/dispatch.js";
import type { Turn } from "../../generated/codex/types.js";
import type { SlashCommandName } from "../../generated/contract/tables.js";
import type { Update } from "../../projection/update.js";
import type { Prompt } from "./state.js";

/** How a call ended. `lost`: Codex went away before it answered. */
export type Outcome<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly lost: boolean; readonly message: string };

/** A process that Codex still runs for the thread. */
export interface BackgroundProcess {
  readonly itemId: string;
  readonly processId: string;
}

/** A notification of Codex about the session's thread. */
export type NotificationEvent<Key extends keyof ThreadNotifications = keyof ThreadNotifications> = {
  [K in Key]: { readonly type: "notification"; readonly key: K; readonly params: ThreadNotifications[K] };
}[Key];

/** Everything that can happen to a session. */
export type SessionEvent =
  | { readonly type: "prompt"; readonly prompt: Prompt }
  /** What had to happen before `turn/start` is done, or failed. */
  | { readonly type: "prepared"; readonly receipt: string; readonly outcome: Outcome<null> }
  | { readonly type: "turnStartSettled"; readonly receipt: string; readonly outcome: Outcome<Turn | null> }
  | { readonly type: "steerSettled"; readonly receipt: string; readonly outcome: Outcome<string> }
  /** The bridge's own answer to a command is ready. */
  | { readonly type: "answered"; readonly receipt: string; readonly outcome: Outcome<string> }
  /** The host answered whether to carry out the plan; `lost` as when it could not be asked. */
  | { readonly type: "planAnswered"; readonly about: string; readonly implement: boolean }
  | { readonly type: "cancel" }
  | {
      readonly type: "interruptSettled";
      readonly turnId: string;
      readonly attempt: number;
      readonly outcome: Outcome<null>;
    }
  | {
      readonly type: "statusSettled";
      /** The turn, as `turnKey` names it. */
      readonly about: string;
      readonly attempt: number;
      readonly outcome: Outcome<"idle" | "notLoaded" | "active" | "systemError">;
    }
  | { readonly type: "timer"; readonly timer: Timer; readonly about: string; readonly attempt: number }
  | NotificationEvent
  | { readonly type: "blocked"; readonly key: string }
  | { readonly type: "unblocked"; readonly key: string }
  | {
      readonly type: "backgroundSettled";
      readonly turnId: string;
      readonly outcome: Outcome<readonly BackgroundProcess[]>;
    }
  | { readonly type: "terminateSettled"; readonly turnId: string }
  | { readonly type: "codexLost"; readonly reason: string }
  | { readonly type: "close" };

/**
 * `compaction`: the end of a compaction whose item has ended is overdue; `completion`: the turn's end is overdue after an interrupt; `status`: so is the answer to `thread/read`;
 * `background`: so is what still runs; `ghost`: try again to stop a turn that was given up; `delivery`: so is what
 * became of a prompt that goes into a running turn; `start`: so is the name of a turn whose end seems to be told.
 */
export type Timer = "compaction" | "completion" | "status" | "background" | "ghost" | "delivery" | "start";

/** Everything a session asks for. Carried out in order by the runner. */
export type SessionEffect =
  | { readonly type: "update"; readonly update: Update }
  /** Bring skills and thread up to date, then report `prepared`. */
  | { readonly type: "prepare"; readonly receipt: string; readonly resume: boolean }
  | { readonly type: "startTurn"; readonly prompt: Prompt }
  | { readonly type: "answer"; readonly receipt: string; readonly command: SlashCommandName }
  /** Ask the host whether to carry out the plan whose call was announced. */
  | { readonly type: "askPlan"; readonly about: string; readonly toolCallId: string }
  /** Start the turn that carries the plan out. */
  | { readonly type: "implementPlan"; readonly receipt: string }
  /** Codex put its own input for the command of `receipt` into a turn of its own, which stored history must not show. */
  | { readonly type: "inputTurn"; readonly receipt: string; readonly turnId: string }
  | { readonly type: "steer"; readonly prompt: Prompt; readonly turnId: string }
  | { readonly type: "interrupt"; readonly turnId: string; readonly attempt: number }
  | {
      readonly type: "readStatus" /** The turn, as `turnKey` names it. */;
      readonly about: string;
      readonly attempt: number;
    }
  | { readonly type: "listBackground"; readonly turnId: string }
  | { readonly type: "terminate"; readonly turnId: string; readonly processId: string }
  | {
      readonly type: "after";
      readonly timer: Timer;
      readonly ms: number;
      readonly about: string;
      readonly attempt: number;
    }
  /** Answer the host's `session/prompt`. */
  | { readonly type: "accept"; readonly receipt: string; readonly steered: string | null }
  | { readonly type: "reject"; readonly receipt: string; readonly message: string; readonly lost: boolean }
  /** Take back every open request to the host of the session: its turn stops or ends, or the session does. */
  | { readonly type: "withdraw" }
  /** No turn is active any more. */
  | { readonly type: "ended" };
