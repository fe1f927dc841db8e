import { afterEach, describe, expect } from "vitest";
import { serverRequests } from "../../../src/generated/codex/methods.js";
import type { PermissionsRequestApprovalParams } from "../../../src/generated/codex/types.js";
import { clause } from "../../support/clause.js";
import { isUpdate } from "../../support/host.js";
import { askPatch, chosen, dismissed, ids, optionIds, type Rig, startRig } from "./rig.js";

let rig: Rig;

afterEach(() => rig.bridge.close());

describe("edits", () => {
  const changes = [{ path: "a.txt", kind: { type: "add" as const }, diff: "a\n" }];

  clause(["PERM-01", "PERM-02", "PERM-09", "PERM-13"], "are asked about the patch that Codex has shown", async () => {
    rig = await startRig();
    const { itemId } = askPatch(rig, changes, "Outside the workspace.");
    const dialog = await rig.permission();
    expect(dialog.params).toMatchObject({
      title: "Make edits?",
      description: "Outside the workspace.\n\n/home/user/project/a.txt",
      subject: { type: "tool_call", toolCall: { toolCallId: itemId } },
    });
    expect(optionIds(dialog)).toEqual(["allow_once", "allow_for_session", "cancel"]);
    for (const { _meta } of dialog.params.options)
      expect(_meta).toEqual({ codex: { description: expect.any(String) } });
    const calls = rig.bridge.host.updates(rig.sessionId).filter(isUpdate("tool_call_update"));
    expect(calls).toEqual([expect.objectContaining({ toolCallId: itemId, name: "apply_patch" })]);
  });

  const answers = [
    { what: "allow_once", answer: chosen("allow_once"), decision: "accept" },
    { what: "allow_for_session", answer: chosen("allow_for_session"), decision: "acceptForSession" },
    { what: "cancel", answer: chosen("cancel"), decision: "cancel" },
    { what: "an option that was not offered", answer: chosen("decline"), decision: "decline" },
    { what: "a cancelled outcome", answer: dismissed, decision: "cancel" },
  ];
  for (const { what, answer, decision } of answers) {
    clause(["PERM-03", "PERM-09"], `${what} tells Codex ${decision}`, async () => {
      rig = await startRig();
      const asked = askPatch(rig, changes);
      (await rig.permission()).answer(answer);
      expect(await asked.answer).toEqual({ decision });
    });
  }

  clause(["PERM-01"], "name ten of many paths", async () => {
    rig = await startRig();
    askPatch(
      rig,
      Array.from({ length: 12 }, (_, n) => ({ path: `/p/${n}`, kind: { type: "add" as const }, diff: "" })),
    );
    const { params } = await rig.permission();
    expect(params.description?.split("\n")).toEqual([...Array.from({ length: 10 }, (_, n) => `/p/${n}`), "and 2 more"]);
  });
});

describe("a wider sandbox", () => {
  const permissions = { network: { enabled: true }, fileSystem: { write: ["/srv"] } };

  const askGrant = (fields: Partial<PermissionsRequestApprovalParams> = {}) =>
    rig.bridge.codex.ask(serverRequests.itemPermissionsRequestApproval, {
      ...ids(rig.turn),
      itemId: "grant-1",
      startedAtMs: 1_000,
      cwd: "/home/user/project",
      reason: "To install.",
      permissions,
      ...fields,
    });

  const callStatuses = (): unknown[] =>
    rig.bridge.host
      .updates(rig.sessionId)
      .filter(isUpdate("tool_call_update"))
      .map(({ toolCallId, status }) => [toolCallId, status]);

  clause(
    ["PERM-01", "PERM-02", "PERM-10", "PERM-13"],
    "is asked with a call of its own, as Codex has no item for it",
    async () => {
      rig = await startRig();
      askGrant();
      const dialog = await rig.permission();
      expect(dialog.params).toMatchObject({
        title: "Grant permissions?",
        description: "To install.\n\nNetwork access\nWrite /srv",
        subject: {
          type: "tool_call",
          toolCall: { toolCallId: "grant-1", name: "request_permissions", kind: "other", rawInput: { permissions } },
        },
      });
      expect(optionIds(dialog)).toEqual([
        "allow_permissions_turn",
        "allow_permissions_turn_strict_auto_review",
        "allow_permissions_session",
        "reject_permissions",
      ]);
      for (const { _meta } of dialog.params.options)
        expect(_meta).toEqual({ codex: { description: expect.any(String) } });
    },
  );

  const answers = [
    { what: "allow_permissions_turn", answer: chosen("allow_permissions_turn"), want: { permissions, scope: "turn" } },
    {
      what: "allow_permissions_turn_strict_auto_review",
      answer: chosen("allow_permissions_turn_strict_auto_review"),
      want: { permissions, scope: "turn", strictAutoReview: true },
    },
    {
      what: "allow_permissions_session",
      answer: chosen("allow_permissions_session"),
      want: { permissions, scope: "session" },
    },
    { what: "reject_permissions", answer: chosen("reject_permissions"), want: { permissions: {}, scope: "turn" } },
    { what: "an unknown option", answer: chosen("allow_once"), want: { permissions: {}, scope: "turn" } },
    { what: "a cancelled outcome", answer: dismissed, want: { permissions: {}, scope: "turn" } },
  ];
  for (const { what, answer, want } of answers) {
    clause(["PERM-03", "PERM-10"], `${what} grants ${JSON.stringify(want)}, and ends the call`, async () => {
      rig = await startRig();
      const asked = askGrant();
      (await rig.permission()).answer(answer);
      expect(await asked.answer).toEqual(want);
      await rig.settle();
      const granted = Object.keys(want.permissions).length > 0;
      expect(callStatuses()).toEqual([["grant-1", granted ? "completed" : "cancelled"]]);
      await rig.finish();
    });
  }

  clause(["PERM-10", "TOOL-04"], "its call ends before the idle of a cancelled turn", async () => {
    rig = await startRig();
    const asked = askGrant();
    await rig.permission();
    rig.turn.complete("interrupted");
    const { host } = rig.bridge;
    await host.idle(rig.sessionId);
    expect(await asked.answer).toEqual({ permissions: {}, scope: "turn" });
    const updates = host.updates(rig.sessionId);
    const closed = updates.findIndex((it) => isUpdate("tool_call_update")(it) && it.status === "cancelled");
    expect(closed).toBeGreaterThan(0);
    expect(closed).toBeLessThan(updates.findIndex((it) => isUpdate("state_update")(it) && it.state === "idle"));
  });
});
