import { describe, expect, test } from "vitest";
import { notifications, requests, serverRequests } from "../../../src/generated/codex/methods.js";
import type { FileUpdateChange } from "../../../src/generated/codex/types.js";
import { commandExecution, mcpToolCall } from "../../../src/testing/scripted-codex/items.js";
import { type Rig, type RigOptions, startRig } from "./rig.js";

const words = (text: string) => ({ type: "content", content: { type: "text", text } });
const fenced = (text: string) => words(`\`\`\`\n${text}\`\`\``);

/** A rig with a turn that is run to its end by `play`. */
async function turned(
  play: (turn: Awaited<ReturnType<Rig["begin"]>>["turn"], rig: Rig) => unknown,
  options: RigOptions = {},
) {
  const rig = await startRig(options);
  const { turn, answer } = await rig.begin();
  await play(turn, rig);
  await rig.clock.settle();
  turn.complete();
  await answer;
  await rig.close();
  return rig;
}

describe("a command", () => {
  test("is a call whose output is text between fences, shown anew as it grows", async () => {
    const rig = await turned((turn) => {
      turn.command("make", { id: "c", output: `${"a".repeat(100)}\nend\n`, deltas: ["a".repeat(100), "\n", "end\n"] });
    });
    expect(rig.of("tool_call")).toMatchObject([
      { toolCallId: "c", title: "make", kind: "execute", status: "in_progress" },
    ]);
    expect(rig.of("tool_call")[0]?.content).toEqual([]);
    const contents = rig.of("tool_call_update").flatMap(({ content }) => content ?? []);
    expect(contents).toEqual([fenced(`${"a".repeat(100)}\n`), fenced(`${"a".repeat(100)}\nend\n`)]);
    expect(rig.of("tool_call_update").at(-1)).toMatchObject({ status: "completed", rawOutput: { exitCode: 0 } });
  });

  test("whose record differs from what was streamed ends with the record", async () => {
    const rig = await turned((turn) => {
      turn.command("make", { id: "c", output: "right\n", deltas: ["wro"] });
    });
    const contents = rig.of("tool_call_update").flatMap(({ content }) => content ?? []);
    expect(contents.at(-1)).toEqual(fenced("right\n"));
  });

  test("with back-ticks in its output has longer fences", async () => {
    const rig = await turned((turn) => {
      turn.command("cat", { id: "c", output: "```\n````" });
    });
    const [content] = rig.of("tool_call_update").flatMap(({ content }) => content ?? []);
    expect(content).toEqual(words("`````\n```\n````\n`````"));
  });

  test("that failed says so; one that was stopped is failed too", async () => {
    const rig = await turned((turn) => {
      turn.command("false", { id: "c", exitCode: 1 });
      turn.itemStarted(commandExecution({ id: "d", command: "sleep" }));
      turn.itemCompleted(commandExecution({ id: "d", command: "sleep", status: "declined" }));
    });
    expect(rig.of("tool_call_update")).toMatchObject([
      { toolCallId: "c", status: "failed" },
      { toolCallId: "d", status: "failed" },
    ]);
  });

  test("has a terminal at a host that shows the agent's, in the way such hosts know", async () => {
    const capabilities = { _meta: { terminal_output: true } };
    const rig = await turned(
      (turn) => {
        turn.command("make", { id: "c", output: "aä\nb\n", deltas: ["aä", "\nb\n"] });
        turn.command("make", { id: "d", output: "right", deltas: ["wrong"] });
      },
      { capabilities },
    );
    expect(rig.of("tool_call")[0]).toMatchObject({
      content: [{ type: "terminal", terminalId: "c" }],
      _meta: { terminal_info: { terminal_id: "c", cwd: "/home/user/project" } },
    });
    const told = (id: string) =>
      rig.of("tool_call_update").flatMap(({ toolCallId, _meta }) => (toolCallId === id && _meta ? [_meta] : []));
    expect(told("c")).toEqual([
      { terminal_output: { terminal_id: "c", data: "aä" } },
      { terminal_output: { terminal_id: "c", data: "\nb\n" } },
      { terminal_exit: { terminal_id: "c", exit_code: 0, signal: null } },
    ]);
    expect(told("d")[1]).toEqual({
      terminal_output: { terminal_id: "d", data: "\u001bcright" },
      terminal_exit: { terminal_id: "d", exit_code: 0, signal: null },
    });
  });

  test("that reads has its output as it is, without fences", async () => {
    const rig = await turned((turn) => {
      const item = commandExecution({
        id: "c",
        command: "cat a",
        commandActions: [{ type: "read", command: "cat a", name: "a", path: "/home/user/project/a" }],
      });
      turn.item(item, { ...item, status: "completed", aggregatedOutput: "text", exitCode: 0 });
    });
    expect(rig.of("tool_call")).toMatchObject([
      { kind: "read", name: "read_file", locations: [{ path: "/home/user/project/a" }] },
    ]);
    expect(rig.of("tool_call_update").at(-1)?.content).toEqual([words("text")]);
  });
});

describe("a patch", () => {
  const root = "/home/user/project";
  const of = async (...changes: FileUpdateChange[]) => {
    const rig = await turned((turn) => {
      turn.patch(changes, { id: "p" });
    });
    return rig.of("tool_call")[0]?.content;
  };

  test("shows an added and a deleted file whole", async () => {
    expect(
      await of(
        { path: "a b.txt", kind: { type: "add" }, diff: "one\ntwo\n" },
        { path: "gone", kind: { type: "delete" }, diff: "old" },
        { path: "empty", kind: { type: "add" }, diff: "" },
      ),
    ).toEqual([
      { type: "diff", path: `${root}/a b.txt`, oldText: null, newText: "one\ntwo\n" },
      { type: "diff", path: `${root}/gone`, oldText: "old", newText: "" },
      { type: "diff", path: `${root}/empty`, oldText: null, newText: "" },
    ]);
  });

  test("shows each hunk of a changed file, and where it begins", async () => {
    const diff = "@@ -1,2 +1,3 @@\n a\n-b\n+B\n+c\n@@ -9 +10 @@\n-x\n\\ No newline at end of file\n+y\n";
    expect(await of({ path: "f", kind: { type: "update", move_path: null }, diff })).toEqual([
      {
        type: "diff",
        path: `${root}/f`,
        oldText: "a\nb\n",
        newText: "a\nB\nc\n",
        _meta: { codex: { hunk: { oldStart: 1, newStart: 1 } } },
      },
      {
        type: "diff",
        path: `${root}/f`,
        oldText: "x",
        newText: "y\n",
        _meta: { codex: { hunk: { oldStart: 9, newStart: 10 } } },
      },
    ]);
  });

  test("names a moved file, and what no patch can say, in words", async () => {
    expect(
      await of(
        { path: "a", kind: { type: "update", move_path: "b" }, diff: "" },
        { path: "broken", kind: { type: "update", move_path: null }, diff: "@@ no hunk\n" },
        { path: "c", kind: { type: "update", move_path: null }, diff: "@@ -1 +1 @@\n-1\n+2\n" },
      ),
    ).toEqual([
      words(`Moved ${root}/a to ${root}/b`),
      words(`Changed ${root}/broken`),
      expect.objectContaining({ type: "diff", path: `${root}/c`, oldText: "1\n", newText: "2\n" }),
    ]);
  });
});

describe("other calls", () => {
  test("progress is added to what was shown before", async () => {
    const rig = await turned((turn, { codex, sessionId }) => {
      const item = mcpToolCall({ id: "m", server: "s", tool: "t" });
      turn.itemStarted(item);
      const at = { threadId: sessionId, turnId: turn.turnId, itemId: "m" };
      for (const message of ["first", "second"])
        codex.notify(notifications.itemMcpToolCallProgress, { ...at, message });
      turn.itemCompleted({ ...item, status: "completed" });
    });
    const contents = rig.of("tool_call_update").flatMap(({ content }) => (content ? [content] : []));
    expect(contents.slice(0, 2)).toEqual([[words("first")], [words("first"), words("second")]]);
  });
});

describe("a question", () => {
  const asked = async (rig: Rig) => {
    const { turn, answer } = await rig.begin();
    turn.itemStarted(commandExecution({ id: "c", command: "rm -r build" }));
    const reply = rig.codex.ask(serverRequests.itemCommandExecutionRequestApproval, {
      threadId: rig.sessionId,
      turnId: turn.turnId,
      itemId: "c",
      startedAtMs: 1,
      reason: "outside the sandbox",
      command: "rm -r build",
      environmentId: null,
    });
    return { turn, answer, reply, question: await rig.question() };
  };

  test("names its call with all that is known of it, and its reason while it is open", async () => {
    const rig = await startRig();
    const { turn, answer, reply, question } = await asked(rig);
    expect(question.params.toolCall).toMatchObject({
      toolCallId: "c",
      title: "rm -r build",
      kind: "execute",
      status: "in_progress",
      rawInput: { command: "rm -r build" },
      content: [words("outside the sandbox")],
    });
    expect(question.params.options.map(({ kind }) => kind)).toContain("allow_once");
    question.answer({ outcome: { outcome: "selected", optionId: "allow_once" } });
    expect(await reply.answer).toEqual({ decision: "accept" });
    await rig.clock.settle();
    expect(rig.of("tool_call_update").at(-1), "the reason goes").toMatchObject({ toolCallId: "c", content: [] });
    turn.complete();
    await answer;
    await rig.close();
  });

  test("is taken back when the turn is cancelled, and the host's cancelled is an answer", async () => {
    const rig = await startRig();
    const { turn, answer, reply, question } = await asked(rig);
    rig.codex.on(requests.turnInterrupt, (_params, { afterAnswer }) => {
      afterAnswer(() => turn.complete("interrupted"));
      return {};
    });
    rig.cancel();
    question.answer({ outcome: { outcome: "cancelled" } });
    expect(await reply.answer).toMatchObject({ decision: "cancel" });
    expect(await answer).toMatchObject({ stopReason: "cancelled" });
    await rig.close();
  });

  test("about a call that the host does not know announces it first", async () => {
    const rig = await startRig();
    const { turn, answer } = await rig.begin();
    const reply = rig.codex.ask(serverRequests.itemCommandExecutionRequestApproval, {
      threadId: rig.sessionId,
      turnId: turn.turnId,
      itemId: "early",
      startedAtMs: 1,
      command: "ls",
      environmentId: null,
    });
    const question = await rig.question();
    expect(rig.of("tool_call")).toMatchObject([{ toolCallId: "early", title: "ls" }]);
    question.answer({ outcome: { outcome: "selected", optionId: "decline" } });
    expect(await reply.answer).toEqual({ decision: "decline" });
    turn.complete();
    await answer;
    await rig.close();
  });
});
