import type { PromptHandlers } from "../generated/agent/handlers.js";
import { errors } from "../generated/contract/errors.js";
import { hostRequests } from "../generated/contract/methods.js";
import type { SessionPromptParams, SessionPromptResult } from "../generated/contract/types.js";
import { replyParts } from "../projection/question-reply.js";
import { modelOf } from "../session/settings.js";
import { intentOf } from "./commands/action.js";
import { setPlanMode } from "./commands/plan.js";
import { holdsImage } from "./prompt-input.js";
import { requirePlace, sourcesFor } from "./providers/places.js";
import type { OpenSession, Services } from "./services.js";
import { cancelTerminal } from "./terminal.js";

export const promptPolicy = (services: Services, open: (id: string) => OpenSession | undefined): PromptHandlers => ({
  async sessionPrompt(params) {
    const { sessionId } = params;
    if (services.viewing.has(sessionId)) throw errors.readOnlySession();
    const over = services.admission.prompt(sessionId);
    try {
      // The turn has begun when this returns; its answer is waited for outside, since it holds nobody off (ROUTE-10).
      const { accepted } = await insert(services, open, params);
      over();
      return await accepted;
    } finally {
      over();
    }
  },
  terminalCancel: (params) => cancelTerminal(services, open, params),
  async sessionCancel({ sessionId }) {
    services.restoring.get(sessionId)?.();
    open(sessionId)?.dispatch({ type: "cancel" });
  },
});

async function insert(
  services: Services,
  open: (id: string) => OpenSession | undefined,
  { sessionId, prompt, _meta }: SessionPromptParams,
): Promise<{ readonly accepted: Promise<SessionPromptResult> }> {
  const session = open(sessionId);
  if (!session) throw errors.promptSessionNotFound({ sessionId });
  requirePlace(services, session);
  if (prompt.length === 0) throw errors.emptyPrompt();
  const { action, input, planMode } = intentOf(prompt);
  const receipt = _meta?.alwith?.messageId ?? services.newId();
  if (session.state.receipts.has(receipt) || session.answers.has(receipt)) {
    throw errors.messageIdReused({ messageId: receipt });
  }
  const image = holdsImage(prompt);
  if (image >= 0) {
    const { wanted } = session.settings;
    const model = modelOf(wanted, sourcesFor(services, session, await services.codex.models()).own);
    // A model that the catalog does not know, as on a gateway, is given the benefit of the doubt.
    if (model?.inputModalities && !model.inputModalities.includes("image")) {
      throw errors.imageNotSupported({ path: `/prompt/${image}`, model: wanted.model });
    }
  }
  if (planMode) await setPlanMode(services, session, true);
  if (session.state.closed) throw errors.promptSessionNotFound({ sessionId });
  // It was opened anew while this prompt waited: nobody hears this session any more.
  if (open(sessionId) !== session)
    throw errors.sessionBusy({ sessionId, operation: hostRequests.sessionResume.method });
  const parts = replyParts(prompt);
  const accepted = new Promise<SessionPromptResult>((resolve, reject) => {
    session.answers.set(receipt, {
      accept: (steered) =>
        resolve({ messageId: receipt, ...(steered === null ? {} : { _meta: { codex: { steered } } }) }),
      reject,
    });
    session.dispatch({
      type: "prompt",
      prompt: {
        receipt,
        content: prompt,
        input,
        action,
        sentAt: sentAt(_meta?.codex?.messageSentAt),
        ...(parts ? { questionReplyParts: parts } : {}),
      },
    });
  });
  return { accepted };
}

/** A clock that is no finite, non-negative number is ignored, not refused. */
const sentAt = (value: unknown): number | null =>
  typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : null;
