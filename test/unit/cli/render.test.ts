import type { SessionUpdate } from "@agentclientprotocol/sdk/experimental/v2/unstable";
import { describe, expect, test } from "vitest";
import { createRenderer } from "../../../src/cli/demo/render.js";
import { Screen } from "../../../src/cli/demo/screen.js";

const text = (value: string) => ({ type: "text" as const, text: value });
const message = (messageId: string, value: string): SessionUpdate => ({
  sessionUpdate: "agent_message_chunk",
  messageId,
  content: text(value),
});
const output = (terminalId: string, bytes: Uint8Array): SessionUpdate => ({
  sessionUpdate: "terminal_output_chunk",
  terminalId,
  data: Buffer.from(bytes).toString("base64"),
});

/** What the updates look like; colours as `<colour>`. */
function shown(updates: readonly SessionUpdate[], colours = false): string {
  let screen = "";
  const paint = (format: unknown, value: string) => (colours ? `<${[format].flat().join(" ")}>${value}` : value);
  const show = createRenderer(
    new Screen((part) => {
      screen += part;
    }),
    paint,
  );
  for (const update of updates) show(update);
  return screen;
}

describe("createRenderer()", () => {
  test("chunks of one message go on in one line, another message begins a new one", () => {
    expect(shown([message("a", "One "), message("a", "two."), message("b", "Three.")])).toBe(
      "agent says  One two.\nagent says  Three.",
    );
  });

  test("terminal output has a margin per line, and a character split over chunks is whole", () => {
    const bytes = Buffer.from("é\nb\n");
    const updates = [output("t", bytes.subarray(0, 1)), output("t", bytes.subarray(1))];
    expect(shown(updates)).toBe("  | é\n  | b\n");
  });

  test("output that other lines interrupt keeps its own lines", () => {
    expect(shown([output("t", Buffer.from("a")), message("m", "x"), output("t", Buffer.from("b\n"))])).toBe(
      "  | a\nagent says  x\n  | b\n",
    );
  });

  test("a snapshot is shown where it differs from what was streamed", () => {
    const snapshot = (value: string): SessionUpdate => ({
      sessionUpdate: "terminal_update",
      terminalId: "t",
      output: { data: Buffer.from(value).toString("base64") },
      exitStatus: { exitCode: 0 },
    });
    expect(shown([output("t", Buffer.from("b\n")), snapshot("b\n")])).toBe("  | b\n  exit     0\n");
    expect(shown([output("t", Buffer.from("b\n")), snapshot("a\nb\n")])).toBe(
      "  | b\n  output   whole, as the stream was incomplete:\n  | a\n  | b\n  exit     0\n",
    );
    expect(shown([snapshot("a\n")])).toBe("  | a\n  exit     0\n");
  });

  test("a whole message is shown unless it was streamed", () => {
    const whole = (messageId: string): SessionUpdate => ({
      sessionUpdate: "agent_message",
      messageId,
      content: [text("All.")],
    });
    expect(shown([message("a", "All."), whole("a")])).toBe("agent says  All.");
    expect(shown([whole("a")])).toBe("agent says  All.");
  });

  test("a patch that its tool call repeats is shown once", () => {
    const update: SessionUpdate = {
      sessionUpdate: "tool_call_update",
      toolCallId: "c",
      content: [{ type: "diff", changes: [], patch: { format: "git_patch", text: "+new\n" } }],
    };
    expect(shown([update, update])).toBe("    +new\n");
  });

  test("a patch is coloured line by line", () => {
    const patch = "diff --git /a /a\n--- /a\n+++ /a\n@@ -1 +1 @@\n-old\n+new\n same\n";
    const update: SessionUpdate = {
      sessionUpdate: "tool_call_update",
      toolCallId: "c",
      content: [{ type: "diff", changes: [], patch: { format: "git_patch", text: patch } }],
    };
    expect(
      shown([update], true)
        .trimEnd()
        .split("\n")
        .map((line) => line.trim()),
    ).toEqual([
      "<bold>diff --git /a /a",
      "<bold>--- /a",
      "<bold>+++ /a",
      "<cyan>@@ -1 +1 @@",
      "<red>-old",
      "<green>+new",
      "same",
    ]);
  });

  test("states show the reason of the end, and its error", () => {
    const error = { code: -32603, message: "Model gone" };
    expect(
      shown([
        { sessionUpdate: "state_update", state: "running" },
        { sessionUpdate: "state_update", state: "idle", stopReason: "error", error },
      ]),
    ).toBe(`* running\n* idle (error)\n${JSON.stringify(error)}\n`);
  });

  test("an update of an unknown kind is named", () => {
    expect(shown([{ sessionUpdate: "_new_kind" }])).toBe("  update   _new_kind\n");
  });
});
