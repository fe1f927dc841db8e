// `npm run compat`: the tests against the real binary, and the probes, on every supported version of Codex; writes
// docs/compatibility.md. `--versions 0.161.0,0.171.0` for some of them, whose results replace the earlier ones under
// `.tmp/compat`; `--page` writes the page from what is there. Some minutes a version. See docs/regenerate.md.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import spawn from "cross-spawn";
import { codexVersion } from "../../codegen/capture/codex.js";
import { installedCodex } from "../../codegen/capture/native-binary.js";
import { printTidyJson } from "../../codegen/json.js";
import { probeCodex } from "../../codegen/probe/index.js";
import { storedVersions } from "../../src/cli/drift/load.js";
import { readBehaviour, type StoredBehaviour } from "../../src/drift/behaviour.js";
import { repository } from "../support/places.js";
import { compatibilityPage, type VersionResults } from "./page.js";
import { readResults } from "./results.js";

const { values } = parseArgs({
  options: { versions: { type: "string" }, page: { type: "boolean", default: false } },
});
const supported = storedVersions("codex", join(repository, "schemas"));
const wanted = values.page ? [] : (values.versions?.split(",") ?? supported);
const unsupported = wanted.filter((version) => !supported.includes(version));
if (unsupported.length > 0) throw new Error(`not kept under schemas/versions: ${unsupported.join(", ")}`);

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const folderOf = (version: string): string => join(repository, ".tmp/compat", version);
const reportOf = (version: string): string => join(folderOf(version), "report.json");
const answersOf = (version: string): string => join(folderOf(version), "behaviour.json");

/** Those that play no host to the bridge, or choose their Codex themselves. */
const leftOut = ["capture", "demo", "doctor", "ground", "probes", "take"];

function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): number {
  const { status, error } = spawn.sync(command, [...args], {
    cwd: repository,
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (error) throw new Error(`${command} cannot be run: ${error.message}`, { cause: error });
  return status ?? 1;
}

/** The native binary of a version, installed under `.tmp/compat` where it is not there yet. */
function install(version: string): string {
  const folder = folderOf(version);
  mkdirSync(folder, { recursive: true });
  const manifest = join(folder, "node_modules/@openai/codex/package.json");
  if (!existsSync(manifest)) {
    writeFileSync(join(folder, "package.json"), "{}\n");
    const flags = ["--prefix", folder, "--no-audit", "--no-fund", "--ignore-scripts"];
    if (run("npm", ["install", ...flags, `@openai/codex@${version}`]) !== 0) throw new Error(`npm has no ${version}`);
  }
  const path = installedCodex(process.platform, process.arch, manifest);
  const found = codexVersion(path, folder);
  if (found !== version) throw new Error(`${path} is ${found}, not ${version}`);
  return path;
}

for (const version of wanted) {
  const path = install(version);
  say(`${version}: the probes`);
  const answers = await probeCodex({ codex: path, version, under: join(repository, ".tmp") });
  writeFileSync(answersOf(version), printTidyJson(answers));
  say(`${version}: the tests`);
  run(
    "npx",
    [
      "vitest",
      "run",
      "--project=real",
      "--reporter=json",
      `--outputFile=${reportOf(version)}`,
      ...leftOut.map((name) => `--exclude=test/real/${name}.test.ts`),
    ],
    { ...process.env, CODEX_UNDER_TEST: path, CODEX_UNDER_TEST_VERSION: version },
  );
  const results = readResults(JSON.parse(readFileSync(reportOf(version), "utf8")));
  say(`${version}: ${results.filter(({ passed }) => passed).length} of ${results.length} passed`);
}

const missing = supported.filter((version) => !existsSync(reportOf(version)));
if (missing.length > 0) throw new Error(`no results yet for ${missing.join(", ")}: run without --versions`);
const all = supported.map((version): VersionResults => {
  const behaviour: StoredBehaviour = readBehaviour(JSON.parse(readFileSync(answersOf(version), "utf8")));
  return { version, behaviour, tests: readResults(JSON.parse(readFileSync(reportOf(version), "utf8"))) };
});
const { text, faults } = compatibilityPage(all);
writeFileSync(join(repository, "docs/compatibility.md"), text);
say("wrote docs/compatibility.md");
for (const fault of faults) say(fault);
process.exitCode = faults.length > 0 ? 1 : 0;
