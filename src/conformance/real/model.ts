import { isObject } from "../../runtime/index.js";
import type { Choice } from "../../testing/scripted-model/choose.js";
import { startScriptedModel } from "../../testing/scripted-model/server.js";
import { message, type Part, waitFor } from "../../testing/scripted-model/steps.js";

export interface CaseRequest {
  readonly body: unknown;
  /** Its path and its headers, by name in small letters. */
  readonly http: unknown;
}

/** A model that says what a case has it say, when the case says so. */
export interface CaseModel {
  /** What a provider's `base_url` wants. */
  readonly url: string;
  /** The requests so far, oldest first. */
  readonly requests: readonly CaseRequest[];
  /** Answers the oldest request that is wanted and has no answer, or else the next one. */
  answers(wanted: Wanted, parts: readonly Part[]): void;
  /** A part that is over when `goesOn` was called with its name, before or after. */
  waitsFor(name: string): Part;
  goesOn(name: string): void;
  close(): Promise<void>;
}

/** Whether a request is meant, by the texts of its newest user message. */
export type Wanted = (texts: readonly string[]) => boolean;

export interface CaseModelOptions {
  /** Whether the request belongs to a turn of the host's: it waits for its answer. Others get one at once. */
  readonly expected: Wanted;
  /** Told of each request, once it is among `requests`. */
  readonly asked: (body: unknown) => void;
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const textsOf = (body: unknown): readonly string[] => {
  const newest = listOf(Object(body).input).findLast((item) => isObject(item) && item["role"] === "user");
  const { content } = Object(newest);
  if (typeof content === "string") return [content];
  return listOf(content).flatMap((part) => (isObject(part) && typeof part["text"] === "string" ? [part["text"]] : []));
};

interface Gate {
  readonly open: () => void;
  readonly opened: Promise<void>;
}

function createGate(): Gate {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

export async function startCaseModel({ expected, asked }: CaseModelOptions): Promise<CaseModel> {
  const requests: CaseRequest[] = [];
  const scripts: { readonly wanted: Wanted; readonly parts: readonly Part[] }[] = [];
  const unanswered: { readonly texts: readonly string[]; readonly give: (choice: Choice) => void }[] = [];
  const gates = new Map<string, Gate>();
  const gateOf = (name: string): Gate => {
    const gate = gates.get(name) ?? createGate();
    gates.set(name, gate);
    return gate;
  };
  const choiceOf = (parts: readonly Part[]): Choice => ({ key: null, step: requests.length, parts });

  const server = await startScriptedModel({
    scripts(body, http) {
      requests.push({ body, http });
      asked(body);
      const texts = textsOf(body);
      const index = scripts.findIndex(({ wanted }) => wanted(texts));
      const [script] = index < 0 ? [] : scripts.splice(index, 1);
      if (script !== undefined) return choiceOf(script.parts);
      if (!expected(texts)) return choiceOf([message("All right.")]);
      return new Promise((give) => unanswered.push({ texts, give }));
    },
  });
  return {
    url: server.url,
    requests,
    answers(wanted, parts) {
      const index = unanswered.findIndex(({ texts }) => wanted(texts));
      const [request] = index < 0 ? [] : unanswered.splice(index, 1);
      if (request === undefined) scripts.push({ wanted, parts });
      else request.give(choiceOf(parts));
    },
    waitsFor: (name) => waitFor(gateOf(name).opened),
    goesOn: (name) => gateOf(name).open(),
    close: () => server.close(),
  };
}
