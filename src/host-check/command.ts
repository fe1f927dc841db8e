import { select } from "../conformance/select.js";
import { runSuiteCommand, type SuiteOptions, type Terminal } from "../conformance/suite-command.js";
import { systemClock } from "../runtime/clock.js";
import { processHostGround } from "./ground.js";
import { runHostSuite } from "./run-suite.js";
import { loadHostSuite } from "./suite.js";
import { loadHostCaseSchemas } from "./wire.js";

const textsIn = (env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

/** The whole of `codex-acp-kit host-check`. Returns the exit code. */
export const runHostCheck = (options: SuiteOptions, terminal: Terminal): Promise<number> =>
  runSuiteCommand("host-check", options, terminal, () => {
    const suite = loadHostSuite();
    return {
      name: "host-check",
      subject: "driver",
      cases: select(suite.cases, options),
      clauses: suite.clauses,
      async run(given) {
        const { program: command, args } = given;
        const driver = { command, args, env: textsIn(terminal.env), cwd: process.cwd() };
        const ground = processHostGround(driver, systemClock);
        return runHostSuite({ ...given, suite, ground, schemas: await loadHostCaseSchemas() });
      },
    };
  });
