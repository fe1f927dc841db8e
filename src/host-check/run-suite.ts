import { NotStarted } from "../conformance/outcome.js";
import type { Actors, Report, Subject } from "../conformance/report/result.js";
import { runCases } from "../conformance/run-cases.js";
import type { SuiteRun } from "../conformance/suite-command.js";
import { instructions } from "../generated/host-check/driver.js";
import type { HeldWires } from "../testing/strict.js";
import { version } from "../version.js";
import type { Ability, Hello } from "./driver-format.js";
import type { HostGround } from "./ground.js";
import { type HostCaseOptions, runHostCase } from "./run-case.js";
import type { HostSuite, LoadedHostCase } from "./suite.js";

const actors: Actors = [
  { party: "user", name: "User" },
  { party: "host", name: "Host" },
  { party: "bridge", name: "Agent" },
];

/** How long the first start of a driver may take at least. */
const startMs = 15_000;

/** Starts the driver once to hear what it says of the host. Rejects with `NotStarted`. */
export async function describeHost(options: HostCaseOptions): Promise<Hello> {
  const probe: LoadedHostCase = {
    name: "hello",
    area: "HOST",
    title: "The driver can be started.",
    clauses: [],
    level: "MUST",
    needs: [],
    steps: [{ hello: "driver" }],
  };
  const deadlineMs = Math.max(options.deadlineMs, startMs);
  const { fault, bindings, timeline } = await runHostCase(probe, { ...options, deadlineMs });
  const said = instructions.hello.result(bindings["driver"]);
  if (fault !== null || !said.ok) {
    throw new NotStarted("driver", `${fault?.message ?? "it gave no result"}\n${timeline.log.tail(12)}`);
  }
  return said.value;
}

function whySkipped({ needs }: LoadedHostCase, can: readonly Ability[]): string | null {
  const lacking = needs.find((one) => !can.includes(one));
  return lacking === undefined ? null : `its driver cannot do ${lacking}`;
}

export interface HostRunOptions
  extends Pick<
    SuiteRun<LoadedHostCase>,
    "cases" | "command" | "cwd" | "expectations" | "deadlineMs" | "workers" | "onResult"
  > {
  readonly suite: HostSuite;
  readonly ground: HostGround;
  readonly schemas: HeldWires;
}

/** Runs the cases on the host in the driver. Rejects with `NotStarted`. */
export async function runHostSuite(options: HostRunOptions): Promise<Report> {
  const { suite, cases, command, expectations, workers, onResult } = options;
  const startedAt = new Date().toISOString();
  const host = await describeHost(options);
  const subject: Subject = { command, name: host.name, version: host.version, capabilities: { can: host.can } };
  return runCases({
    cases,
    all: suite.cases,
    workers,
    expectations,
    head: { suite: { name: "host-check", version, around: "scripted agent of ACP v2", actors }, subject, startedAt },
    run: (one) => runHostCase(one, options),
    whySkipped: (one) => whySkipped(one, host.can),
    onResult,
  });
}
