export { type ConformanceOptions, runConformance, type Terminal } from "./command.js";
