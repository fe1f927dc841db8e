/**
 * The agent as a host starts it, before a Codex that gives everything back as it got it: what is passed through comes
 * back letter for letter. Rows and notifications come from the contract's own tables; on a failure fast-check prints
 * the seed and the path.
 */

import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CodexMethod } from "../../../codegen/model/model.js";
import { forwards } from "../../../src/generated/codex/dispatch.js";
import { agentNotifications, hostRequests } from "../../../src/generated/contract/methods.js";
import { memberText } from "../../../src/runtime/index.js";
import { createFrameLog } from "../../../src/testing/frames.js";
import { arbitraryFrom } from "../../../src/testing/schema/index.js";
import { createWaits, type Waits } from "../../../src/testing/waits.js";
import { bundledAgent } from "../../support/bridge.js";
import { clause } from "../../support/clause.js";
import { type AgentProcess, startAgentProcess } from "../../support/host-process.js";
import { model } from "../../support/schemas.js";
import { spelledJson, withOthers } from "../../support/spelled-json.js";

const instanceOf = arbitraryFrom(Object.fromEntries(model.codex.definitions));

const rows = model.contract.methods.methods.flatMap(({ method, passThrough }) =>
  passThrough ? [{ method, ...passThrough }] : [],
);
type Row = (typeof rows)[number];

function codexRow(list: readonly CodexMethod[], method: string): CodexMethod {
  const found = list.find((row) => row.method === method);
  if (found === undefined) throw new Error(`Codex has no ${method}`);
  return found;
}

const others = fc.array(spelledJson, { maxLength: 3 });

/** Texts of valid instances of a definition of Codex, each with members beside what is named. */
const textsOf = (definition: string | null) =>
  fc.tuple(instanceOf<object>(String(definition)), others).map(([value, more]) => withOthers(value, more));

let agent: AgentProcess;
let waits: Waits;
let lastId = 0;
const answers = new Map<number, (line: string) => void>();
/** Params of the agent's notifications as they were written, by method. */
const told = new Map<string, string[]>();

beforeAll(async () => {
  const log = createFrameLog();
  waits = createWaits(log);
  const mirror = fileURLToPath(new URL("../../support/children/mirror-codex.mjs", import.meta.url));
  const env = { CODEX_PATH: mirror, MIRROR_NOTIFICATIONS: JSON.stringify([...forwards.keys()]) };
  agent = startAgentProcess({ ...bundledAgent, env: { ...bundledAgent.env, ...env } }, log);
  agent.wire.onLine((line) => {
    const { id, method } = JSON.parse(line);
    if (method === undefined) answers.get(id)?.(line);
    else told.set(method, [...(told.get(method) ?? []), memberText(line, "params") ?? "none"]);
  });
  const info = { name: "test", version: "0" };
  await ask(hostRequests.initialize.method, JSON.stringify({ protocolVersion: 2, info, capabilities: {} }));
});

afterAll(async () => {
  agent.wire.close();
  expect(await waits.within("the agent to end", agent.exited)).toBe(0);
  expect(agent.stderr).toBe("");
});

/** Sends params as they are written; resolves with the line that answers. */
function ask(method: string, params: string): Promise<string> {
  lastId += 1;
  const id = lastId;
  const answer = new Promise<string>((resolve) => answers.set(id, resolve));
  agent.wire.write(`{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":${params}}\n`);
  return waits.within(`the answer to ${method}`, answer);
}

/** What the mirror gets of `params`, which is also what it gives back. */
function mirrored({ params, values = {} }: Row, text: string): string {
  if (params !== "defaults") return text;
  const given = JSON.parse(text);
  const missing = Object.entries(values).filter(([name]) => !Object.hasOwn(given, name));
  if (missing.length === 0) return text;
  return `${JSON.stringify(Object.fromEntries(missing)).slice(0, -1)},${text.slice(1)}`;
}

const takesParams = ({ params }: Row): boolean => params === "forward" || params === "defaults";

test("the tables are not empty", () => {
  expect(rows.filter(takesParams).length).toBeGreaterThan(8);
  expect(rows.filter((row) => !takesParams(row)).length).toBeGreaterThan(1);
  expect(forwards.size).toBeGreaterThan(2);
});

for (const row of rows.filter(takesParams)) {
  clause(["PASS-01", "PASS-02"], `${row.method}: params, result and errors are as they were written`, async () => {
    const { params } = codexRow(model.codex.requests, row.codex);
    await fc.assert(
      fc.asyncProperty(fc.array(textsOf(params), { minLength: 8, maxLength: 8 }), async (texts) => {
        const lines = await Promise.all(texts.map((text) => ask(row.method, text)));
        const wanted = texts.map((text) => (row.result === "empty" ? "{}" : mirrored(row, text)));
        expect(lines.map((line) => memberText(line, "result"))).toEqual(wanted);
      }),
      { numRuns: 8 },
    );
    if (row.params !== "forward") return;
    await fc.assert(
      fc.asyncProperty(spelledJson, async (data) => {
        const text = `{"mirror:error":${data}}`;
        const error = memberText(await ask(row.method, text), "error") ?? "none";
        expect(JSON.parse(error)).toMatchObject({ code: -32042, message: "mirrored" });
        expect(memberText(error, "data")).toBe(text);
      }),
      { numRuns: 8 },
    );
  });
}

const store = rows.find(({ params, result }) => params === "forward" && result === "forward");

for (const row of rows.filter((it) => !takesParams(it))) {
  clause(
    ["PASS-01", "PASS-12", "PASS-13"],
    `${row.method}: only the result goes through, as it was written`,
    async () => {
      const { result } = codexRow(model.codex.requests, row.codex);
      await fc.assert(
        fc.asyncProperty(textsOf(result), spelledJson, async (text, other) => {
          // The mirror answers with what it was given last, unless it is asked with params that are not the contract's.
          await ask(store?.method ?? "", text);
          expect(memberText(await ask(row.method, `{"refreshToken":${other}}`), "result")).toBe(text);
        }),
        { numRuns: 20 },
      );
    },
  );
}

for (const [method, key] of forwards) {
  clause(["PASS-15", "PASS-16"], `${method}: its params are the host's as Codex wrote them`, async () => {
    const { params } = codexRow(model.codex.notifications, method);
    await fc.assert(
      fc.asyncProperty(fc.array(textsOf(params), { minLength: 8, maxLength: 8 }), async (texts) => {
        told.clear();
        await Promise.all(texts.map((text) => ask(store?.method ?? "", text)));
        expect(told.get(agentNotifications[key].method)).toEqual(texts);
      }),
      { numRuns: 8 },
    );
  });
}
