import { errors } from "../generated/contract/errors.js";

/**
 * Who may work on the sessions of a connection at a time. Lifecycle and config work of one session does not overlap
 * (ROUTE-09); a switch of providers begins only when there is none, nor a prompt on its way to a turn, and lets none
 * begin while it runs (ROUTE-07, ROUTE-08). A turn that runs is no work: it holds nothing (ROUTE-10).
 */
export interface Admission {
  /**
   * Takes a session for an operation, or, with null, opens one that has no name yet. The function returned ends it.
   *
   * @throws {ContractError} `session_busy`, `switch_in_progress`.
   */
  enter(sessionId: string | null, operation: string): () => void;
  /** The operation that has the session; undefined when none has. */
  operationOn(sessionId: string): string | undefined;
  /**
   * A prompt is being turned into a turn. Prompts do not keep each other off.
   *
   * @throws {ContractError} `session_busy`, `switch_in_progress`.
   */
  prompt(sessionId: string): () => void;
  /** Whether a prompt of that session is on its way. */
  prompting(sessionId: string): boolean;
  /**
   * Begins a switch.
   *
   * @throws {ContractError} `provider_work_active`, `switch_in_progress`.
   */
  beginSwitch(): () => void;
}

export function createAdmission(): Admission {
  const taken = new Map<string, string>();
  /** Operations without a session, and what holds them apart. */
  const nameless = new Map<symbol, string>();
  const prompts = new Map<string, number>();
  let switching = false;

  const refuse = (sessionId: string | null): void => {
    if (switching) throw errors.switchInProgress();
    const operation = sessionId === null ? undefined : taken.get(sessionId);
    if (sessionId !== null && operation !== undefined) throw errors.sessionBusy({ sessionId, operation });
  };

  return {
    enter(sessionId, operation) {
      refuse(sessionId);
      if (sessionId !== null) {
        taken.set(sessionId, operation);
        return () => void taken.delete(sessionId);
      }
      const key = Symbol(operation);
      nameless.set(key, operation);
      return () => void nameless.delete(key);
    },
    operationOn: (sessionId) => taken.get(sessionId),
    prompt(sessionId) {
      refuse(sessionId);
      prompts.set(sessionId, (prompts.get(sessionId) ?? 0) + 1);
      let over = false;
      return () => {
        if (over) return;
        over = true;
        const left = (prompts.get(sessionId) ?? 1) - 1;
        if (left === 0) prompts.delete(sessionId);
        else prompts.set(sessionId, left);
      };
    },
    prompting: (sessionId) => prompts.has(sessionId),
    beginSwitch() {
      if (switching) throw errors.switchInProgress();
      const [operation] = [...taken.values(), ...nameless.values(), ...(prompts.size > 0 ? ["a prompt"] : [])];
      if (operation !== undefined) throw errors.providerWorkActive({ operation });
      switching = true;
      return () => {
        switching = false;
      };
    },
  };
}
