import { capturedCodex } from "../generated/codex/version.js";
import { isObject } from "../runtime/index.js";
import type { Wire } from "../testing/frames.js";
import type { WireSchemas } from "../testing/strict.js";
import { version } from "../version.js";
import { type Expectations, exitCodeOf, expectationOf, staleEntries } from "./expectations.js";
import type { Ground } from "./ground.js";
import {
  type AgentDescription,
  type CaseResult,
  type Report,
  resultOf,
  skippedResult,
  totalsOf,
} from "./report/result.js";
import { type CaseOptions, runCase } from "./run-case.js";
import { type Declared, whySkipped } from "./select.js";
import { expand, type LoadedCase, type Suite } from "./suite.js";

export interface RunOptions {
  readonly suite: Suite;
  /** Of the suite. */
  readonly cases: readonly LoadedCase[];
  /** By what a case asks for; a text: why there is none here. */
  readonly grounds: Readonly<Record<LoadedCase["ground"], Ground | string>>;
  readonly schemas: Readonly<Record<Wire, WireSchemas>>;
  readonly command: readonly string[];
  readonly cwd: string;
  readonly deadlineMs: number;
  /** Cases that run at once, each with an agent of its own. */
  readonly workers: number;
  readonly declared: Declared;
  readonly expectations: Expectations;
  readonly onResult: (result: CaseResult, done: number, of: number) => void;
}

/** The agent could not be started, or does not speak ACP v2. */
export class AgentNotStarted extends Error {
  override readonly name = "AgentNotStarted";
}

/** How long the first start of an agent may take at least. */
const startMs = 15_000;

/** Starts the agent once to hear what it says of itself. Rejects with `AgentNotStarted`. */
export async function describeAgent(
  suite: Suite,
  options: CaseOptions,
  command: readonly string[],
): Promise<AgentDescription> {
  const probe: LoadedCase = {
    name: "handshake",
    area: "INIT",
    title: "The agent can be started.",
    clauses: [],
    level: "MUST",
    ground: "scripted",
    needs: [],
    env: {},
    client: {},
    steps: expand([{ use: "initialized" }], suite.preludes),
  };
  const { fault, bindings, timeline } = await runCase(probe, {
    ...options,
    deadlineMs: Math.max(options.deadlineMs, startMs),
  });
  const agent = bindings["agent"];
  if (!isObject(agent) || agent["protocolVersion"] !== 2) {
    throw new AgentNotStarted(`${fault?.message ?? "it gave no result"}\n${timeline.log.tail(12)}`);
  }
  const info = isObject(agent["info"]) ? agent["info"] : {};
  return {
    command,
    name: String(info["name"] ?? "unknown"),
    version: String(info["version"] ?? "unknown"),
    capabilities: agent["capabilities"],
  };
}

/** Runs `task` over the items, `workers` at once. */
async function pooled<T>(items: readonly T[], workers: number, task: (item: T, index: number) => Promise<void>) {
  let next = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) await task(items[index] as T, index);
  };
  await Promise.all(Array.from({ length: Math.min(workers, items.length) }, work));
}

/** Runs the cases on the agent. Rejects with `AgentNotStarted`. */
export async function runSuite(options: RunOptions): Promise<Report> {
  const { suite, cases, expectations, declared, onResult, grounds } = options;
  const startedAt = new Date();
  const ground = Object.values(grounds).find((one) => typeof one !== "string");
  if (ground === undefined) throw new Error("there is no ground at all");
  const agent = await describeAgent(suite, { ...options, ground }, options.command);
  const results: CaseResult[] = [];
  let done = 0;
  await pooled(cases, options.workers, async (one, index) => {
    const ground = grounds[one.ground];
    const why = whySkipped(one, suite.features, agent.capabilities, declared);
    const result =
      why === null && typeof ground !== "string"
        ? resultOf(one, await runCase(one, { ...options, ground }), expectationOf(one.name, expectations))
        : skippedResult(one, why ?? String(ground));
    results[index] = result;
    done += 1;
    onResult(result, done, cases.length);
  });
  const names = suite.cases.map(({ name }) => name);
  const stale = staleEntries(results, names, expectations);
  return {
    suite: { version, codex: capturedCodex },
    agent,
    startedAt: startedAt.toISOString(),
    ms: Date.now() - startedAt.getTime(),
    exitCode: exitCodeOf(results, stale),
    stale,
    totals: totalsOf(results),
    results,
  };
}
