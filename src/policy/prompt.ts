import type { PromptHandlers } from "../generated/agent/handlers.js";
import { errors } from "../generated/contract/errors.js";
import { hostRequests } from "../generated/contract/methods.js";
import type { SessionPromptResult } from "../generated/contract/types.js";
import { replyParts } from "../projection/question-reply.js";
import { modelOf } from "../session/settings.js";
import { intentOf } from "./commands/action.js";
import { setPlanMode } from "./commands/plan.js";
import { holdsImage } from "./prompt-input.js";
import type { OpenSession, Services } from "./services.js";
import { cancelTerminal } from "./terminal.js";

export const promptPolicy = (services: Services, open: (id: string) => OpenSession | undefined): PromptHandlers => ({
  async sessionPrompt({ sessionId, prompt, _meta }) {
    if (services.viewing.has(sessionId)) throw errors.readOnlySession();
    const session = open(sessionId);
    if (!session) throw errors.promptSessionNotFound({ sessionId });
    if (prompt.length === 0) throw errors.emptyPrompt();
    const { action, input, planMode } = intentOf(prompt);
    const receipt = _meta?.alwith?.messageId ?? services.newId();
    if (session.state.receipts.has(receipt) || session.answers.has(receipt)) {
      throw errors.messageIdReused({ messageId: receipt });
    }
    const image = holdsImage(prompt);
    if (image >= 0) {
      const { wanted } = session.settings;
      const model = modelOf(wanted, await services.codex.models());
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
    return new Promise<SessionPromptResult>((resolve, reject) => {
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
  },
  terminalCancel: (params) => cancelTerminal(services, open, params),
  async sessionCancel({ sessionId }) {
    services.restoring.get(sessionId)?.();
    open(sessionId)?.dispatch({ type: "cancel" });
  },
});

/** A clock that is no finite, non-negative number is ignored, not refused. */
const sentAt = (value: unknown): number | null =>
  typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : null;
