import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type FrameLog, isFrame, type LoggedFrame } from "../../src/testing/frames.js";

/** What a run produced. */
export interface Produced {
  readonly log: FrameLog;
  /** Everything the agent wrote beside frames. */
  readonly stderr: string;
  /** Every file under these is read: logs, sidecars, whatever the agent wrote. */
  readonly folders: readonly string[];
  readonly secrets: readonly string[];
  /** Frames of the agent that must carry a secret. Everything it says to the host counts. */
  readonly carries?: (frame: LoggedFrame) => boolean;
}

async function filesUnder(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** Both as it is and as JSON writes it, so that one with quotes or line ends is found in a file too. */
const forms = (secret: string): string[] => [...new Set([secret, JSON.stringify(secret).slice(1, -1)])];

/** Every place that leaves the agent in which a secret stands, in words. Throws when there is nothing to look at. */
export async function findSecrets({ log, stderr, folders, secrets, carries }: Produced): Promise<string[]> {
  const said = log.entries.filter(isFrame).filter(({ from }) => from === "bridge");
  if (said.length === 0 || secrets.length === 0) throw new Error("a scan without frames or secrets finds nothing");
  const paths = (await Promise.all(folders.map(filesUnder))).flat();
  const texts = await Promise.all(paths.map((path) => readFile(path, "utf8")));
  const places: [string, string][] = [
    ...said
      .filter((frame) => frame.wire === "host" || !carries?.(frame))
      .map((frame): [string, string] => [`frame #${frame.seq} to ${frame.wire}`, JSON.stringify(frame.frame)]),
    ["stderr", stderr],
    ...paths.map((path, i): [string, string] => [path, texts[i] ?? ""]),
  ];
  return secrets.flatMap((secret) =>
    places
      .filter(([, text]) => forms(secret).some((form) => text.includes(form)))
      .map(([place]) => `${secret} in ${place}`),
  );
}
