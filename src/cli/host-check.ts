import { runHostCheck } from "../host-check/index.js";
import { type SuiteFlags, suiteOptions, suiteTerminal } from "./suite-flags.js";

/** Runs the cases for hosts on the host in the driver that `command` starts. Returns the exit code. */
export const hostCheck = (command: readonly string[], flags: SuiteFlags): Promise<number> =>
  runHostCheck(suiteOptions(command, flags), suiteTerminal());
