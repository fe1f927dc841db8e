import { lstat, mkdtemp, readFile, readlink, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFolders } from "../../../src/conformance/folders.js";
import { filesIn } from "../../../src/conformance/steps/files.js";

test("folders hold what a case says, which may name them, and go away", async () => {
  const wanted = { home: { "a/b.jsonl": [{ at: "$" + "{logs}" }, "x"], "c.txt": "in $" + "{cwd}" }, logs: {} };
  const { paths, remove } = await makeFolders(wanted, { cwd: "/work" });
  const { home = "", logs = "" } = paths;
  try {
    expect(await readFile(join(home, "a/b.jsonl"), "utf8")).toBe(`{"at":${JSON.stringify(logs)}}\n"x"\n`);
    expect(await readFile(join(home, "c.txt"), "utf8")).toBe("in /work");
    await filesIn({ bindings: paths }, { filesIn: "$" + "{home}", are: ["a/b.jsonl", "c.txt"] });
    const less = filesIn({ bindings: paths }, { filesIn: "$" + "{home}", are: ["c.txt"] });
    await expect(less).rejects.toThrow("is not as it must be");
  } finally {
    await remove();
  }
  await expect(stat(home)).rejects.toThrow("ENOENT");
});

test("files are told apart by a text in them, and a long text is written out", async () => {
  const wanted = { logs: { "a.txt": { $text: [["ab", 3]] as const }, "b/c.txt": "a secret word" } };
  const { paths, remove } = await makeFolders(wanted, {});
  const having = (text: string, are: readonly string[]) =>
    filesIn({ bindings: { ...paths, text } }, { filesIn: "$" + "{logs}", with: "$" + "{text}", are });
  try {
    await having("ababab", ["a.txt"]);
    await having("secret", ["b/c.txt"]);
    await having("nowhere", []);
    await expect(having("secret", [])).rejects.toThrow("and has secret in it is not as it must be");
  } finally {
    await remove();
  }
});

test("a pipe and a link are no files to look for a text in", { timeout: 5_000 }, async () => {
  const wanted = { logs: { "a.txt": "a word", pipe: { $pipe: true }, link: { $link: "a.txt" } } } as const;
  const { paths, remove } = await makeFolders(wanted, {});
  const { logs = "" } = paths;
  try {
    expect((await lstat(join(logs, "pipe"))).isFIFO()).toBe(true);
    expect(await readlink(join(logs, "link"))).toBe("a.txt");
    await filesIn({ bindings: paths }, { filesIn: logs, are: ["a.txt", "link", "pipe"] });
    await filesIn({ bindings: paths }, { filesIn: logs, with: "a word", are: ["a.txt"] });
  } finally {
    await remove();
  }
});

test("no file is written outside of its folder, and nothing is left behind", async () => {
  const outside = await mkdtemp(join(tmpdir(), "outside-"));
  try {
    const made = makeFolders({ home: { [`../${outside.split("/").at(-1)}/a.txt`]: "x" } }, {});
    await expect(made).rejects.toThrow("lies outside of its folder");
    await expect(stat(join(outside, "a.txt"))).rejects.toThrow("ENOENT");
  } finally {
    await rm(outside, { recursive: true });
  }
});
