import { execFile, spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { scratch } from "../../support/places.js";

const cli = fileURLToPath(new URL("../../../dist/cli.js", import.meta.url));
const agents = fileURLToPath(new URL("./agents", import.meta.url));

let folder: string;

beforeAll(async () => {
  await mkdir(scratch, { recursive: true });
  folder = await mkdtemp(join(scratch, "conformance-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs the command; `after` stands behind `--`. */
const conformance = (
  given: readonly string[] | { readonly args: readonly string[]; readonly env: NodeJS.ProcessEnv },
  ...after: readonly string[]
) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const { args, env } = "args" in given ? given : { args: given, env: process.env };
    const all = [cli, "conformance", ...args, ...(after.length === 0 ? [] : ["--", ...after])];
    const child = execFile(process.execPath, all, { env }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });

const own = [process.execPath, cli];
const file = async (name: string, content: unknown): Promise<string> => {
  const path = join(folder, name);
  await writeFile(path, JSON.stringify(content));
  return path;
};

test("our agent as a process passes, and the reports are written", async () => {
  const reports = ["json", "junit", "html"].flatMap((kind) => [`--${kind}`, join(folder, `report.${kind}`)]);
  const { code, stdout, stderr } = await conformance(["--area", "prompt", "--verbose", ...reports], ...own);
  expect(stderr).toBe("");
  expect(stdout).toContain("ok prompt/echo-before-result");
  expect(code).toBe(0);
  const { subject, totals, results } = JSON.parse(await readFile(join(folder, "report.json"), "utf8"));
  expect(subject.name).toBe("codex-acp-kit");
  expect(totals.passed).toBe(results.length);
  expect(await readFile(join(folder, "report.junit"), "utf8")).toContain('classname="conformance.PROMPT"');
  expect(await readFile(join(folder, "report.html"), "utf8")).toContain("</html>");
  const same = await conformance(["--compare", join(folder, "report.json"), join(folder, "report.json")]);
  expect(same).toMatchObject({ code: 0, stdout: expect.stringContaining("codex-acp-kit 0.1.0") });
});

test("a reader that goes, as head does, costs its lines and nothing else", async () => {
  const args = [cli, "conformance", "--case", "init/*-required", "--verbose", "--", ...own];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.destroy();
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  expect(await new Promise((resolve) => child.once("close", resolve))).toBe(0);
  expect(stderr).toBe("");
});

test("an agent that breaks a MUST fails the run, unless that is known", async () => {
  const silent = [process.execPath, join(agents, "answers-nothing-more.mjs")];
  const args = ["--case", "init/unknown-method", "--timeout", "300"];
  const unexpected = await conformance(args, ...silent);
  expect(unexpected.code).toBe(1);
  expect(unexpected.stdout).toContain("MUST INIT-20");
  expect(unexpected.stdout).toContain("waited 300 ms in vain");
  const list = await file("known.json", { "init/unknown-*": "it answers nothing more" });
  expect(await conformance([...args, "--known-failing", list], ...silent)).toMatchObject({ code: 0 });
});

test("what an agent does not claim is skipped, and a features file overrules it", async () => {
  const silent = [process.execPath, join(agents, "answers-nothing-more.mjs")];
  const args = ["--case", "init/codex-capabilities", "--verbose", "--timeout", "300"];
  const skipped = await conformance(args, ...silent);
  expect(skipped).toMatchObject({ code: 0, stdout: expect.stringContaining("it does not claim _meta.codex") });
  const features = await file("features.json", { "codex-extensions": true });
  expect(await conformance([...args, "--features", features], ...silent)).toMatchObject({ code: 1 });
});

test("an entry of a list that no longer holds fails the run", async () => {
  const list = await file("stale.json", { "init/unknown-method": "it did fail" });
  const { code, stdout } = await conformance(["--case", "init/unknown-method", "--known-failing", list], ...own);
  expect(code).toBe(4);
  expect(stdout).toContain("stale entry: known-failing init/unknown-method: it passes");
});

test("an agent that cannot be started", async () => {
  const gone = await conformance([], join(folder, "no-such-program"));
  expect(gone).toMatchObject({ code: 3, stderr: expect.stringContaining("ENOENT") });
  const ends = await conformance([], process.execPath, "-e", "process.exit(9)");
  expect(ends).toMatchObject({ code: 3, stderr: expect.stringContaining("the agent ended (9)") });
});

test("wrong use", async () => {
  expect(await conformance([])).toMatchObject({ code: 2, stderr: expect.stringContaining("put its command after --") });
  expect(await conformance(["--area", "none"], ...own)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("no case"),
  });
  const list = await file("no-reason.json", { "init/*": "" });
  const bad = await conformance(["--known-failing", list], ...own);
  expect(bad).toMatchObject({ code: 2, stderr: expect.stringContaining("init/* needs a reason") });
  const unknown = await conformance(["--features", await file("unknown.json", { magic: true })], ...own);
  expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining("there is no feature magic") });
});

test("cases of the ground real without a Codex", async () => {
  const gone = ["--codex", join(folder, "no-such-codex")];
  const asked = await conformance([...gone, "--ground", "real"], ...own);
  expect(asked).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/the ground real cannot be tested: .*no-such-codex/),
  });
  const env = { ...process.env, CODEX_PATH: join(folder, "no-such-codex") };
  const others = await conformance({ args: ["--case", "list/real-thread", "list/cursor", "--verbose"], env }, ...own);
  expect(others).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/skipped list\/real-thread \(Codex was not found.*\n.*ok list\/cursor/s),
  });
});

test("--list runs nothing", async () => {
  const { code, stdout } = await conformance(["--list", "--area", "init", "--level", "SHOULD"]);
  expect(code).toBe(0);
  expect(stdout).toBe("init/reports-itself  SHOULD  INIT-24  The agent says its name and version.\n");
});
