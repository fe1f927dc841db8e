import { expect, test } from "vitest";
import { standardNotice } from "../../../src/projection/notice.js";
import { noTokens, usageUpdate } from "../../../src/projection/usage.js";

test("a notice has a title, whatever Codex gives", () => {
  const words = (title: string, description?: string | null) => standardNotice("warning", title, description);
  expect(words("Old setting", "Use the new one")).toEqual({
    sessionUpdate: "notice",
    severity: "warning",
    title: "Old setting",
    description: "Use the new one",
  });
  expect(words("Old setting", "")).toEqual({ sessionUpdate: "notice", severity: "warning", title: "Old setting" });
  expect(words("", "Use the new one")).toEqual({
    sessionUpdate: "notice",
    severity: "warning",
    title: "Use the new one",
  });
  expect(words("", null)).toEqual({ sessionUpdate: "notice", severity: "warning", title: "Codex: warning" });
});

test("the context in use is counted from 0", () => {
  const usage = (totalTokens: number, modelContextWindow: number | null) =>
    usageUpdate({ last: { ...noTokens, totalTokens }, total: noTokens, modelContextWindow });
  expect(usage(5, 10)).toEqual({ sessionUpdate: "usage_update", used: 5, size: 10 });
  expect(usage(-5, 10)).toEqual({ sessionUpdate: "usage_update", used: 0, size: 10 });
  expect(usage(5, -10)).toBeNull();
  expect(usage(5, null)).toBeNull();
});
