import { expect, test } from "vitest";
import { hostRequests } from "../../../src/generated/contract/methods.js";
import { row, startList } from "./rig.js";

test("a time that no date can hold is left out, and the list stands", async () => {
  const { bridge, pages } = await startList();
  pages.set("", { rows: [row("far", { updatedAt: 1e15 }), row("near")], next: null });
  const { sessions } = await bridge.host.request(hostRequests.sessionList, {});
  expect(sessions.map(({ sessionId, updatedAt }) => [sessionId, updatedAt])).toEqual([
    ["far", undefined],
    ["near", "2027-01-15T08:00:00.000Z"],
  ]);
  await bridge.close();
});
