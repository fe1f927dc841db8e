import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { ThreadItem, UserInput } from "../../../src/generated/codex/types.js";
import { commandExecution, exitedReviewMode } from "../../../src/testing/scripted-codex/items.js";
import { clause } from "../../support/clause.js";
import { isUpdate, type Update } from "../../support/host.js";
import { scratch } from "../../support/places.js";
import { asked, fromStart, type OpenRig, said, startOpen, stored } from "./rig.js";

let rig: OpenRig;

afterEach(() => rig.bridge.close());

async function replayed(...turns: Parameters<typeof stored>[]): Promise<Update[]> {
  rig = await startOpen();
  rig.threads.set("s", { turns: turns.map((turn) => stored(...turn)) });
  await rig.resume("s", fromStart);
  return rig.bridge.host
    .updates("s")
    .filter((it) => it.sessionUpdate !== "state_update" && it.sessionUpdate !== "available_commands_update");
}

const meta = (update: Update | undefined): unknown => (update?.["_meta"] as { codex?: unknown } | undefined)?.codex;

const prompt = (...content: UserInput[]): ThreadItem => ({ type: "userMessage", id: "u", clientId: null, content });

describe("a replayed turn", () => {
  test("is whole snapshots in the order of the turn, each marked and dated", async () => {
    const updates = await replayed([
      "t",
      [
        asked("u", "q", "receipt"),
        { ...commandExecution({ id: "c", command: "ls" }), status: "completed", exitCode: 0, aggregatedOutput: "a\n" },
        said("m", "a", { completedAtMs: 102_500 }),
      ],
    ]);
    expect(updates.map(({ sessionUpdate }) => sessionUpdate)).toEqual([
      "user_message",
      "terminal_update",
      "tool_call_update",
      "agent_message",
    ]);
    for (const update of updates) expect(meta(update)).toMatchObject({ historyReplay: true, turnDurationMs: 2500 });
    expect(updates[0]).toMatchObject({
      messageId: "receipt",
      _meta: { codex: { turnId: "t", turnStartedAt: 100_000, messageSentAt: 100_000 } },
    });
    expect(meta(updates[3])).toMatchObject({ messageCompletedAt: 102_500 });
    expect(meta(updates[3])).not.toHaveProperty("turnCompletedAt");
    expect(meta(updates[3])).not.toHaveProperty("workStartedAt");
  });

  clause(["REPLAY-29"], "gives a reply without an end of its own the turn's", async () => {
    const [update] = await replayed(["t", [said("m", "a")]]);
    expect(meta(update)).toMatchObject({ turnCompletedAt: 103_000 });
  });

  clause(["REPLAY-25", "BRANCH-07"], "has no clock that Codex does not give", async () => {
    const updates = await replayed([
      "t",
      [asked("u", "q"), said("m", "a")],
      { startedAt: null, completedAt: null, durationMs: null },
    ]);
    for (const update of updates) expect(meta(update)).toEqual({ turnId: "t", historyReplay: true });
  });

  test("dates its first user message alone", async () => {
    const updates = await replayed(["t", [asked("u1", "q"), asked("u2", "more")]]);
    expect(updates.map((update) => meta(update))).toEqual([
      expect.objectContaining({ messageSentAt: 100_000 }),
      expect.not.objectContaining({ messageSentAt: expect.anything() }),
    ]);
  });

  test("that was interrupted says so on every update, and its open command is cancelled, not running", async () => {
    const updates = await replayed([
      "t",
      [asked("u", "q"), commandExecution({ id: "c", command: "sleep 9" })],
      { status: "interrupted" },
    ]);
    for (const update of updates) expect(meta(update)).toMatchObject({ historyInterrupted: true });
    expect(updates.findLast(isUpdate("tool_call_update"))).toMatchObject({ toolCallId: "c", status: "cancelled" });
    expect(updates.findLast(isUpdate("terminal_update"))).toMatchObject({
      exitStatus: { exitCode: null, signal: null },
    });
  });

  test("that failed says why, after what it left", async () => {
    const error = { message: "The model is gone.", codexErrorInfo: "other" as const, additionalDetails: null };
    const updates = await replayed(["t", [asked("u", "q")], { status: "failed", error }]);
    expect(updates.at(-1)).toMatchObject({
      sessionUpdate: "agent_message",
      messageId: "error-t",
      content: [{ type: "text", text: "The model is gone." }],
      _meta: { codex: { error: { message: "The model is gone." }, historyReplay: true } },
    });
  });

  clause(["REVIEW-01"], "drops a review's result that a message repeats, and keeps one that none does", async () => {
    const exit = exitedReviewMode({ id: "x", review: "Fine.\n" });
    const updates = await replayed(
      ["t1", [said("m1", "Fine."), exit]],
      ["t2", [said("m2", "Other."), { ...exit, id: "y" }]],
    );
    expect(updates.filter(isUpdate("agent_message")).map(({ messageId }) => messageId)).toEqual(["m1", "m2", "y"]);
  });
});

describe("a replayed prompt", () => {
  const content = (updates: readonly Update[]): unknown => updates.find(isUpdate("user_message"))?.content;

  clause(["REPLAY-04", "REPLAY-07"], "keeps references as links, and fetches none", async () => {
    const updates = await replayed([
      "t",
      [
        prompt(
          { type: "text", text: "look", text_elements: [] },
          { type: "image", url: "https://example.test/a.png" },
          { type: "image", fileId: "file/1" },
          { type: "mention", name: "notes", path: "/home/user/notes.md" },
        ),
      ],
    ]);
    expect(content(updates)).toEqual([
      { type: "text", text: "look" },
      { type: "resource_link", name: "a.png", uri: "https://example.test/a.png" },
      { type: "resource_link", name: "image", uri: "codex-file:file%2F1" },
      { type: "resource_link", name: "notes", uri: "file:///home/user/notes.md" },
    ]);
  });

  test("turns references that prompts write back into links, and leaves other links as text", async () => {
    const updates = await replayed([
      "t",
      [
        prompt(
          { type: "text", text: "[@a.md](file:///home/user/a.md)", text_elements: [] },
          { type: "text", text: "see [@a.md](file:///home/user/a.md)", text_elements: [] },
          { type: "text", text: "[a.md](file:///home/user/a.md)", text_elements: [] },
        ),
      ],
    ]);
    expect(content(updates)).toEqual([
      { type: "resource_link", name: "a.md", uri: "file:///home/user/a.md" },
      { type: "text", text: "see [@a.md](file:///home/user/a.md)" },
      { type: "text", text: "[a.md](file:///home/user/a.md)" },
    ]);
  });

  clause(["REPLAY-16"], "shows images that it names by path, and a placeholder for what is none", async () => {
    const folder = join(scratch, `images-${process.pid}`);
    mkdirSync(folder, { recursive: true });
    const png = Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.alloc(16)]);
    writeFileSync(join(folder, "a.png"), png);
    writeFileSync(join(folder, "b.png"), "<svg xmlns='http://www.w3.org/2000/svg'/>");
    try {
      const paths = [join(folder, "a.png"), join(folder, "b.png"), join(folder, "gone.png"), folder, "/dev/zero"];
      const updates = await replayed([
        "t",
        [prompt(...paths.map((path): UserInput => ({ type: "localImage", path })))],
      ]);
      const unavailable = expect.objectContaining({
        type: "resource_link",
        uri: "codex-image:unavailable",
        _meta: { codex: { imageUnavailable: true } },
      });
      expect(content(updates)).toEqual([
        { type: "image", mimeType: "image/png", data: png.toString("base64") },
        ...[unavailable, unavailable, unavailable, unavailable],
      ]);
      expect(JSON.stringify(updates)).not.toContain("gone.png");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
