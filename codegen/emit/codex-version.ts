import type { GeneratedFile, Model } from "../model/model.js";
import { header } from "./text.js";

/** The version that everything under `src/generated/codex` comes from. */
export const emitCodexVersion = (model: Model): GeneratedFile[] => [
  {
    path: "src/generated/codex/version.ts",
    text: `${header("schemas/codex")}/** The Codex whose schemas were captured. */\nexport const capturedCodex = ${JSON.stringify(model.codex.version)};\n`,
  },
];
