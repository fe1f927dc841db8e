import type { Emitter } from "../model/model.js";
import { emitCodexMethods } from "./codex-methods.js";
import { emitTypes } from "./types.js";

/** Everything that `npm run generate` writes. Emitters do not see each other's files, so their order is free. */
export const emitters: readonly Emitter[] = [emitTypes, emitCodexMethods];
