import { expect, test } from "vitest";
import responses from "../../../src/testing/scripted-codex/recordings/responses.json" with { type: "json" };
import turn from "../../../src/testing/scripted-codex/recordings/turn.json" with { type: "json" };
import { codexDefinition, model, schemas } from "../../support/schemas.js";

test.each(Object.entries(responses))("the recorded answer to %s is on schema", (name, result) => {
  const [method = ""] = name.split("+");
  const check = schemas.codex("bridge", method)?.result;
  expect(check?.(result)).toBeNull();
  // The captured schemas name every member that the real Codex sends.
  const definition = model.codex.requests.find((row) => row.method === method)?.result ?? "";
  expect(codexDefinition(definition, true)(result)).toBeNull();
});

test("the frames of the recorded turn are on schema", () => {
  expect(turn.length).toBeGreaterThan(30);
  for (const { method, params } of turn)
    expect([method, schemas.codex("codex", method)?.params(params)]).toEqual([method, null]);
});

test("the recordings hold no path but those of the invented user", () => {
  const text = JSON.stringify([responses, turn]);
  const paths = text.match(/(?<=")\/(?!home\/user)[\w./-]+(?=")/g) ?? [];
  expect(paths.filter((path) => !/^\/(bin|etc|dev)\//.test(path))).toEqual([]);
  expect(text).not.toContain("/root/");
});
