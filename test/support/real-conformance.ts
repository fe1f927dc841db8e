import { processGround } from "../../src/conformance/agent-under-test.js";
import type { Ground } from "../../src/conformance/ground.js";
import { realBehind } from "../../src/conformance/real/behind.js";
import { capturedCodex } from "../../src/generated/codex/version.js";
import { systemClock } from "../../src/runtime/clock.js";
import { bundledAgent } from "./bridge.js";
import { codexes } from "./codexes.js";
import { scratch } from "./places.js";

/** The bundled agent, and behind it the real Codex with a model that cases speak for. */
export function realGround(): Ground {
  const [codex] = codexes;
  if (codex === undefined) throw new Error("there is no Codex to test with");
  return processGround(
    { ...bundledAgent, env: { ...bundledAgent.env }, cwd: process.cwd(), folder: scratch },
    {
      clock: systemClock,
      codexIsHeld: codex.version === capturedCodex,
      behind: realBehind({ command: codex.path, args: [], version: codex.version }, scratch),
    },
  );
}
