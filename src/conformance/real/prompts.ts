import { hostRequests } from "../../generated/contract/methods.js";
import { isObject } from "../../runtime/index.js";
import type { FrameLog } from "../../testing/frames.js";

const { method } = hostRequests.sessionPrompt;

/** Texts of all prompts that the host has sent. */
export function promptsIn(log: FrameLog): ReadonlySet<unknown> {
  const prompts = log
    .frames("host", "host")
    .flatMap(({ frame }) => (isObject(frame) && frame["method"] === method ? [Object(frame["params"]).prompt] : []));
  return new Set(prompts.flatMap((prompt) => (Array.isArray(prompt) ? prompt.map((block) => block?.text) : [])));
}
