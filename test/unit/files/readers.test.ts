import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readImage } from "../../../src/files/image-file.js";
import { readText } from "../../../src/files/text-file.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "readers-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const limit = 1000;
const png = Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.alloc(16)]);

test.each([
  ["a pipe that nobody writes to", (path: string) => void execFileSync("mkfifo", [path])],
  ["a device", (path: string) => symlinkSync("/dev/zero", path)],
  ["a folder", (path: string) => symlinkSync(folder, path)],
])("%s is neither waited for nor read", async (_kind, make) => {
  const path = join(folder, "it");
  make(path);
  expect(await readImage(path, limit)).toBeNull();
  expect(await readText(path, limit)).toEqual({ problem: "it is not a regular file" });
});

test("what is over the limit is not read", async () => {
  const path = join(folder, "it");
  writeFileSync(path, Buffer.concat([png, Buffer.alloc(limit)]));
  expect(await readImage(path, limit)).toEqual({ size: limit + png.length });
  expect(await readText(path, limit)).toEqual({
    problem: `it has ${limit + png.length} bytes, and ${limit} are read at most`,
  });
});

test("a name proves nothing: an image is one by its first bytes", async () => {
  const path = join(folder, "it.png");
  writeFileSync(path, "password=not for the host, whatever its name is");
  expect(await readImage(path, limit)).toBeNull();
  writeFileSync(path, png);
  expect(await readImage(path, limit)).toEqual({ mimeType: "image/png", data: png.toString("base64") });
});
