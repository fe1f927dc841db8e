import { capturedCodex } from "../generated/codex/version.js";
import { isObject } from "../runtime/index.js";
import type { HeldWires } from "../testing/strict.js";
import { version } from "../version.js";
import type { Expectations } from "./expectations.js";
import type { Ground } from "./ground.js";
import { NotStarted } from "./outcome.js";
import type { Actors, CaseResult, Report, Subject } from "./report/result.js";
import { type CaseOptions, runCase } from "./run-case.js";
import { runCases } from "./run-cases.js";
import { type Declared, whySkipped } from "./select.js";
import { expand, type LoadedCase, type Suite } from "./suite.js";

export interface RunOptions {
  readonly suite: Suite;
  /** Of the suite. */
  readonly cases: readonly LoadedCase[];
  /** By what a case asks for; a text: why there is none here. */
  readonly grounds: Readonly<Record<LoadedCase["ground"], Ground | string>>;
  readonly schemas: HeldWires;
  readonly command: readonly string[];
  readonly cwd: string;
  readonly deadlineMs: number;
  /** Cases that run at once, each with an agent of its own. */
  readonly workers: number;
  readonly declared: Declared;
  readonly expectations: Expectations;
  readonly onResult: (result: CaseResult) => void;
}

/** How long the first start of an agent may take at least. */
const startMs = 15_000;

/** Starts the agent once to hear what it says of itself. Rejects with `NotStarted`. */
export async function describeAgent(suite: Suite, options: CaseOptions, command: readonly string[]): Promise<Subject> {
  const probe: LoadedCase = {
    name: "handshake",
    area: "INIT",
    title: "The agent can be started.",
    clauses: [],
    level: "MUST",
    ground: "scripted",
    needs: [],
    folders: {},
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
    throw new NotStarted("agent", `${fault?.message ?? "it gave no result"}\n${timeline.log.tail(12)}`);
  }
  const info = isObject(agent["info"]) ? agent["info"] : {};
  return {
    command,
    name: String(info["name"] ?? "unknown"),
    version: String(info["version"] ?? "unknown"),
    capabilities: agent["capabilities"],
  };
}

const actors: Actors = [
  { party: "host", name: "Host" },
  { party: "bridge", name: "Agent" },
  { party: "codex", name: "Codex" },
];

/** Runs the cases on the agent. Rejects with `NotStarted`. */
export async function runSuite(options: RunOptions): Promise<Report> {
  const { suite, cases, declared, expectations, workers, onResult, grounds } = options;
  const startedAt = new Date().toISOString();
  const ground = Object.values(grounds).find((one) => typeof one !== "string");
  if (ground === undefined) throw new Error("there is no ground at all");
  const subject = await describeAgent(suite, { ...options, ground }, options.command);
  const groundOf = (one: LoadedCase): Ground => {
    const found = grounds[one.ground];
    if (typeof found === "string") throw new Error(found);
    return found;
  };
  return runCases({
    cases,
    all: suite.cases,
    workers,
    expectations,
    head: {
      suite: { name: "conformance", version, around: `scripted Codex ${capturedCodex}`, actors },
      subject,
      startedAt,
    },
    run: (one) => runCase(one, { ...options, ground: groundOf(one) }),
    whySkipped(one) {
      const why = whySkipped(one, suite.features, subject.capabilities, declared);
      const found = grounds[one.ground];
      return why ?? (typeof found === "string" ? found : null);
    },
    onResult,
  });
}
