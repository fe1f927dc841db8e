import { constants, lstat, open, readdir, realpath } from "node:fs/promises";
import { join } from "node:path";

/** What the first line of a fork's rollout says of it. */
export interface ForkHeader {
  readonly id: string;
  readonly forkedFromId: string;
  /** Null when it does not tell. */
  readonly cwd: string | null;
}

export interface Rollouts {
  /**
   * The forks among the rollouts beneath `codexHome`, live or archived. Only files of theirs in `sessions` or
   * `archived_sessions` are opened, and of each only the first line counts (BRANCH-14). What cannot be read, is no
   * regular file, has a first line that is cut off or too long, or says something else than its name, is left out.
   */
  readForks(codexHome: string, archived: boolean): Promise<readonly ForkHeader[]>;
}

/** The folder as Codex stores and compares it, without links and closing slashes; as given when there is none. */
export const canonicalPath = (path: string): Promise<string> => realpath(path).catch(() => path);

/** Longest first line, in bytes: it holds the instructions and the tools of its thread. */
const longest = 1024 * 1024;
const block = 64 * 1024;
/** Files that are open at once. */
const openAtOnce = 16;
/** Folders beneath `sessions`: year, month, day. */
const depth = 3;

/** A header never changes, so each file is read once in the life of the process. */
export function createRollouts(): Rollouts {
  const known = new Map<string, ForkHeader | null>();

  async function headerOf({ path, id }: Rollout): Promise<ForkHeader | null> {
    const kept = known.get(path);
    if (kept !== undefined) return kept;
    const line = await firstLine(path);
    // Not written yet, or not to be read: it may be another time.
    if (line === null) return null;
    const header = parse(line, id);
    known.set(path, header);
    return header;
  }

  return {
    async readForks(codexHome, archived) {
      const folder = join(codexHome, archived ? "archived_sessions" : "sessions");
      const files = (await isFolder(folder)) ? await rolloutsIn(folder, depth) : [];
      const forks: ForkHeader[] = [];
      let next = 0;
      async function work(): Promise<void> {
        for (let file = files[next++]; file !== undefined; file = files[next++]) {
          const header = await headerOf(file);
          if (header !== null) forks.push(header);
        }
      }
      await Promise.all(Array.from({ length: openAtOnce }, work));
      return forks;
    },
  };
}

interface Rollout {
  readonly path: string;
  /** The thread that the name of the file tells. */
  readonly id: string;
}

const isFolder = (path: string): Promise<boolean> =>
  lstat(path).then(
    (stat) => stat.isDirectory(),
    () => false,
  );

const nameOf = /^rollout-.*([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/;

/** Links are not followed: what they lead to is not beneath the folder. */
async function rolloutsIn(folder: string, levels: number): Promise<Rollout[]> {
  // A folder that is gone or shut has no rollouts for us.
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const found: Rollout[] = [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    const id = nameOf.exec(entry.name)?.[1];
    if (entry.isFile() && id !== undefined) found.push({ path, id });
    if (entry.isDirectory() && levels > 0) found.push(...(await rolloutsIn(path, levels - 1)));
  }
  return found;
}

/**
 * The first line, without its end; null when there is none. Opened without waiting and looked at through the open
 * handle, so that a pipe, a device or a link that was put in the file's place is not read.
 */
async function firstLine(path: string): Promise<Buffer | null> {
  let handle: Awaited<ReturnType<typeof open>>;
  try {
    handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch {
    return null;
  }
  try {
    if (!(await handle.stat()).isFile()) return null;
    const blocks: Buffer[] = [];
    for (let read = 0; read < longest; ) {
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(block), 0, block, read);
      if (bytesRead === 0) return null;
      const bytes = buffer.subarray(0, bytesRead);
      const end = bytes.indexOf(10);
      blocks.push(end < 0 ? bytes : bytes.subarray(0, end));
      if (end >= 0) return Buffer.concat(blocks);
      read += bytesRead;
    }
    return null;
  } catch {
    return null;
  } finally {
    await handle.close();
  }
}

/** Null for a thread that is no fork, and for a line that is no header of the thread that the file is named after. */
function parse(line: Buffer, id: string): ForkHeader | null {
  // Few threads are forks, and a header is long.
  if (!line.includes('"forked_from_id"')) return null;
  let value: unknown;
  try {
    value = JSON.parse(line.toString("utf8"));
  } catch {
    return null;
  }
  if (member(value, "type") !== "session_meta") return null;
  const meta = member(value, "payload");
  const forkedFromId = member(meta, "forked_from_id");
  const cwd = member(meta, "cwd");
  if (member(meta, "id") !== id || typeof forkedFromId !== "string" || forkedFromId === "") return null;
  return { id, forkedFromId, cwd: typeof cwd === "string" ? cwd : null };
}

const member = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
