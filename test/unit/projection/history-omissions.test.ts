import { describe, expect, test } from "vitest";
import { omissionsOf } from "../../../src/projection/history/omissions.js";
import type { Update } from "../../../src/projection/update.js";
import { agentMessage } from "../../../src/testing/scripted-codex/items.js";

const cited = agentMessage({ id: "agent", text: "hi", memoryCitation: { entries: [], threadIds: ["t"] } });

const shownAs = (codex: object): Update[] => [
  { sessionUpdate: "agent_message", messageId: "agent", content: [], _meta: { codex } },
];

describe("omissionsOf()", () => {
  test("names a field that the updates do not carry, and not one that they do", () => {
    expect(omissionsOf(cited, shownAs({ turnId: "turn" }))).toMatchObject([
      { itemId: "agent", field: "memoryCitation" },
    ]);
    expect(omissionsOf(cited, shownAs({ memoryCitation: cited.memoryCitation }))).toEqual([]);
  });

  test("has nothing to say of fields that Codex left empty", () => {
    const plain = agentMessage({ id: "agent", text: "hi", questions: [], delivery: null, moderation: null });
    expect(omissionsOf(plain, shownAs({}))).toEqual([]);
  });
});
