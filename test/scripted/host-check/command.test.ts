import { execFile } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeDocsDriver } from "../../support/docs-driver.js";

const cli = fileURLToPath(new URL("../../../dist/cli.js", import.meta.url));

let folder: string;
let good: readonly string[];

beforeAll(async () => {
  const docs = await writeDocsDriver();
  folder = docs.folder;
  good = [process.execPath, docs.driver];
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs the command; `after` stands behind `--`. */
const hostCheck = (args: readonly string[], ...after: readonly string[]) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const all = [cli, "host-check", ...args, ...(after.length === 0 ? [] : ["--", ...after])];
    const child = execFile(process.execPath, all, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });

/** A driver that says `hello` and answers everything else so. */
const saying = (answer: string): readonly string[] => {
  const hello = '{ name: "broken", version: "1", can: [] }';
  const program = `
    require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const { id, method } = JSON.parse(line);
      console.log(JSON.stringify({ jsonrpc: "2.0", id, ...(method === "hello" ? { result: ${hello} } : ${answer}) }));
    });`;
  return [process.execPath, "-e", program];
};

/** Some of each area: two processes for each case take their time. */
const some = ["close/late*", "message/snap*", "permission/*", "readonly/*", "replay/*", "state/un*", "tool/patch"];

test("the driver of the docs passes, what it cannot do is skipped, and the reports are written", async () => {
  const reports = ["json", "junit", "html"].flatMap((kind) => [`--${kind}`, join(folder, `report.${kind}`)]);
  const { code, stdout, stderr } = await hostCheck(["--verbose", ...reports, "--case", ...some, "list/*"], ...good);
  expect(stderr).toBe("");
  expect(stdout).toContain("ok permission/withdrawn");
  expect(code).toBe(0);
  const { suite, subject, totals, results } = JSON.parse(await readFile(join(folder, "report.json"), "utf8"));
  expect(subject).toMatchObject({ name: "example-host", capabilities: { can: [] } });
  expect(suite.actors.map(({ name }: { name: string }) => name)).toEqual(["User", "Host", "Agent"]);
  expect(totals).toMatchObject({ passed: results.length - 2, skipped: 2 });
  expect(await readFile(join(folder, "report.junit"), "utf8")).toContain('classname="host-check.PERMISSION"');
  const html = await readFile(join(folder, "report.html"), "utf8");
  expect(html).toContain("<title>host-check report</title>");
  expect(html).toContain("The client answers a request the agent cancels");
});

test("a driver that answers off schema is named, and not the host", async () => {
  const { code, stdout } = await hostCheck(["--case", "permission/withdrawn"], ...saying("{ result: { done: true } }"));
  expect(stdout).toContain("DRIVER BROKEN permission/withdrawn");
  expect(stdout).toContain("the driver sent a frame off contract: expected ");
  expect(code).toBe(5);
});

test("so is one that answers with an error", async () => {
  const refusing = saying('{ error: { code: -32603, message: "no agent" } }');
  const { code, stdout } = await hostCheck(["--case", "permission/withdrawn"], ...refusing);
  expect(stdout).toContain("DRIVER BROKEN permission/withdrawn");
  expect(stdout).toContain("the driver answered open with an error: no agent");
  expect(code).toBe(5);
});

test("a driver whose process ends in a case is a host that did", async () => {
  const dying = saying("process.exit(7)");
  const { code, stdout } = await hostCheck(["--case", "permission/withdrawn"], ...dying);
  expect(stdout).toContain("FAILED permission/withdrawn");
  expect(stdout).toContain("the host ended (7), expecting the driver's answer to open");
  expect(code).toBe(1);
});

test("a driver that cannot be started", async () => {
  const gone = await hostCheck([], join(folder, "no-such-program"));
  expect(gone).toMatchObject({ code: 3, stderr: expect.stringContaining("the driver could not be started") });
  const ends = await hostCheck([], process.execPath, "-e", "process.exit(9)");
  expect(ends).toMatchObject({ code: 3, stderr: expect.stringContaining("the driver could not be started") });
});

test("wrong use", async () => {
  const nobody = await hostCheck([]);
  expect(nobody).toMatchObject({ code: 2, stderr: "host-check: no driver given: put its command after --\n" });
  const list = join(folder, "list.json");
  await writeFile(list, JSON.stringify({ "permission/none": "there is none" }));
  const stale = await hostCheck(["--case", "permission/withdrawn", "--known-failing", list], ...good);
  expect(stale).toMatchObject({ code: 4, stdout: expect.stringContaining("there is no such case") });
});
