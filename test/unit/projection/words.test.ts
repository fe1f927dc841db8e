import { describe, expect, test } from "vitest";
import { absolutePath } from "../../../src/projection/update.js";
import { contentOf, fileUri } from "../../../src/projection/user-input.js";

describe("absolutePath()", () => {
  test.each([
    ["/a/b", "/w", "/a/b"],
    ["a", "/w", "/w/a"],
    ["./a/b", "/w", "/w/a/b"],
    ["a", "/w/", "/w/a"],
    ["a", "/", "/a"],
    ["", "/w", "/w"],
    [".", "/w", "/w"],
    ["C:\\a", "/w", "C:\\a"],
    ["c:/a", "/w", "c:/a"],
    ["\\\\server\\share", "/w", "\\\\server\\share"],
    ["a\\b", "C:\\w", "C:\\w\\a\\b"],
    [".\\a", "C:\\w\\", "C:\\w\\a"],
    ["..a", "/w", "/w/..a"],
  ])("of %j in %j is %j", (path, cwd, absolute) => expect(absolutePath(path, cwd)).toBe(absolute));
});

describe("contentOf()", () => {
  const shown = (url: string) => contentOf([{ type: "image", url }]);

  test("shows the image that a data URL holds, and links to any other", () => {
    expect(shown("data:image/png;base64,AAAA")).toEqual([{ type: "image", mimeType: "image/png", data: "AAAA" }]);
    for (const [url, name] of [
      ["https://example.com/a/b.png", "b.png"],
      ["data:image/png,AAAA", "png,AAAA"],
      ["data:image/png;charset=x;base64,AAAA", "png;charset=x;base64,AAAA"],
      ["data:image/svg+xml;base64,<svg/>", ">"],
    ] as const) {
      expect(shown(url)).toEqual([{ type: "resource_link", name, uri: url }]);
    }
  });

  test("shows an input of a kind that it does not know as it came", () => {
    const novel = { type: "hologram", data: 1 } as never;
    expect(contentOf([novel])).toEqual([{ type: "text", text: '{"type":"hologram","data":1}' }]);
  });
});

test.each([
  ["/a b/ü.txt", "file:///a%20b/%C3%BC.txt"],
  ["/a#b?c%d", "file:///a%23b%3Fc%25d"],
  ["C:\\a\\b", "file:///C:/a/b"],
  ["skill://a/b", "skill://a/b"],
])("the URI of %j is %j", (path, uri) => expect(fileUri(path)).toBe(uri));
