import { readdirSync, readFileSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { captureAcp } from "../../codegen/capture/acp.js";
import { captureCodex } from "../../codegen/capture/codex.js";
import type { CapturedFiles } from "../../codegen/capture/manifest.js";
import { installedCodex } from "../../codegen/capture/native-binary.js";
import { repository, scratch } from "../support/places.js";

const texts = (files: CapturedFiles): { [name: string]: string } =>
  Object.fromEntries([...files].map(([name, content]) => [name, Buffer.from(content).toString("utf8")]));

const stored = (folder: string): { [name: string]: string } =>
  Object.fromEntries(
    readdirSync(join(repository, "schemas", folder)).map((name) => [
      name,
      readFileSync(join(repository, "schemas", folder, name), "utf8"),
    ]),
  );

describe("capturing again", () => {
  test("the installed Codex gives what is stored, byte for byte", { timeout: 60_000 }, () => {
    const work = join(scratch, "capture");
    expect(texts(captureCodex(installedCodex(), work))).toEqual(stored("codex"));
    expect(readdirSync(work), "the work folder is left empty").toEqual([]);
    rmdirSync(work);
  });

  test("the installed SDK gives what is stored, byte for byte", () => {
    expect(texts(captureAcp())).toEqual(stored("acp"));
  });
});
