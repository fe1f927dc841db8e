import { type ReportedChange, reportDrift } from "../../../src/drift/report.js";
import { type Message, readSurface, type Surface } from "../../../src/drift/surface.js";
import type { Decisions } from "../../../src/drift/verdict.js";

/** A protocol of two requests, one used and one not, that both carry `Sent` there and `Received` back. */
export interface Small {
  readonly version: string;
  readonly sent: unknown;
  readonly received: unknown;
  readonly more: { readonly [name: string]: unknown };
  readonly messages: readonly Message[];
}

export const message = (method: string, more: Partial<Message> = {}): Message => ({
  method,
  kind: "request",
  from: "us",
  params: "Sent",
  result: "Received",
  ...more,
});

const whole: Small = {
  version: "1.0.0",
  sent: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
  received: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
  more: {},
  messages: [message("used/one"), message("unused/one", { params: "Other", result: "Other" })],
};

export const surface = (small: Partial<Small> = {}): Surface => {
  const { version, sent, received, more, messages } = { ...whole, ...small };
  return readSurface({
    protocol: "codex",
    version,
    messages,
    definitions: { Sent: sent, Received: received, Other: { type: "object" }, ...more },
  });
};

/** What begins with `used/` is used, with `unused/` not; nothing is decided about the rest. */
export const decisions: Decisions = {
  uses: ({ method }) => (method.startsWith("used/") ? true : method.startsWith("unused/") ? false : null),
  knowsItem: (type) => type === "known",
};

/** The changes between two small protocols. */
export const changes = (old: Partial<Small>, now: Partial<Small>): readonly ReportedChange[] =>
  reportDrift(
    { surface: surface(old), behaviour: null },
    { surface: surface({ version: "2.0.0", ...now }), behaviour: null },
    decisions,
  ).changes;
