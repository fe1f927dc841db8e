import type { SessionEffect } from "./events.js";
import { newTurn, type Prompt, type SessionState } from "./state.js";
import { currentState, type Step, step, update } from "./step.js";

/** Answers the host's request; a prompt that was answered before is not answered twice. */
export const accept = (prompt: Prompt, steered: string | null = null): SessionEffect => ({
  type: "accept",
  receipt: prompt.receipt,
  steered,
});

/** Makes the prompt the owner of a new turn. */
export function openTurn(state: SessionState, prompt: Prompt): Step {
  const next: SessionState = { ...state, turn: newTurn(prompt, state.usage) };
  return step(next, update(currentState(next)), accept(prompt), {
    type: "prepare",
    receipt: prompt.receipt,
    resume: state.unloaded,
  });
}
