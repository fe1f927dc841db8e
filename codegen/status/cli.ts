import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import type { ClausesFile } from "../model/contract.js";
import { openList, statusTable } from "./print.js";
import { scanTests } from "./scan.js";
import { contractStatus } from "./status.js";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");

const say = (text: string): void => void process.stdout.write(`${text}\n`);

const main = (options: { check?: boolean; json?: boolean; open?: boolean }): void => {
  // `npm run generate` has checked the file; the rest of the contract is not needed here.
  const clauses: ClausesFile = JSON.parse(readFileSync(join(root, "schemas/contract/clauses.json"), "utf8"));
  const status = contractStatus(clauses, scanTests(root));
  if (options.json === true) say(JSON.stringify(status, null, 2));
  else say(options.open === true ? openList(status) : statusTable(status));
  if (options.check !== true || status.problems.length === 0) return;
  for (const problem of status.problems) process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
};

new Command("contract:status")
  .description("Counts the clauses of the contract that are implemented, shown by a test, and open.")
  .option("--check", "fail when a clause's status and the tests that name it disagree")
  .option("--open", "list the open clauses instead")
  .option("--json", "print everything as JSON")
  .action(main)
  .parse();
