import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { codexVersion } from "./capture/codex.js";
import { capture, keep } from "./capture/index.js";
import { keepBehaviour } from "./capture/keep.js";
import { installedCodex } from "./capture/native-binary.js";
import { conformanceFiles } from "./conformance.js";
import { emitters } from "./emit/index.js";
import { compareWithTree, generate, writeTree } from "./generate.js";
import { hostCheckFiles } from "./host-check.js";
import { contractSchema, contractSchemaFile } from "./model/contract-schema.js";
import { loadModel } from "./model/load.js";
import { probeCodex } from "./probe/index.js";
import { installCodex, installSdk, typeErrors } from "./take/install.js";
import { exitCodeOf, printTaken, printTakenAsMarkdown } from "./take/print.js";
import { take } from "./take/take.js";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const program = new Command("codegen").description("Keeps schemas and src/generated in step.");

program
  .command("capture")
  .description("store the schemas of Codex and of ACP under schemas")
  .option("--codex <path>", "capture this Codex binary instead of the installed one")
  .action((options: { codex?: string }) => {
    capture(root, options.codex);
    say("captured schemas/codex and schemas/acp");
  });

program
  .command("keep")
  .description("keep the surface of another version under schemas/versions, for comparisons")
  .option("--codex <path>", "of this Codex binary")
  .option("--acp <folder>", "of the @agentclientprotocol/sdk in this folder")
  .action((options: { codex?: string; acp?: string }) => {
    const kept = keep(root, options);
    if (kept.length === 0) throw new Error("name what to keep: --codex PATH, --acp FOLDER, or both");
    for (const path of kept) say(`kept ${path}`);
  });

program
  .command("probe")
  .description("ask a Codex what its schemas do not tell, and keep the answers under schemas/versions")
  .option("--codex <path>", "this Codex binary instead of the installed one")
  .action(async (options: { codex?: string }) => {
    const codex = options.codex ?? installedCodex();
    const told = (name: string, answer: string): void => say(`${name}: ${answer}`);
    const behaviour = await probeCodex({
      codex,
      version: codexVersion(codex, join(root, ".tmp")),
      under: join(root, ".tmp"),
      told,
    });
    say(`kept ${keepBehaviour(root, behaviour)}`);
  });

program
  .command("take [version]")
  .description("take another Codex: install, capture, probe, compare, generate, compile; exit code 1 when work is left")
  .option("--codex <path>", "take this binary, and install nothing: package.json stays as it is")
  .option("--sdk <version>", "take another @agentclientprotocol/sdk, alone or with a Codex")
  .option("--report <file>", "write the report as Markdown too")
  .action(async (version: string | undefined, options: { codex?: string; sdk?: string; report?: string }) => {
    if (version === undefined && options.codex === undefined && options.sdk === undefined) {
      throw new Error("name what to take: a version or a dist-tag of Codex, --codex PATH, or --sdk VERSION");
    }
    if (version !== undefined && options.codex !== undefined) throw new Error("name a version or a path, not both");
    if (version !== undefined) say(`installed @openai/codex ${installCodex(root, version)}`);
    if (options.sdk !== undefined) say(`installed @agentclientprotocol/sdk ${installSdk(root, options.sdk)}`);
    const codex = options.codex ?? installedCodex();
    const taken = await take({
      root,
      codex,
      probe: (found) => probeCodex({ codex, version: found, under: join(root, ".tmp") }),
      typeErrors: () => typeErrors(root),
      say,
    });
    say(`\n${printTaken(taken)}`);
    if (options.report !== undefined) writeFileSync(options.report, printTakenAsMarkdown(taken));
    process.exitCode = exitCodeOf(taken);
  });

program
  .command("generate")
  .description("write src/generated and what is generated of docs from schemas")
  .option("--check", "change nothing; fail when a file differs")
  .action(async (options: { check?: boolean }) => {
    const schema = contractSchema(root);
    const files = await generate(loadModel(root, schema), [
      ...emitters,
      () => [contractSchemaFile(schema)],
      (model) => conformanceFiles(root, model),
      () => hostCheckFiles(root),
    ]);
    if (options.check !== true) {
      const changed = writeTree(root, files);
      for (const { path, kind } of changed) say(`${kind === "stale" ? "removed" : "wrote"} ${path}`);
      say(`${files.length} files, ${changed.length} changed`);
      return;
    }
    const differences = compareWithTree(root, files);
    for (const { path, kind } of differences) say(`${kind}: ${path}`);
    if (differences.length > 0) throw new Error("the files above are not as generated: run `npm run generate`");
    say(`${files.length} files are as generated`);
  });

try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
