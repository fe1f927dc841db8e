import fc from "fast-check";
import { expect, test } from "vitest";
import { createMessages } from "../../../src/acp-v1/messages.js";

const text = (value: string) => ({ type: "text" as const, text: value });

/** Long enough for several blocks, of pieces of any length. */
const long = fc.array(fc.constantFrom("a", "bc".repeat(5000), "é\n", "x".repeat(20_000)), { maxLength: 12 });

test("whatever was streamed, a snapshot adds the rest of itself, or nothing", () => {
  fc.assert(
    fc.property(long, long, fc.boolean(), (pieces, more, other) => {
      const messages = createMessages();
      for (const piece of pieces) messages.streamed("m", text(piece));
      const streamed = pieces.join("");
      const whole = (other ? "!" : "") + streamed + more.join("");
      const chunks = messages.snapshot("agent_message_chunk", { messageId: "m", content: [text(whole)] });
      const added = chunks.map(({ content }) => ("text" in content ? content.text : "")).join("");
      const wanted = pieces.length === 0 ? whole : whole.startsWith(streamed) ? whole.slice(streamed.length) : "";
      expect(added).toBe(wanted);
      expect(messages.snapshot("agent_message_chunk", { messageId: "m", content: [text(whole)] })).toEqual([]);
    }),
  );
});

test("a text that comes as ever longer snapshots is told piece by piece; one that changed stays", () => {
  const messages = createMessages();
  const told = (value: string): unknown[] => messages.grown("p", value, null).map(({ content }) => content);
  expect(["a", "ab", "ab", "xb", "abc"].map(told)).toEqual([[text("a")], [text("b")], [], [], [text("c")]]);
});
