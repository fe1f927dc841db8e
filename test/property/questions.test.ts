/** Whatever Codex asks, what the host is asked and what Codex is told keep to their schemas, and no yes comes of no. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { serverRequests } from "../../src/generated/codex/methods.js";
import { agentRequests } from "../../src/generated/contract/methods.js";
import { codexServerRequests } from "../../src/generated/testing/arbitraries.js";
import type { Asked, Reply } from "../../src/policy/question.js";
import { defaultQuestions as questions } from "../../src/policy/questions.js";
import { initialState } from "../../src/session/turn/state.js";
import { codexDefinition, model, schemas } from "../support/schemas.js";

const keys = Object.keys(questions) as (keyof typeof questions)[];
const state = initialState({ cwd: "/work" });
const capabilities = [{}, { elicitation: { form: {} } }, { elicitation: { form: {}, url: {} } }];

/** What tells Codex yes, of any request. */
const allows = (result: object): boolean => {
  const { decision, action, permissions } = Object(result);
  const granted = permissions !== undefined && Object.keys(permissions).length > 0;
  const refused = [undefined, "decline", "cancel"];
  return granted || !refused.includes(decision) || action === "accept";
};

const problemOf = (kind: "permission" | "elicitation", request: unknown): unknown => {
  const { method } = kind === "permission" ? agentRequests.requestPermission : agentRequests.elicitationCreate;
  return schemas.host("bridge", method)?.params(request);
};

describe.each(keys)("%s", (key) => {
  const { method } = serverRequests[key];
  // What Codex proposes goes back as it came, and may have members that the capture does not name.
  const answerFault = codexDefinition(model.codex.serverRequests.find((row) => row.method === method)?.result ?? "");
  const decide = questions[key] as (asked: Asked<unknown>) => Reply<object>;

  it("becomes a question on contract, whose answers are on schema and fail closed", () => {
    fc.assert(
      fc.property(
        fc.noShrink(codexServerRequests[key]() as fc.Arbitrary<unknown>),
        fc.constantFrom(...capabilities),
        (params, declared) => {
          const reply = decide({
            params,
            sessionId: "s",
            state,
            capabilities: declared,
            claimed: new Set(),
            toolSetRevision: 1,
            fullAccess: false,
            newId: () => "fresh",
          });
          if (reply.kind === "settled") {
            expect(answerFault(reply.result)).toBeNull();
            expect(allows(reply.result)).toBe(false);
            return;
          }
          if (reply.kind === "call") {
            expect(schemas.host("bridge", agentRequests.toolCall.method)?.params(reply.request)).toBeNull();
            expect(reply.permission && problemOf("permission", reply.permission.request)).toBeNull();
            for (const refusal of [
              reply.unanswered,
              reply.conflict,
              reply.failed("no"),
              reply.invalid("/success", "a boolean"),
              reply.permission?.unanswered,
              reply.permission?.unknown,
              ...(reply.permission?.decisions.values() ?? []),
            ]) {
              expect(answerFault(refusal)).toBeNull();
              expect(refusal).toMatchObject({ success: false });
            }
            return;
          }
          expect(problemOf(reply.kind, reply.request)).toBeNull();
          expect(answerFault(reply.unanswered)).toBeNull();
          expect(allows(reply.unanswered)).toBe(false);
          if (reply.kind === "elicitation") {
            for (const action of ["decline", "cancel", "_later"]) expect(allows(reply.decide({ action }))).toBe(false);
            expect(answerFault(reply.decide({ action: "accept", content: {} }))).toBeNull();
            return;
          }
          expect(allows(reply.unknown)).toBe(false);
          expect([...reply.decisions.keys()]).toEqual(reply.request.options.map(({ optionId }) => optionId));
          for (const { optionId, kind } of reply.request.options) {
            const decision = reply.decisions.get(optionId);
            expect(answerFault(decision)).toBeNull();
            if (/^(decline|cancel|reject)/.test(optionId))
              expect([optionId, allows(Object(decision))]).toEqual([optionId, false]);
            else expect(kind).toMatch(/^allow_|^reject_always$/);
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});
