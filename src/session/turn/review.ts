import { agentMessage, reviewMessage } from "../../projection/message.js";
import { patchTool } from "../../projection/tool-view.js";
import type { ItemOf, Update } from "../../projection/update.js";
import type { ActiveTurn, Review, SessionState } from "./state.js";
import { type Step, step, updates, withTurn } from "./step.js";

const none: Review = { itemId: null, exits: [], texts: [] };

/** A review began or is known to go on: what its turn says is remembered until the end. */
export const entered = (state: SessionState, turn: ActiveTurn, itemId: string | null): SessionState =>
  withTurn(state, turn, { review: { ...(turn.review ?? none), itemId: itemId ?? turn.review?.itemId ?? null } });

/** A review ended. Its result waits: a message of the turn may say the same, before it or after it (REVIEW-02). */
export function onReviewExit(state: SessionState, turn: ActiveTurn, item: ItemOf<"exitedReviewMode">): Step {
  const review = turn.review ?? none;
  const next = withTurn(state, turn, { review: { ...review, exits: [...review.exits, item] } });
  const { itemId } = review;
  if (itemId === null || !state.ledger.get(itemId)?.tool) return step(next);
  const ledger = new Map(state.ledger);
  ledger.delete(itemId);
  const done = patchTool({ toolCallId: itemId, status: "completed" });
  return step({ ...next, ledger }, ...updates([done]));
}

/** Only texts meant for the user count; those of every turn, as a review's result may come without its beginning. */
export function withText(state: SessionState, item: ItemOf<"agentMessage">): SessionState {
  const { turn } = state;
  if (!turn || item.phase === "commentary") return state;
  const review = turn.review ?? none;
  return withTurn(state, turn, { review: { ...review, texts: [...review.texts, item.text.trim()] } });
}

/** Results that no message of the turn repeats (REVIEW-01, REVIEW-03, A-60). */
export function reviewResults(turn: ActiveTurn, cwd: string): Update[] {
  const { review } = turn;
  if (!review) return [];
  return review.exits
    .filter(({ review: result }) => !review.texts.includes(result.trim()))
    .map((item) =>
      agentMessage(reviewMessage(item), {
        turnId: turn.id ?? "",
        turnStartedAt: turn.startedAt,
        cwd,
        cancelled: false,
        work: null,
        completedAt: item.completedAtMs ?? null,
      }),
    );
}
