import { createHash, randomUUID } from "node:crypto";
import { statSync } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { ContentBlock } from "../generated/acp/types.js";

/** What a slash command was to the host, which Codex's record of its turn does not say. */
export interface CommandReceipt {
  readonly threadId: string;
  readonly turnId: string;
  /** The `messageId` the prompt was answered with. */
  readonly receipt: string;
  /** The prompt as the host sent it; null for a turn whose native input is no message of its own. */
  readonly content: readonly ContentBlock[] | null;
}

/** The file operations of the store. */
export interface ReceiptFiles {
  /** Names of the files in a folder, for a look-up of many; left out, each file that is asked for is tried. */
  names?(folder: string): Promise<ReadonlySet<string>>;
  /** Null when there is no such file; rejects when it cannot be read. */
  read(path: string): Promise<string | null>;
  /** All of it or nothing is there afterwards, whoever else writes, and only the user may read it. */
  write(path: string, text: string): Promise<void>;
  /** Paths of the files in a folder; none when there is no such folder. */
  list(folder: string): Promise<readonly string[]>;
  /** A file that is gone already is no error. */
  remove(path: string): Promise<void>;
}

export interface ReceiptStore {
  /** Resolves once it is on the disk. Rejects when it cannot be saved; it is tried again with the next look-up. */
  record(receipt: CommandReceipt): Promise<void>;
  /** By turn id; a turn without a receipt is absent. Rejects when one cannot be read. */
  lookup(turnIds: Iterable<string>): Promise<ReadonlyMap<string, CommandReceipt>>;
  /** Threads with a receipt that is still being saved or could not be. */
  unconfirmed(): ReadonlySet<string>;
  /**
   * Removes what was recorded in a thread that is no more. Codex deletes no thread that others were forked from, so that
   * nobody looks for these receipts any more. Rejects when one of them cannot be removed.
   */
  forget(threadId: string): Promise<void>;
}

/**
 * One small file per command, named after its turn: nothing is shared, so that bridges on one home need no lock, and a
 * fork, whose turns keep their ids, finds the receipts of what it was forked from.
 */
export function createReceiptStore(files: ReceiptFiles, folder: string): ReceiptStore {
  /** Not on the disk yet, by turn id. */
  const unsaved = new Map<string, CommandReceipt>();
  const saving = new Map<string, Promise<void>>();
  const receipts = join(folder, "receipts");
  const nameOf = (turnId: string): string => `${createHash("sha256").update(turnId).digest("hex")}.json`;
  const pathOf = (turnId: string): string => join(receipts, nameOf(turnId));

  function save(receipt: CommandReceipt): Promise<void> {
    const { turnId } = receipt;
    const { threadId, receipt: id, content } = receipt;
    const work = files.write(pathOf(turnId), JSON.stringify({ threadId, turnId, receipt: id, content })).then(() => {
      if (unsaved.get(turnId) === receipt) unsaved.delete(turnId);
    });
    const done = work.finally(() => {
      if (saving.get(turnId) === done) saving.delete(turnId);
    });
    saving.set(turnId, done);
    return done;
  }

  async function retry(): Promise<void> {
    const failed = [...unsaved.values()].filter(({ turnId }) => !saving.has(turnId));
    // What fails again stays unconfirmed, which is what a reader is told.
    await Promise.allSettled(failed.map(save));
  }

  return {
    record(receipt) {
      unsaved.set(receipt.turnId, receipt);
      return save(receipt);
    },
    async lookup(turnIds) {
      await retry();
      // Few turns are commands: one look at the folder stands for as many misses as there are turns.
      const names = await files.names?.(receipts);
      const wanted = names?.size === 0 ? [] : [...new Set(turnIds)];
      const ids = names ? wanted.filter((turnId) => names.has(nameOf(turnId))) : wanted;
      const found = await Promise.all(
        ids.map(async (turnId): Promise<[string, CommandReceipt][]> => {
          const text = await files.read(pathOf(turnId));
          return text === null ? [] : [[turnId, parse(text, turnId)]];
        }),
      );
      return new Map(found.flat());
    },
    unconfirmed: () => new Set([...unsaved.values()].map(({ threadId }) => threadId)),
    async forget(gone) {
      for (const [turnId, { threadId }] of unsaved) if (threadId === gone) unsaved.delete(turnId);
      // What is on its way to the disk comes to lie there after all.
      await Promise.allSettled(saving.values());
      for (const path of await files.list(receipts)) {
        if ((await threadOf(files, path)) === gone) await files.remove(path);
      }
    },
  };
}

/** Null for a file that is no receipt, or cannot be read: it is nobody's, and stays. */
async function threadOf(files: ReceiptFiles, path: string): Promise<string | null> {
  try {
    const value: unknown = JSON.parse((await files.read(path)) ?? "null");
    return isReceipt(value) ? value.threadId : null;
  } catch {
    return null;
  }
}

function parse(text: string, turnId: string): CommandReceipt {
  const value: unknown = JSON.parse(text);
  if (!isReceipt(value) || value.turnId !== turnId) throw new Error(`the receipt of turn ${turnId} is damaged`);
  return value;
}

function isReceipt(value: unknown): value is CommandReceipt {
  if (typeof value !== "object" || value === null) return false;
  const { threadId, turnId, receipt, content } = value as { readonly [member: string]: unknown };
  const texts = [threadId, turnId, receipt];
  return texts.every((it) => typeof it === "string") && (content === null || Array.isArray(content));
}

const noNames: ReadonlySet<string> = new Set();

/** The disk. A reader sees the old file or the new one, and a crash leaves at most a temporary file that nobody reads. */
export const receiptFiles: ReceiptFiles = {
  names: async (folder) =>
    // Nobody who uses no commands has the folder: a look at it costs a tenth of a failed listing, once per page.
    isThere(folder) ? new Set((await receiptFiles.list(folder)).map((path) => basename(path))) : noNames,
  async read(path) {
    try {
      return await readFile(path, "utf8");
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  },
  async write(path, text) {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const temporary = `${path}.${randomUUID()}.tmp`;
    try {
      const handle = await open(temporary, "wx", 0o600);
      try {
        await handle.writeFile(text);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  },
  async list(folder) {
    try {
      const entries = await readdir(folder, { withFileTypes: true });
      return entries.filter((it) => it.isFile() && it.name.endsWith(".json")).map(({ name }) => join(folder, name));
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  },
  remove: (path) => rm(path, { force: true }),
};

function isThere(folder: string): boolean {
  try {
    return statSync(folder, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    // Other than a missing one, a folder that cannot be looked at may hold receipts.
    if (isMissing(error)) return false;
    throw error;
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");

/** Receipts for as long as the process lives, for agents that are given no folder. */
export function receiptsInMemory(): ReceiptFiles {
  const kept = new Map<string, string>();
  return {
    read: async (path) => kept.get(path) ?? null,
    async write(path, text) {
      kept.set(path, text);
    },
    list: async (folder) => [...kept.keys()].filter((path) => dirname(path) === folder),
    async remove(path) {
      kept.delete(path);
    },
  };
}
