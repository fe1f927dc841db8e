import { afterEach, expect, test } from "vitest";
import { type CaseModel, startCaseModel } from "../../../src/conformance/real/model.js";
import { message } from "../../../src/testing/scripted-model/steps.js";

let model: CaseModel;
let asked: unknown[];

const start = async (...prompts: readonly string[]): Promise<void> => {
  asked = [];
  const expected = (texts: readonly string[]): boolean => texts.some((text) => prompts.includes(text));
  model = await startCaseModel({ expected, asked: (body) => void asked.push(body) });
};
afterEach(() => model.close());

const ask = async (text: string): Promise<string> => {
  const input = [
    { role: "user", content: "an older one" },
    { role: "user", content: [{ type: "input_text", text }] },
    { type: "function_call_output", output: "x" },
  ];
  const response = await fetch(`${model.url}/responses`, { method: "POST", body: JSON.stringify({ input }) });
  return response.text();
};
const says = (text: string) => message({ text, deltas: null });
const any = (): boolean => true;

test("a request of the host's waits for its answer, and another gets one at once", async () => {
  await start("Hello");
  const hello = ask("Hello");
  expect(await ask("Make a title")).toContain("All right.");
  expect(asked).toHaveLength(2);
  model.answers((texts) => texts.includes("Hello"), [says("There.")]);
  expect(await hello).toContain("There.");
});

test("an answer that is wanted first waits for its request", async () => {
  await start("Hello");
  model.answers((texts) => texts.includes("Make a title"), [says("A title.")]);
  model.answers(any, [says("First.")]);
  model.answers(any, [says("Second.")]);
  expect(await ask("Hello")).toContain("First.");
  expect(await ask("Make a title")).toContain("A title.");
  expect(await ask("Hello")).toContain("Second.");
});

test("an answer goes on when it is told to, before or after", async () => {
  await start();
  model.answers(any, [says("Once."), model.waitsFor("a"), says("Twice.")]);
  model.answers(any, [model.waitsFor("b"), says("Thrice.")]);
  model.goesOn("b");
  const first = ask("Hello");
  expect(await ask("Hello")).toContain("Thrice.");
  model.goesOn("a");
  expect(await first).toMatch(/Once\..*Twice\./s);
});
