import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadDecisions, loadSide, storedVersions } from "../../../src/cli/drift/load.js";
import { type DriftReport, type ReportedChange, reportDrift } from "../../../src/drift/report.js";
import type { Protocol } from "../../../src/drift/surface.js";
import { repository } from "../../support/places.js";

const schemas = join(repository, "schemas");
const codex = loadDecisions("codex", schemas);

const between = (old: string, now: string, protocol: Protocol = "codex"): DriftReport => {
  const decisions = protocol === "codex" ? codex : loadDecisions(protocol, schemas);
  return reportDrift(loadSide(old, protocol, schemas), loadSide(now, protocol, schemas), decisions);
};

const told = ({ mark, subject, change, at, was, now }: ReportedChange): string =>
  `${mark}: ${subject} ${change} ${at}${(was ?? now) ? ` (${was ?? ""} -> ${now ?? ""})` : ""}`;

const count = (
  { changes }: DriftReport,
  subject: ReportedChange["subject"],
  change: ReportedChange["change"],
): number => changes.filter((it) => it.subject === subject && it.change === change).length;

/**
 * What is known of each step from reading both schemas by hand and running both binaries: how many messages came and
 * went, everything in the schema that can break the bridge, and what may arrive that was never decided about.
 */
const steps = [
  {
    old: "0.153.4",
    now: "0.156.1",
    messages: { requests: [10, 1], serverRequests: [0, 0], notifications: [1, 0] },
    has: [
      "other: request removed thread/rollback",
      "breaks: field optional UserInput(image).url",
      "used: field added UserInput(image).fileId ( -> string)",
      "breaks: type retyped PermissionsRequestApprovalParams.cwd (AbsolutePathBuf -> LegacyAppPathString)",
      "breaks: type retyped GuardianApprovalReviewAction(command).cwd (AbsolutePathBuf -> LegacyAppPathString)",
      "undecided: variant added McpServerElicitationRequestParams(openai/userVerification)",
      "used: field added GetAccountResponse.workspaceRouting ( -> WorkspaceRouting | null)",
      "used: field added ThreadResumeResponse.collaborationMode ( -> CollaborationMode | null)",
    ],
  },
  {
    old: "0.156.1",
    now: "0.158.0",
    messages: { requests: [3, 0], serverRequests: [0, 0], notifications: [1, 0] },
    has: [
      'used: field added ThreadItemEntry.startedAtMs ( -> integer (format "int64") | null)',
      "undecided: value added CodexErrorInfo ( -> flexUnavailable)",
    ],
  },
  {
    old: "0.158.0",
    now: "0.161.0",
    messages: { requests: [2, 0], serverRequests: [0, 0], notifications: [1, 0] },
    has: [
      "used: variant added ThreadItemsListParams.cursor(item)",
      "breaks: type widened CodexErrorInfo (one of 14 values -> any string)",
      "breaks: type widened CodexErrorInfo ( -> object)",
    ],
  },
  {
    old: "0.161.0",
    now: "0.166.0",
    messages: { requests: [10, 0], serverRequests: [0, 0], notifications: [1, 0] },
    has: [
      "breaks: field optional ThreadItem(imageGeneration).result",
      "breaks: value removed ReviewDelivery (detached -> )",
      "undecided: value added MessagePhase ( -> partial_answer)",
      "breaks: type retyped SkillMetadata.path (AbsolutePathBuf -> LegacyAppPathString)",
      "undecided: variant added Account(gcp)",
    ],
  },
  {
    old: "0.166.0",
    now: "0.171.0",
    messages: { requests: [10, 0], serverRequests: [0, 1], notifications: [2, 0] },
    has: [
      "other: server request removed currentTime/read",
      "other: request added modelProvider/list",
      "breaks: field optional UserInput(audio).url",
      "undecided: value added CommandExecutionApprovalKind ( -> humanCommand)",
      "undecided: value added CodexErrorInfo ( -> bioPolicy)",
    ],
  },
] as const;

describe.each(steps)("Codex $old to $now", ({ old, now, messages, has }) => {
  const report = between(old, now);

  test("as many messages came and went as are known", () => {
    expect({
      requests: [count(report, "request", "added"), count(report, "request", "removed")],
      serverRequests: [count(report, "server request", "added"), count(report, "server request", "removed")],
      notifications: [count(report, "notification", "added"), count(report, "notification", "removed")],
    }).toEqual(messages);
    expect(count(report, "item", "added")).toBe(0);
  });

  test("every known change is told, with the mark it deserves", () => {
    expect(report.changes.map(told)).toEqual(expect.arrayContaining([...has]));
  });

  test("a step that is known to break says so", () => {
    const breaks = has.some((it) => it.startsWith("breaks"));
    expect(report.counts.breaks > 0).toBe(breaks);
    expect(report.breaking).toBe(breaks || report.behaviour.length > 0);
  });
});

test("from 0.161.0 straight to 0.171.0, what came in between is told as well", () => {
  const changes = between("0.161.0", "0.171.0").changes.map(told);
  expect(changes).toEqual(expect.arrayContaining([...steps[3].has, ...steps[4].has]));
});

test("no item type is decided about that a step removed, and none is new", () => {
  for (const { old, now } of steps) {
    const items = between(old, now).changes.filter(({ subject }) => subject === "item");
    expect(items).toEqual([]);
  }
});

describe("ACP", () => {
  test("2.2.0 to 2.3.0: background work, cancel, archive, title and status came", () => {
    const report = between("2.2.0", "2.3.0", "acp");
    expect(report.breaking).toBe(false);
    expect(report.changes.map(told)).toEqual(
      expect.arrayContaining([
        "undecided: host request added tool_call/cancel",
        "used: host request added session/archive",
        "used: notification added auth/status_update",
        "used: value added ToolCallStatus ( -> paused)",
      ]),
    );
  });

  test("2.3.0 to 2.4.0: the schema did not change", () => {
    expect(between("2.3.0", "2.4.0", "acp").changes).toEqual([]);
  });
});

describe("what is stored", () => {
  test.each(["codex", "acp"] as const)("the captured %s is kept as its surface too", (protocol) => {
    const { version } = JSON.parse(readFileSync(join(schemas, protocol, "MANIFEST.json"), "utf8")) as {
      version: string;
    };
    const captured = loadSide(join(schemas, protocol), protocol, schemas).surface;
    expect(captured.messages.length).toBeGreaterThan(20);
    expect(loadSide(version, protocol, schemas).surface).toEqual(captured);
  });

  test("the versions that are tested against are there", () => {
    expect(storedVersions("codex", schemas)).toEqual(
      expect.arrayContaining(["0.153.4", "0.156.1", "0.158.0", "0.161.0", "0.166.0", "0.171.0"]),
    );
    expect(readdirSync(join(schemas, "versions")).filter((name) => name.endsWith(".gz")).length).toBeGreaterThan(8);
  });
});
