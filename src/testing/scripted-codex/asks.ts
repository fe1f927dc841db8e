/** A request of the scripted Codex to the bridge. */
export interface Asked<Result> {
  readonly id: number;
  /** Rejects with `AnswerError` when the bridge answers with an error. */
  readonly answer: Promise<Result>;
  readonly answered: boolean;
}

/** The bridge answered a server request with an error. */
export class AnswerError extends Error {
  override readonly name = "AnswerError";
  readonly code: unknown;

  constructor(code: unknown, message: string) {
    super(message);
    this.code = code;
  }
}

export interface AskOptions {
  send(frame: object): void;
  notify(method: string, params: unknown): void;
}

interface Open {
  readonly threadId: string | undefined;
  resolve(result: unknown): void;
  reject(error: AnswerError): void;
}

export interface Asks {
  ask(method: string, params: unknown): Asked<unknown>;
  answered(frame: Record<string, unknown>): void;
  /** A new process: ids start again, what was open stays unanswered. */
  reset(): void;
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined;

/** Requests to the bridge. As from the real Codex, `serverRequest/resolved` follows the answer to one about a thread. */
export function createAsks({ send, notify }: AskOptions): Asks {
  const open = new Map<unknown, Open>();
  let next = 0;
  return {
    ask(method, params) {
      const id = next;
      next += 1;
      const threadId = memberOf(params, "threadId");
      const state = { answered: false };
      const answer = new Promise<unknown>((resolve, reject) => {
        open.set(id, {
          threadId: typeof threadId === "string" ? threadId : undefined,
          resolve(result) {
            state.answered = true;
            resolve(result);
          },
          reject(error) {
            state.answered = true;
            reject(error);
          },
        });
      });
      // A test that does not look at the answer must not fail for a refusal.
      answer.catch(() => undefined);
      send({ id, method, params });
      return {
        id,
        answer,
        get answered() {
          return state.answered;
        },
      };
    },
    answered(frame) {
      const id = frame["id"];
      const asked = open.get(id);
      // The strict checker blames the bridge for an answer to nothing.
      if (asked === undefined) return;
      open.delete(id);
      if (asked.threadId !== undefined) {
        notify("serverRequest/resolved", { threadId: asked.threadId, requestId: id });
      }
      const error = frame["error"];
      if (error === undefined) asked.resolve(frame["result"]);
      else asked.reject(new AnswerError(memberOf(error, "code"), String(memberOf(error, "message"))));
    },
    reset() {
      open.clear();
      next = 0;
    },
  };
}
