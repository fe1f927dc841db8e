import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  createReceiptStore,
  type ReceiptFiles,
  type ReceiptStore,
  receiptsInMemory,
} from "../../../src/files/receipts.js";
import { requests } from "../../../src/generated/codex/methods.js";
import { hostRequests } from "../../../src/generated/contract/methods.js";
import { CodexFailure } from "../../../src/testing/scripted-codex/core.js";
import { clause } from "../../support/clause.js";
import { type ListRig, startList } from "./rig.js";

let rig: ListRig;

beforeEach(async () => {
  rig = await startList();
  const { codex } = rig.bridge;
  codex.on(requests.threadUnsubscribe, () => ({ status: "unsubscribed" as const }));
  codex.on(requests.threadDelete, () => ({}));
  codex.on(requests.threadArchive, () => ({}));
});
afterEach(() => rig.bridge.close());

const open = async (): Promise<string> => {
  const { host, clock } = rig.bridge;
  const { sessionId } = await host.request(hostRequests.sessionNew, { cwd: "/home/user", mcpServers: [] });
  await clock.settle();
  return sessionId;
};

const endings = [
  [hostRequests.sessionDelete, requests.threadDelete],
  [hostRequests.codexSessionArchive, requests.threadArchive],
] as const;

describe.each(endings)("$method", (descriptor, native) => {
  clause(["CLOSE-13"], "closes first, then waits for Codex as long as it takes", async () => {
    const { host, codex, clock } = rig.bridge;
    const sessionId = await open();
    const held = codex.hold(native);
    let answer: unknown;
    const pending = host.request(descriptor, { sessionId }).then((it) => {
      answer = it;
    });
    await codex.received(native);
    expect(codex.calls(requests.threadUnsubscribe).map(({ params }) => params)).toEqual([{ threadId: sessionId }]);
    await clock.advance(60_000);
    expect(answer).toBeUndefined();
    const prompt = host.request(hostRequests.sessionPrompt, { sessionId, prompt: [{ type: "text", text: "hi" }] });
    await expect(prompt).rejects.toMatchObject({ code: -32600, data: { codex: { retryable: true } } });
    held.answer({});
    await pending;
    expect(answer).toEqual({});
  });

  test("says Codex's own refusal", async () => {
    rig.bridge.codex.on(native, () => {
      throw new CodexFailure(-32600, "cannot: forked history still references it");
    });
    const answer = rig.bridge.host.request(descriptor, { sessionId: "s" });
    await expect(answer).rejects.toMatchObject({ code: -32600, message: /forked history/ });
  });

  test("waits for its turn, and refuses what overlaps", async () => {
    const { host, codex } = rig.bridge;
    const held = codex.hold(native);
    const first = host.request(descriptor, { sessionId: "s" });
    await codex.received(native);
    const second = host.request(descriptor, { sessionId: "s" });
    await expect(second).rejects.toMatchObject({ code: -32600 });
    held.answer({});
    expect(await first).toEqual({});
  });
});

test("what Codex does not know is deleted already, but cannot be archived, shown or named", async () => {
  const { host, codex } = rig.bridge;
  const unknown = (): never => {
    throw new CodexFailure(-32600, "no rollout found for thread id s");
  };
  codex.on(requests.threadDelete, unknown);
  codex.on(requests.threadArchive, unknown);
  codex.on(requests.threadUnarchive, unknown);
  codex.on(requests.threadNameSet, unknown);
  expect(await host.request(hostRequests.sessionDelete, { sessionId: "s" })).toEqual({});
  const missing = { code: -32002, data: { sessionId: "s" } };
  await expect(host.request(hostRequests.codexSessionArchive, { sessionId: "s" })).rejects.toMatchObject(missing);
  await expect(host.request(hostRequests.codexSessionUnarchive, { sessionId: "s" })).rejects.toMatchObject(missing);
  const rename = host.request(hostRequests.codexSessionRename, { sessionId: "s", name: "n" });
  await expect(rename).rejects.toMatchObject(missing);
});

describe("what the bridge keeps of a session", () => {
  const receipt = { threadId: "s", turnId: "t", receipt: "r", content: null };
  const delete_ = () => rig.bridge.host.request(hostRequests.sessionDelete, { sessionId: "s" });

  async function startWith(files: ReceiptFiles): Promise<ReceiptStore> {
    await rig.bridge.close();
    const receipts = createReceiptStore(files, "/state");
    rig = await startList(new Map(), null, { agent: { receipts } });
    await receipts.record(receipt);
    await receipts.record({ ...receipt, threadId: "other", turnId: "u" });
    return receipts;
  }

  test("goes with it, once Codex has deleted it", async () => {
    const receipts = await startWith(receiptsInMemory());
    const { codex } = rig.bridge;
    codex.on(requests.threadDelete, () => {
      throw new CodexFailure(-32600, "cannot: forked history still references it");
    });
    await expect(delete_()).rejects.toMatchObject({ code: -32600 });
    expect([...(await receipts.lookup(["t", "u"])).keys()]).toEqual(["t", "u"]);
    codex.on(requests.threadDelete, () => ({}));
    expect(await delete_()).toEqual({});
    expect([...(await receipts.lookup(["t", "u"])).keys()]).toEqual(["u"]);
  });

  test("and cannot be removed is told to the log alone", async () => {
    await startWith({ ...receiptsInMemory(), remove: () => Promise.reject(new Error("not allowed")) });
    rig.bridge.codex.on(requests.threadDelete, () => ({}));
    expect(await delete_()).toEqual({});
    expect(JSON.stringify(rig.bridge.log.entries)).toContain("not allowed");
  });
});

test("a name is not blank", async () => {
  const { host, codex } = rig.bridge;
  for (const name of ["", " \n"]) {
    const answer = host.call(hostRequests.codexSessionRename.method, { sessionId: "s", name });
    await expect(answer).rejects.toMatchObject({ code: -32602, data: { path: "/name" } });
  }
  expect(codex.calls(requests.threadNameSet)).toEqual([]);
});
