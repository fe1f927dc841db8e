/** Builds `dist`, for the tests that start the agent as a host does. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { repository } from "./places.js";

declare global {
  /** Several projects need `dist`; it is built once in a run. */
  var codexAcpKitBuild: Promise<unknown> | undefined;
}

export default async function setup(): Promise<void> {
  globalThis.codexAcpKitBuild ??= promisify(execFile)(process.execPath, ["scripts/build.mjs"], { cwd: repository });
  await globalThis.codexAcpKitBuild;
}
