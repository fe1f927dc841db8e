import { afterEach, beforeEach, expect, test } from "vitest";
import { requests } from "../../../src/generated/codex/methods.js";
import type { Turn, UserInput } from "../../../src/generated/codex/types.js";
import { hostRequests } from "../../../src/generated/contract/methods.js";
import { CodexFailure } from "../../../src/testing/scripted-codex/core.js";
import { turnOf } from "../../../src/testing/scripted-codex/turn.js";
import { clause } from "../../support/clause.js";
import { type ListRig, row, startList } from "./rig.js";

let rig: ListRig;

beforeEach(async () => {
  rig = await startList();
});
afterEach(() => rig.bridge.close());

const text = (value: string): UserInput => ({ type: "text", text: value, text_elements: [] });
const prompted = (...content: UserInput[]): Turn =>
  turnOf("t", { itemsView: "summary", items: [{ type: "userMessage", id: "u", clientId: null, content }] });

const titles = async () => {
  const { sessions } = await rig.bridge.host.request(hostRequests.sessionList, {});
  return sessions.map(({ sessionId, title }) => [sessionId, title]);
};

const link = "[@a.txt](file:///home/user/a.txt)";

test("a preview that begins with an attachment, whole or cut short, sends the list to the record, and no other", async () => {
  const rows = [
    row("plain", { preview: "Mend it\nnow" }),
    row("later", { preview: `Mend ${link} now` }),
    row("named", { preview: link, name: "My name" }),
    row("behind", { preview: `${link}Mend it` }),
    row("alone", { preview: link }),
    row("cut", { preview: "[@a.txt](file:///home/us" }),
    row("image", { preview: "[Image]" }),
    row("words", { preview: "[@home it is" }),
  ];
  rig.pages.set("", { rows, next: null });
  rig.turns.set("behind", [prompted(text(link), text("Mend it\nnow"))]);
  rig.turns.set("alone", [prompted(text(link))]);
  rig.turns.set("cut", [prompted(text(link), text(" See here"))]);
  rig.turns.set("image", [prompted({ type: "localImage", path: "/home/user/pic.png" })]);
  rig.turns.set("words", [prompted(text("[@home it is"))]);
  const expected = [
    ["plain", "Mend it"],
    ["later", "Mend"],
    ["named", "My name"],
    ["behind", "Mend it"],
    ["alone", "a.txt"],
    ["cut", "See here"],
    ["image", "pic.png"],
    ["words", "[@home it is"],
  ];
  expect(await titles()).toEqual(expected);
  const asked = rig.bridge.codex.calls(requests.threadTurnsList).map(({ params }) => params);
  expect(asked.map(({ threadId }) => threadId)).toEqual(["behind", "alone", "cut", "image", "words"]);
  expect(new Set(asked.map(({ sortDirection, itemsView }) => `${sortDirection} ${itemsView}`))).toEqual(
    new Set(["asc summary"]),
  );
  expect(await titles()).toEqual(expected);
  expect(rig.bridge.codex.calls(requests.threadTurnsList)).toHaveLength(asked.length);
});

clause(["LIST-15"], "at most eight titles are read at once", async () => {
  const { codex, clock } = rig.bridge;
  rig.pages.set("", {
    rows: Array.from({ length: 20 }, (_, n) => row(`t-${n}`, { preview: link, forkedFromId: "f" })),
    next: null,
  });
  const held = Array.from({ length: 20 }, () => codex.hold(requests.threadTurnsList));
  const list = titles();
  for (const [n, one] of held.entries()) {
    await clock.settle();
    expect(codex.calls(requests.threadTurnsList)).toHaveLength(Math.min(20, n + 8));
    one.answer({ data: [prompted(text(link), text(`Title ${n}`))], nextCursor: null, backwardsCursor: null });
  }
  expect(await list).toEqual(Array.from({ length: 20 }, (_, n) => [`t-${n}`, `Title ${n}`]));
});

test("a record that cannot be read leaves what the preview tells", async () => {
  rig.pages.set("", { rows: [row("a", { preview: `${link}Mend it` }), row("b", { preview: link })], next: null });
  rig.bridge.codex.on(requests.threadTurnsList, () => {
    throw new CodexFailure(-32603, "its file is gone");
  });
  expect(await titles()).toEqual([
    ["a", "Mend it"],
    ["b", "a.txt"],
  ]);
});
