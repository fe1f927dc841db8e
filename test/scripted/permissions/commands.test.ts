import { afterEach, describe, expect, test } from "vitest";
import type { CommandExecutionRequestApprovalParams } from "../../../src/generated/codex/types.js";
import { clause } from "../../support/clause.js";
import { isUpdate } from "../../support/host.js";
import { askCommand, chosen, dismissed, optionIds, type PermissionDialog, type Rig, startRig } from "./rig.js";

let rig: Rig;

afterEach(() => rig.bridge.close());

const description = ({ params }: PermissionDialog, optionId: string): unknown =>
  params.options.find((option) => option.optionId === optionId)?._meta?.["codex"];

describe("a command", () => {
  clause(
    ["PERM-01", "PERM-02", "PERM-04", "PERM-13"],
    "is asked with title, reason, item and described options",
    async () => {
      rig = await startRig();
      const { itemId, answer } = askCommand(rig, { reason: "May I?" });
      const dialog = await rig.permission();
      expect(dialog.params).toMatchObject({
        sessionId: rig.sessionId,
        title: "Run command?",
        description: "May I?",
        subject: { type: "tool_call", toolCall: { toolCallId: itemId } },
      });
      expect(optionIds(dialog)).toEqual(["allow_once", "allow_for_session", "decline", "cancel"]);
      for (const option of dialog.params.options) {
        expect(option._meta).toEqual({ codex: { description: expect.stringMatching(/\w+ .*\.$/) } });
      }
      dialog.answer(chosen("allow_once"));
      expect(await answer).toEqual({ decision: "accept" });
      await rig.finish();
    },
  );

  clause(["PERM-01"], "has no description when Codex gives no reason", async () => {
    rig = await startRig();
    askCommand(rig);
    expect((await rig.permission()).params).not.toHaveProperty("description");
  });

  clause(
    ["PERM-02", "TOOL-01"],
    "of which the host has not heard is announced once, and ends like any other",
    async () => {
      rig = await startRig();
      const { answer } = askCommand(rig, {
        itemId: "unheard",
        command: "make",
        commandActions: [{ type: "unknown", command: "make" }],
      });
      const dialog = await rig.permission();
      expect(dialog.params.subject).toEqual({ type: "tool_call", toolCall: { toolCallId: "unheard" } });
      const callFrames = () => rig.bridge.host.updates(rig.sessionId).filter(isUpdate("tool_call_update"));
      expect(callFrames()).toEqual([expect.objectContaining({ toolCallId: "unheard", name: "shell", title: "make" })]);
      dialog.answer(chosen("allow_once"));
      await answer;
      rig.turn.command("make", { id: "unheard", output: "made\n" });
      await rig.finish();
      const frames = callFrames();
      expect(frames.filter((frame) => "name" in frame || "title" in frame)).toHaveLength(1);
      expect(frames.at(-1)).toMatchObject({ toolCallId: "unheard", status: "completed" });
    },
  );

  const answers = [
    { optionId: "allow_once", decision: "accept" },
    { optionId: "allow_for_session", decision: "acceptForSession" },
    { optionId: "decline", decision: "decline" },
    { optionId: "cancel", decision: "cancel" },
  ];
  for (const { optionId, decision } of answers) {
    clause(["PERM-05"], `${optionId} tells Codex ${decision}`, async () => {
      rig = await startRig();
      const { answer } = askCommand(rig);
      (await rig.permission()).answer(chosen(optionId));
      expect(await answer).toEqual({ decision });
    });
  }

  const proposal: Partial<CommandExecutionRequestApprovalParams> = { proposedExecpolicyAmendment: ["git", "push"] };

  clause(
    ["PERM-06"],
    "a proposed rule is an option that says what it lets run, and is sent back as proposed",
    async () => {
      rig = await startRig();
      const { answer } = askCommand(rig, proposal);
      const dialog = await rig.permission();
      expect(optionIds(dialog)).toContain("accept_execpolicy_amendment");
      expect(description(dialog, "accept_execpolicy_amendment")).toEqual({
        description: expect.stringContaining("begin with `git push` run without asking"),
      });
      dialog.answer(chosen("accept_execpolicy_amendment"));
      expect(await answer).toEqual({
        decision: { acceptWithExecpolicyAmendment: { execpolicy_amendment: ["git", "push"] } },
      });
    },
  );

  clause(["PERM-08"], "Codex's own list counts, in its order, and nothing is added to it", async () => {
    rig = await startRig();
    const rule = { acceptWithExecpolicyAmendment: { execpolicy_amendment: ["touch"] } };
    const { answer } = askCommand(rig, { ...proposal, availableDecisions: ["cancel", rule, "accept"] });
    const dialog = await rig.permission();
    expect(optionIds(dialog)).toEqual(["cancel", "accept_execpolicy_amendment", "allow_once"]);
    dialog.answer(chosen("accept_execpolicy_amendment"));
    expect(await answer).toEqual({ decision: rule });
  });

  clause(["PERM-03", "PERM-08"], "an option that Codex's list leaves out is refused like an unknown one", async () => {
    rig = await startRig();
    const { answer } = askCommand(rig, { availableDecisions: ["accept", "cancel"] });
    (await rig.permission()).answer(chosen("allow_for_session"));
    expect(await answer).toEqual({ decision: "decline" });
  });

  clause(["PERM-08"], "what Codex lists twice is offered once", async () => {
    rig = await startRig();
    const rule = (...prefix: string[]) => ({ acceptWithExecpolicyAmendment: { execpolicy_amendment: prefix } });
    const { answer } = askCommand(rig, { availableDecisions: ["accept", rule("a"), "accept", rule("b"), "cancel"] });
    const dialog = await rig.permission();
    expect(optionIds(dialog)).toEqual(["allow_once", "accept_execpolicy_amendment", "cancel"]);
    dialog.answer(chosen("accept_execpolicy_amendment"));
    expect(await answer).toEqual({ decision: rule("a") });
  });

  test("is declined without asking when Codex's list has nothing to offer", async () => {
    rig = await startRig();
    const { answer } = askCommand(rig, { availableDecisions: [] });
    expect(await answer).toEqual({ decision: "decline" });
    expect(rig.permissions).toEqual([]);
    expect(rig.states()).toEqual(["running"]);
  });

  test("more rights than the sandbox gives are named", async () => {
    rig = await startRig();
    askCommand(rig, {
      reason: "Needs more.",
      additionalPermissions: { network: { enabled: true }, fileSystem: { read: ["/etc"], write: ["/srv"] } },
    });
    const { params } = await rig.permission();
    expect(params.description).toBe("Needs more.\n\nNetwork access\nRead /etc\nWrite /srv");
  });

  test("a part of a command that asks by itself is named", async () => {
    rig = await startRig();
    askCommand(rig, { approvalId: "part-1", command: "rm -r build" });
    expect((await rig.permission()).params).toMatchObject({ title: "Run command?", description: "rm -r build" });
  });

  test("input for a running command is asked for as such, about that command", async () => {
    rig = await startRig();
    const { itemId, answer } = askCommand(rig, { kind: "writeStdin", approvalId: "input-1" });
    const dialog = await rig.permission();
    expect(dialog.params).toMatchObject({
      title: "Send input to command?",
      subject: { toolCall: { toolCallId: itemId } },
    });
    dialog.answer(chosen("allow_once"));
    expect(await answer).toEqual({ decision: "accept" });
  });

  test("one that only the user may start is declined unasked", async () => {
    rig = await startRig();
    const { answer } = askCommand(rig, { kind: "humanCommand" });
    expect(await answer).toEqual({ decision: "decline" });
    expect(rig.permissions).toEqual([]);
  });
});

describe("network access", () => {
  const network: Partial<CommandExecutionRequestApprovalParams> = {
    networkApprovalContext: { host: "example.org", protocol: "https" },
    proposedNetworkPolicyAmendments: [
      { host: "example.org", action: "allow" },
      { host: "example.org", action: "deny" },
    ],
  };

  clause(["PERM-04"], "has its own title and names the host", async () => {
    rig = await startRig();
    askCommand(rig, network);
    expect((await rig.permission()).params).toMatchObject({
      title: "Allow network access?",
      description: "https: example.org",
    });
  });

  for (const [n, action] of (["allow", "deny"] as const).entries()) {
    clause(["PERM-07"], `amendment ${n} is sent back as the proposal of that number`, async () => {
      rig = await startRig();
      const { answer } = askCommand(rig, network);
      const dialog = await rig.permission();
      const option = dialog.params.options.find((it) => it.optionId === `apply_network_policy_amendment:${n}`);
      expect(option?.kind).toBe(action === "allow" ? "allow_always" : "reject_always");
      dialog.answer(chosen(`apply_network_policy_amendment:${n}`));
      expect(await answer).toEqual({
        decision: { applyNetworkPolicyAmendment: { network_policy_amendment: { host: "example.org", action } } },
      });
    });
  }

  clause(["PERM-07", "PERM-08"], "a listed amendment keeps the number of its proposal", async () => {
    rig = await startRig();
    const deny = {
      applyNetworkPolicyAmendment: { network_policy_amendment: { host: "example.org", action: "deny" as const } },
    };
    const { answer } = askCommand(rig, { ...network, availableDecisions: [deny, "decline"] });
    const dialog = await rig.permission();
    expect(optionIds(dialog)).toEqual(["apply_network_policy_amendment:1", "decline"]);
    dialog.answer(chosen("apply_network_policy_amendment:1"));
    expect(await answer).toEqual({ decision: deny });
  });
});

describe("what is no approval", () => {
  const answers: readonly { what: string; give: (dialog: PermissionDialog) => void; want: string }[] = [
    { what: "a cancelled outcome", give: (dialog) => dialog.answer(dismissed), want: "cancel" },
    { what: "an option that was not offered", give: (dialog) => dialog.answer(chosen("yes")), want: "decline" },
    { what: "an option named like a member", give: (dialog) => dialog.answer(chosen("constructor")), want: "decline" },
    { what: "an error", give: (dialog) => dialog.fail(new Error("no dialog here")), want: "cancel" },
    {
      what: "an outcome of another kind",
      give: (dialog) => dialog.answer({ outcome: { outcome: "_later", optionId: "allow_once" } }),
      want: "cancel",
    },
    {
      what: "an outcome without an option",
      give: ({ id }) => raw(id, { outcome: { outcome: "selected" } }),
      want: "cancel",
    },
    { what: "an answer without an outcome", give: ({ id }) => raw(id, { optionId: "allow_once" }), want: "cancel" },
    { what: "null", give: ({ id }) => raw(id, null), want: "cancel" },
  ];
  const raw = (id: string | number, result: unknown): void => rig.bridge.host.rawFrames({ jsonrpc: "2.0", id, result });

  for (const { what, give, want } of answers) {
    clause(["PERM-03"], `K-14: ${what} tells Codex ${want}, and the turn goes on`, async () => {
      rig = await startRig();
      const { answer } = askCommand(rig);
      give(await rig.permission());
      expect(await answer).toEqual({ decision: want });
      rig.turn.message("Then without.");
      await rig.finish();
      expect(rig.states()).toEqual(["running", "requires_action", "running", "idle"]);
    });
  }
});
