import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isObject, type JsonObject } from "../../../codegen/json.js";
import { contractFiles, contractSchema, contractSchemaFile } from "../../../codegen/model/contract-schema.js";
import { loadContract } from "../../../codegen/model/load-contract.js";
import { repository, scratch } from "../../support/places.js";

const stored = join(repository, "schemas/contract");
const schema: JsonObject = JSON.parse(readFileSync(join(stored, "contract.schema.json"), "utf8"));

let folder: string;
beforeEach(() => {
  mkdirSync(scratch, { recursive: true });
  folder = mkdtempSync(join(scratch, "contract-"));
  cpSync(stored, folder, { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const change = (name: string, with_: (content: JsonObject) => void): void => {
  const file = join(folder, name);
  const content: unknown = JSON.parse(readFileSync(file, "utf8"));
  if (!isObject(content)) throw new Error(`${name} is no object`);
  with_(content);
  writeFileSync(file, JSON.stringify(content));
};

const firstOf = (content: JsonObject, list: string): JsonObject => {
  const rows = content[list];
  if (!Array.isArray(rows) || !isObject(rows[0])) throw new Error(`no ${list}`);
  return rows[0];
};

describe("contract.schema.json", () => {
  test("is made from the types of codegen/model/contract.ts", { timeout: 30_000 }, () => {
    const { path, text } = contractSchemaFile(contractSchema(repository));
    expect(readFileSync(join(repository, path), "utf8")).toBe(text);
  });

  test.each(Object.keys(contractFiles))("%s points editors to it", (name) => {
    const content: unknown = JSON.parse(readFileSync(join(stored, name), "utf8"));
    expect(isObject(content) && content["$schema"]).toMatch(/^\.\/contract\.schema\.json(#\/definitions\/\w+)?$/);
  });
});

describe("loadContract", () => {
  test("takes the stored files", () => {
    const { files, schemaFiles } = loadContract(folder, schema);
    expect(files.methods.methods.length).toBeGreaterThan(40);
    expect([...schemaFiles.keys()]).not.toContain("contract.schema.json");
  });

  test.each(Object.keys(contractFiles))("says that %s is missing", (name) => {
    rmSync(join(folder, name));
    expect(() => loadContract(folder, schema)).toThrow(`${name}: the file is missing`);
  });

  test.each<{ name: string; file: string; with_: (content: JsonObject) => void; want: string }>([
    {
      name: "a member that is missing",
      file: "methods.json",
      with_: (it) => delete firstOf(it, "methods")["area"],
      want: "methods.json#/methods/0: must have required property 'area'",
    },
    {
      name: "a member nobody knows",
      file: "errors.json",
      with_: (it) => Object.assign(firstOf(it, "errors"), { colour: "red" }),
      want: "errors.json#/errors/0: must NOT have additional properties: colour",
    },
    {
      name: "a value that is not one of those allowed",
      file: "codex.json",
      with_: (it) => Object.assign(firstOf(it, "requests"), { use: "perhaps" }),
      want: "codex.json#/requests/0/use: must be equal to one of the allowed values: pass-through, policy, unused",
    },
    {
      name: "a schema reference of no known kind",
      file: "methods.json",
      with_: (it) => Object.assign(firstOf(it, "methods"), { params: "mcp:Tool" }),
      want: "methods.json#/methods/0/params: must match pattern",
    },
  ])("names file and path of $name", ({ file, with_, want }) => {
    change(file, with_);
    expect(() => loadContract(folder, schema)).toThrow(want);
  });

  test("names all faults at once, text that is no JSON among them", () => {
    change("errors.json", (it) => Object.assign(firstOf(it, "errors"), { code: "x" }));
    writeFileSync(join(folder, "meta.json"), "{");
    expect(() => loadContract(folder, schema)).toThrow(
      /errors\.json#\/errors\/0\/code: must be number[\s\S]*meta\.json: /,
    );
  });
});
