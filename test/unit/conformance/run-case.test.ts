import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { scriptedBehind } from "../../../src/conformance/codex.js";
import type { Ground } from "../../../src/conformance/ground.js";
import { runCase } from "../../../src/conformance/run-case.js";
import type { LoadedCase } from "../../../src/conformance/suite.js";
import { loadCaseSchemas } from "../../../src/conformance/wire.js";
import { systemClock } from "../../../src/runtime/clock.js";

const one: LoadedCase = {
  name: "init/none",
  area: "INIT",
  title: "Nothing is shown.",
  clauses: [],
  level: "MUST",
  ground: "scripted",
  needs: [],
  folders: { shelf: { "a.txt": "x" } },
  env: { SHELF: "$" + "{shelf}" },
  client: {},
  steps: [],
};

test("what was made for an agent that cannot be started is undone", async () => {
  const undone: string[] = [];
  let shelf = "";
  const ground: Ground = {
    clock: systemClock,
    codexIsHeld: true,
    async behind(options) {
      const behind = await scriptedBehind(systemClock)(options);
      return { ...behind, dispose: async () => void undone.push("behind") };
    },
    async start({ env }) {
      shelf = env["SHELF"] ?? "";
      expect(existsSync(shelf)).toBe(true);
      throw new Error("there is no agent");
    },
  };
  const run = runCase(one, { ground, schemas: await loadCaseSchemas(), deadlineMs: 100, cwd: "/" });
  await expect(run).rejects.toThrow("there is no agent");
  expect(undone).toEqual(["behind"]);
  expect(existsSync(shelf)).toBe(false);
});
