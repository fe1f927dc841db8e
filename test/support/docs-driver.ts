import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { repository, scratch } from "./places.js";

/** The driver of docs/host-check.md, as it stands there. */
const text = /```js\n(.*?)```/su.exec(readFileSync(join(repository, "docs/host-check.md"), "utf8"))?.[1] ?? "";

/** A folder of its own within the repository, whose packages the driver finds; the caller removes it. */
export async function writeDocsDriver(): Promise<{ readonly folder: string; readonly driver: string }> {
  await mkdir(scratch, { recursive: true });
  const folder = await mkdtemp(join(scratch, "host-check-"));
  const driver = join(folder, "driver.mjs");
  await writeFile(driver, text);
  return { folder, driver };
}
