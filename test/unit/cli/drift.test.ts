import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { drift } from "../../../src/cli/drift.js";
import { repository, scratch } from "../../support/places.js";

const data = join(repository, "schemas");
let written: { stdout: string; stderr: string };
let folder: string;

beforeEach(() => {
  mkdirSync(scratch, { recursive: true });
  folder = mkdtempSync(join(scratch, "drift-"));
  written = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const) {
    vi.spyOn(process[stream], "write").mockImplementation((text) => {
      written[stream] += String(text);
      return true;
    });
  }
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

describe("drift()", () => {
  test("what breaks gives exit code 1", () => {
    expect(drift({ old: "0.161.0", now: "0.166.0", data })).toBe(1);
    expect(written.stdout).toContain("value removed: ReviewDelivery  detached");
    expect(written.stderr).toBe("");
  });

  test("a version and its own capture do not differ", () => {
    const { version } = JSON.parse(readFileSync(join(data, "codex/MANIFEST.json"), "utf8")) as { version: string };
    expect(drift({ old: version, now: join(data, "codex"), data, format: "json" })).toBe(0);
    expect(JSON.parse(written.stdout)).toMatchObject({ old: version, now: version, changes: [], breaking: false });
  });

  test("a capture in which a method is gone", () => {
    cpSync(join(data, "codex"), folder, { recursive: true });
    const file = join(folder, "methods.json");
    const methods = JSON.parse(readFileSync(file, "utf8")) as { requests: { method: string }[] };
    const requests = methods.requests.filter(({ method }) => method !== "thread/unsubscribe");
    writeFileSync(file, JSON.stringify({ ...methods, requests }));
    expect(drift({ old: join(data, "codex"), now: folder, data, format: "markdown" })).toBe(1);
    expect(written.stdout).toContain("## Breaks us (1)\n\n- request removed: `thread/unsubscribe`");
  });

  test("ACP", () => {
    expect(drift({ old: "2.3.0", now: "2.4.0", data, acp: true })).toBe(0);
    expect(written.stdout).toContain("ACP SDK 2.3.0 → 2.4.0");
  });

  test.each([
    { old: "0.1.0", says: '"0.1.0" is neither a folder with a capture nor a version that is stored here: 0.153.4, ' },
    { old: join(repository, "src"), says: "MANIFEST.json" },
  ])("$old is refused with what there is, and exit code 2", ({ old, says }) => {
    expect(drift({ old, now: "0.171.0", data })).toBe(2);
    expect(written.stdout).toBe("");
    expect(written.stderr).toContain(says);
  });

  test("a capture that is cut off is named", () => {
    cpSync(join(data, "codex"), folder, { recursive: true });
    writeFileSync(join(folder, "methods.json"), '{"requests": [');
    expect(drift({ old: folder, now: "0.171.0", data })).toBe(2);
    expect(written.stderr).toContain(join(folder, "methods.json"));
  });
});
