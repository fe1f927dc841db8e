import { afterEach, expect, test } from "vitest";
import {
  type ScriptedModel,
  type ScriptedModelOptions,
  startScriptedModel,
} from "../../../src/testing/scripted-model/server.js";
import {
  applyPatch,
  cut,
  execCommand,
  httpError,
  message,
  reasoning,
  responseFailed,
  responseHeaders,
  stall,
  usage,
  waitFor,
} from "../../../src/testing/scripted-model/steps.js";

let model: ScriptedModel | undefined;

afterEach(async () => {
  await model?.close();
  model = undefined;
});

const start = async (options: ScriptedModelOptions): Promise<ScriptedModel> => {
  model = await startScriptedModel(options);
  return model;
};

const user = (text: string): object => ({ type: "message", role: "user", content: [{ type: "input_text", text }] });
const output = { type: "function_call_output", call_id: "x", output: "done" };

const ask = (at: ScriptedModel, ...input: object[]): Promise<Response> =>
  fetch(`${at.url}/responses`, { method: "POST", body: JSON.stringify({ input }) });

interface Event {
  readonly type: string;
  readonly item?: { readonly id: string; readonly call_id?: string; readonly content?: { readonly text: string }[] };
  readonly response?: {
    readonly usage?: { readonly total_tokens: number };
    readonly error?: { readonly code: string };
  };
}

const eventsOf = (text: string): Event[] =>
  text
    .split("\n\n")
    .filter((block) => block !== "")
    .map((block) => {
      const [name, data] = block.split("\n");
      const parsed = JSON.parse(data?.replace(/^data: /, "") ?? "") as Event;
      expect(name).toBe(`event: ${parsed.type}`);
      return parsed;
    });

const textOf = async (response: Response): Promise<string | undefined> =>
  eventsOf(await response.text()).find(({ item }) => item?.content !== undefined && item.content.length > 0)?.item
    ?.content?.[0]?.text;

test("a step streams its parts between created and completed", async () => {
  const at = await start({
    scripts: [
      { key: "GO", steps: [[reasoning(["hm"]), message("one two"), usage({ inputTokens: 7, outputTokens: 3 })]] },
    ],
  });
  const response = await ask(at, user("GO"));
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  const events = eventsOf(await response.text());
  expect(events.map(({ type }) => type.replace("response.", ""))).toEqual([
    "created",
    "output_item.added",
    "reasoning_summary_part.added",
    "reasoning_summary_text.delta",
    "output_item.done",
    "output_item.added",
    "output_text.delta",
    "output_text.delta",
    "output_item.done",
    "completed",
  ]);
  expect(events.at(-1)?.response?.usage?.total_tokens).toBe(10);
});

test("the step is the number of tool outputs after the newest user message with a key", async () => {
  const at = await start({
    scripts: [
      { key: "FIRST", steps: [message("first 0")] },
      { key: "SECOND", steps: [execCommand("ls"), message("second 1")] },
    ],
  });
  const input = [user("FIRST"), output, user("SECOND"), output, user("<turn_aborted>")];
  expect(await textOf(await ask(at, ...input))).toBe("second 1");
  // A retry repeats its input and gets the same step.
  expect(await textOf(await ask(at, ...input))).toBe("second 1");
  expect(at.requests.map(({ key, step }) => [key, step])).toEqual([
    ["SECOND", 1],
    ["SECOND", 1],
  ]);
  expect(await textOf(await ask(at, ...input, output))).toBe('The script "SECOND" has no step 2.');
  expect(await textOf(await ask(at, user("NEITHER")))).toBe("No script fits this prompt.");
});

test("the script with the empty key takes what no other takes", async () => {
  const at = await start({
    scripts: [
      { key: "", steps: [message("anything")] },
      { key: "KEY", steps: [message("keyed")] },
    ],
  });
  expect(await textOf(await ask(at, user("hello")))).toBe("anything");
  expect(await textOf(await ask(at, user("hello KEY")))).toBe("keyed");
});

test("ids are fresh in every response", async () => {
  const at = await start({ scripts: [{ key: "", steps: [[execCommand("ls"), applyPatch("*** Begin Patch")]] }] });
  const calls = [];
  for (let n = 0; n < 2; n += 1) {
    for (const { item } of eventsOf(await (await ask(at, user("x"))).text()))
      if (item) calls.push(item.call_id, item.id);
  }
  expect(calls.length).toBe(8);
  expect(new Set(calls).size).toBe(8);
});

test("faults: HTTP errors, failed responses, cut streams", async () => {
  const at = await start({
    scripts: [
      { key: "HTTP", steps: [httpError(429, { error: { type: "usage_limit_reached" } }, { "retry-after": "1" })] },
      { key: "FAILED", steps: [[message("part"), responseFailed("server_is_overloaded")]] },
      { key: "CUT", steps: [[responseHeaders({ "openai-model": "other" }), message("part"), cut()]] },
    ],
  });
  const refused = await ask(at, user("HTTP"));
  expect(refused.status).toBe(429);
  expect(refused.headers.get("retry-after")).toBe("1");
  expect(await refused.json()).toEqual({ error: { type: "usage_limit_reached" } });
  const failed = eventsOf(await (await ask(at, user("FAILED"))).text());
  expect(failed.at(-1)?.response?.error?.code).toBe("server_is_overloaded");
  const broken = await ask(at, user("CUT"));
  expect(broken.headers.get("openai-model")).toBe("other");
  await expect(broken.text()).rejects.toThrow();
});

test("a stream waits for the test, and one that stalls ends with the server", async () => {
  let open: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const at = await start({
    scripts: [
      { key: "WAIT", steps: [[waitFor(gate), message("after the gate")]] },
      { key: "STALL", steps: [[stall()]] },
    ],
  });
  const waiting = await ask(at, user("WAIT"));
  open();
  expect(await textOf(waiting)).toBe("after the gate");
  const stalled = (await ask(at, user("STALL"))).text();
  const ended = expect(stalled).rejects.toThrow();
  await at.close();
  model = undefined;
  await ended;
});

test("a reader that is slow gets all of a large stream", async () => {
  const deltas = Array.from({ length: 20_000 }, (_, n) => `${n} `);
  const at = await start({ scripts: [{ key: "", steps: [message({ text: deltas.join(""), deltas })] }] });
  const events = eventsOf(await (await ask(at, user("x"))).text());
  expect(events.filter(({ type }) => type.endsWith("output_text.delta")).length).toBe(20_000);
});

test("other paths are 404, and only the newest requests are kept", async () => {
  const at = await start({ scripts: [], keep: 2 });
  expect((await fetch(`${at.url}/models`)).status).toBe(404);
  for (const text of ["a", "b", "c"]) await (await ask(at, user(text))).text();
  expect(at.requests.map(({ body }) => JSON.stringify(body).includes('"text":"a"'))).toEqual([false, false]);
});
