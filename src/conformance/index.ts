export { type ConformanceOptions, runConformance } from "./command.js";
export type { SuiteOptions, Terminal } from "./suite-command.js";
