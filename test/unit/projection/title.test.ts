import { describe, expect, test } from "vitest";
import type { UserInput } from "../../../src/generated/codex/types.js";
import { beginsWithAttachment, titleOf, titleOfPreview } from "../../../src/projection/title.js";
import { contentOf } from "../../../src/projection/user-input.js";

const text = (value: string): UserInput => ({ type: "text", text: value, text_elements: [] });
const image: UserInput = { type: "image", url: "data:image/png;base64,AAAA" };
const link = text("[@notes.md](file:///w/notes.md)");
const context = text('[@a.ts](file:///w/a.ts)\n<context ref="file:///w/a.ts">\nthe code\n</context>');

/** What Codex previews a prompt with: its texts put together, or what stands for an image. */
function preview(input: readonly UserInput[]): string {
  const texts = input.map((it) => (it.type === "text" ? it.text : "")).join("");
  return texts.trim() === "" ? "[Image]" : texts.trim();
}

const rows: readonly (readonly [string, readonly UserInput[], string | null])[] = [
  ["the first line that says something", [text("\n  \n  Mend it  \nplease")], "Mend it"],
  ["words before a reference", [text("Look at "), link, text(" and mend it")], "Look at"],
  ["words before a reference in the same text", [text("Look at [@a.ts](file:///w/a.ts) now")], "Look at"],
  ["words behind a reference", [link, text(" Mend it\nplease")], "Mend it"],
  ["words behind a reference in the same text", [text("[@a.ts](file:///w/a.ts) mend it")], "mend it"],
  ["words behind embedded context", [context, text("Mend it")], "Mend it"],
  ["words before embedded context", [text("Mend it"), context], "Mend it"],
  ["texts put together", [text("Mend "), text("it")], "Mend it"],
  ["words around an image", [text("Mend "), image, text("it")], "Mend it"],
  ["words behind an image", [image, text("Mend it")], "Mend it"],
  ["the first resource, without words", [link, text(" \n"), context], "notes.md"],
  ["a resource whose text is embedded", [context], "a.ts"],
  ["a resource beside an image", [image, link], "notes.md"],
  ["an image that has a name", [{ type: "localImage", path: "/w/pic.png" }], "pic.png"],
  ["an image alone, as Codex calls it", [image], "[Image]"],
  ["a URI with parentheses and spaces", [text("Go [@a (1)](file:///w/a (1).txt) on")], "Go"],
  ["what only looks like a reference", [text("[@home it is")], "[@home it is"],
];

describe("titleOf()", () => {
  test.each(rows)("is %s", (_, input, title) => expect(titleOf(contentOf(input))).toBe(title));

  test("is nothing where nothing is said", () => {
    expect(titleOf([])).toBeNull();
    expect(titleOf(contentOf([text(" \n")]))).toBeNull();
  });

  test("is at most 120 code units long, and parts no pair", () => {
    expect(titleOfPreview("x".repeat(120))).toBe("x".repeat(120));
    expect(titleOfPreview("x".repeat(121))).toBe(`${"x".repeat(119)}…`);
    expect(titleOfPreview(`${"x".repeat(118)}😀yy`)).toBe(`${"x".repeat(118)}…`);
  });

  test("is soon made of a text that leads to no end", () => {
    const started = process.cpuUsage();
    for (const hostile of ["[@".repeat(500_000), "[@a](".repeat(200_000), `[@a](${"(".repeat(1_000_000)}`]) {
      titleOfPreview(hostile);
      titleOfPreview(`x${hostile}`);
    }
    expect(process.cpuUsage(started).user).toBeLessThan(5_000_000);
  });
});

describe("a preview", () => {
  test.each(rows)("that does not begin with an attachment tells the same: %s", (_, input, title) => {
    const seen = preview(input);
    expect(beginsWithAttachment(seen) ? title : titleOfPreview(seen)).toBe(title);
  });

  test.each([
    "[@a.ts](file:///w/a.ts)Mend it",
    "[@a.ts](file:///w/a",
    "[@a",
    "[Image]",
    "[Audio]",
    "# Files mentioned by the user:\n\n## a.png: /w/a.png",
  ])("that begins with an attachment is known: %j", (seen) => expect(beginsWithAttachment(seen)).toBe(true));

  test.each(["", "Mend it", "See [@a.ts](file:///w/a.ts)", "@a", "[a](file:///w/a)"])("that does not: %j", (seen) =>
    expect(beginsWithAttachment(seen)).toBe(false),
  );
});
