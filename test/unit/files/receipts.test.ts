import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  type CommandReceipt,
  createReceiptStore,
  type ReceiptFiles,
  receiptFiles,
  receiptsInMemory,
} from "../../../src/files/receipts.js";
import { stateFolder } from "../../../src/files/state-folder.js";
import { scratch } from "../../support/places.js";

const receipt = (turnId: string, text = "/review"): CommandReceipt => ({
  threadId: "thread",
  turnId,
  receipt: `receipt-of-${turnId}`,
  content: [{ type: "text", text }],
});

describe("the store of receipts", () => {
  test("finds by turn id what was recorded, and nothing else", async () => {
    const store = createReceiptStore(receiptsInMemory(), "/state");
    await store.record(receipt("a"));
    await store.record({ ...receipt("b"), content: null });
    expect(await store.lookup(["a", "b", "c"])).toEqual(
      new Map([
        ["a", receipt("a")],
        ["b", { ...receipt("b"), content: null }],
      ]),
    );
  });

  test("calls a thread unconfirmed while a receipt is being saved", async () => {
    let written = (): void => undefined;
    const files: ReceiptFiles = {
      ...receiptsInMemory(),
      write: () => new Promise((resolve) => (written = resolve)),
    };
    const store = createReceiptStore(files, "/state");
    const saving = store.record(receipt("a"));
    expect(store.unconfirmed()).toEqual(new Set(["thread"]));
    written();
    await saving;
    expect(store.unconfirmed()).toEqual(new Set());
  });

  test("rejects what it cannot save, calls it unconfirmed, and tries again with the next look-up", async () => {
    let full = true;
    const memory = receiptsInMemory();
    const store = createReceiptStore(
      {
        ...memory,
        write: (path, text) => (full ? Promise.reject(new Error("the disk is full")) : memory.write(path, text)),
      },
      "/state",
    );
    await expect(store.record(receipt("a"))).rejects.toThrow("the disk is full");
    expect(await store.lookup(["a"])).toEqual(new Map());
    expect(store.unconfirmed()).toEqual(new Set(["thread"]));
    full = false;
    expect((await store.lookup(["a"])).get("a")).toEqual(receipt("a"));
    expect(store.unconfirmed()).toEqual(new Set());
  });

  test("forgets what was recorded in a thread that was deleted, and nothing else", async () => {
    const memory = receiptsInMemory();
    const store = createReceiptStore(memory, "/state");
    await store.record({ ...receipt("other"), threadId: "another" });
    await store.record(receipt("a"));
    await memory.write("/state/receipts/damaged.json", '{"threadId":"thread"');
    const late = store.record(receipt("b"));
    await store.forget("thread");
    await late;
    expect([...(await store.lookup(["a", "b", "other"])).keys()]).toEqual(["other"]);
    expect(await memory.list("/state/receipts")).toHaveLength(2);
  });

  test("forgets what could not be saved, and rejects when a receipt cannot be removed", async () => {
    const memory = receiptsInMemory();
    let full = false;
    const store = createReceiptStore(
      {
        ...memory,
        write: (path, text) => (full ? Promise.reject(new Error("the disk is full")) : memory.write(path, text)),
        remove: () => Promise.reject(new Error("not allowed")),
      },
      "/state",
    );
    await store.record(receipt("a"));
    full = true;
    await expect(store.record(receipt("b"))).rejects.toThrow("the disk is full");
    await expect(store.forget("thread")).rejects.toThrow("not allowed");
    expect(store.unconfirmed()).toEqual(new Set());
  });

  test("rejects a look-up of what is damaged or cannot be read", async () => {
    const read = async (text: string) =>
      createReceiptStore({ ...receiptsInMemory(), read: async () => text }, "/state").lookup(["a"]);
    await expect(read("{")).rejects.toThrow();
    await expect(read("{}")).rejects.toThrow("damaged");
    await expect(read(JSON.stringify(receipt("another")))).rejects.toThrow("damaged");
    await expect(
      createReceiptStore(
        { ...receiptsInMemory(), read: () => Promise.reject(new Error("not allowed")) },
        "/state",
      ).lookup(["a"]),
    ).rejects.toThrow("not allowed");
  });
});

describe("a store whose folder can be listed", () => {
  test("reads the receipts that are there, and no others", async () => {
    const memory = receiptsInMemory();
    const read: string[] = [];
    const store = createReceiptStore(
      {
        ...memory,
        names: async () => new Set(names),
        read(path) {
          read.push(path);
          return memory.read(path);
        },
      },
      "/state",
    );
    const names: string[] = [];
    expect((await store.lookup(["a", "b"])).size).toBe(0);
    await store.record(receipt("a"));
    names.push(createHash("sha256").update("a").digest("hex").concat(".json"), "something else");
    expect([...(await store.lookup(["a", "b", "c"])).keys()]).toEqual(["a"]);
    expect(read).toHaveLength(1);
  });

  test("fails when the folder cannot be read", async () => {
    const names = () => Promise.reject(new Error("not allowed"));
    await expect(createReceiptStore({ ...receiptsInMemory(), names }, "/state").lookup(["a"])).rejects.toThrow();
  });
});

describe("on the disk", () => {
  let folder: string;

  beforeEach(async () => {
    await mkdir(scratch, { recursive: true });
    folder = await mkdtemp(join(scratch, "receipts-"));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const open = () => createReceiptStore(receiptFiles, join(folder, "state"));

  test("a receipt outlives the process, is read by another bridge, and by nobody else", async () => {
    await open().record(receipt("../a", "/plan ü"));
    expect((await open().lookup(["../a"])).get("../a")).toEqual(receipt("../a", "/plan ü"));
    const files = await readdir(join(folder, "state", "receipts"));
    expect(files).toHaveLength(1);
    expect(files[0]).toMatch(/^[0-9a-f]{64}\.json$/);
    if (process.platform !== "win32") {
      expect((await stat(join(folder, "state", "receipts", String(files[0])))).mode & 0o777).toBe(0o600);
      expect((await stat(join(folder, "state", "receipts"))).mode & 0o777).toBe(0o700);
    }
    expect(
      Object.keys(JSON.parse(await readFile(join(folder, "state", "receipts", String(files[0])), "utf8"))),
    ).toEqual(["threadId", "turnId", "receipt", "content"]);
  });

  test("a folder that is not there, or no folder, holds none; one that cannot be looked at is no such thing", async () => {
    expect(await open().lookup(["a"])).toEqual(new Map());
    await writeFile(join(folder, "state"), "");
    expect(await open().lookup(["a"])).toEqual(new Map());
    await rm(join(folder, "state"));
    await symlink(join(folder, "state"), join(folder, "state"));
    await expect(open().lookup(["a"])).rejects.toThrow("ELOOP");
  });

  test("two bridges on one home keep each their own, and the same turn whole", async () => {
    const bridges = [open(), open()];
    const texts = ["x".repeat(100_000), "y".repeat(200_000)];
    await Promise.all(
      bridges.flatMap((bridge, n) => [
        bridge.record(receipt(`own-${n}`)),
        ...Array.from({ length: 20 }, () => bridge.record(receipt("same", texts[n] ?? ""))),
      ]),
    );
    const found = await open().lookup(["own-0", "own-1", "same"]);
    expect([...found.keys()].sort()).toEqual(["own-0", "own-1", "same"]);
    expect(texts).toContain(
      found
        .get("same")
        ?.content?.map((block) => ("text" in block ? block.text : ""))
        .join(),
    );
    expect((await readdir(join(folder, "state", "receipts"))).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  test("those of a deleted thread are removed by any bridge, and there may be none", async () => {
    await open().forget("thread");
    await open().record(receipt("a"));
    await open().record({ ...receipt("b"), threadId: "another" });
    await writeFile(join(folder, "state", "receipts", "note.txt"), "thread");
    await open().forget("thread");
    expect([...(await open().lookup(["a", "b"])).keys()]).toEqual(["b"]);
    expect(await readdir(join(folder, "state", "receipts"))).toHaveLength(2);
  });

  test("a crash in the middle of writing leaves nothing that is taken for a receipt", async () => {
    await open().record(receipt("a"));
    const [name] = await readdir(join(folder, "state", "receipts"));
    await writeFile(join(folder, "state", "receipts", `${name}.left-behind.tmp`), '{"threadId":"thr');
    expect((await open().lookup(["a", "b"])).size).toBe(1);
  });

  test("a file in the place of the folder is an error of record alone", async () => {
    await writeFile(join(folder, "state"), "");
    await expect(open().record(receipt("a"))).rejects.toThrow();
    expect((await open().lookup(["a"])).size).toBe(0);
  });
});

describe("stateFolder()", () => {
  test.each([
    { env: { XDG_STATE_HOME: "/xdg", HOME: "/home/u" }, platform: "linux", path: "/xdg/codex-acp-kit" },
    { env: { XDG_STATE_HOME: "rel", HOME: "/home/u" }, platform: "linux", path: "/home/u/.local/state/codex-acp-kit" },
    { env: { HOME: "/home/u" }, platform: "linux", path: "/home/u/.local/state/codex-acp-kit" },
    { env: { HOME: "/Users/u" }, platform: "darwin", path: "/Users/u/Library/Application Support/codex-acp-kit" },
    { env: { HOME: "/u", LOCALAPPDATA: "/u/Local" }, platform: "win32", path: "/u/Local/codex-acp-kit/State" },
  ] as const)("$platform with $env is $path", ({ env, platform, path }) => {
    expect(stateFolder(env, platform)).toBe(path);
  });
});
