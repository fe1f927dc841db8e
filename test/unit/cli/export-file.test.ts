import { execFileSync } from "node:child_process";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createExportFile } from "../../../src/cli/history/export-file.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "export-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("the file of an export", () => {
  test("takes the place of a link, and leaves what it led to alone", async () => {
    const other = join(folder, "other");
    const path = join(folder, "out.jsonl");
    writeFileSync(other, "mine");
    symlinkSync(other, path);
    const file = await createExportFile(path);
    await file.line({ a: 1 });
    await file.finish();
    expect(readFileSync(other, "utf8")).toBe("mine");
    expect([readFileSync(path, "utf8"), lstatSync(path).isFile()]).toEqual(['{"a":1}\n', true]);
    expect(lstatSync(path).mode & 0o777).toBe(0o600);
  });

  test.each([
    ["a pipe", (path: string) => void execFileSync("mkfifo", [path])],
    ["a folder", (path: string) => void mkdirSync(path)],
  ])("is not put in the place of %s", async (_kind, make) => {
    const path = join(folder, "out.jsonl");
    make(path);
    await expect(createExportFile(path)).rejects.toThrow(/out\.jsonl is no regular file/);
    expect(readdirSync(folder)).toEqual(["out.jsonl"]);
    expect(lstatSync(path).isFile()).toBe(false);
  });

  test("is not put in the place of a device", async () => {
    await expect(createExportFile("/dev/null")).rejects.toThrow(/no regular file/);
    expect(lstatSync("/dev/null").isCharacterDevice()).toBe(true);
  });
});
