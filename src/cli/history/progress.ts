import type { WalkedPage } from "./walk.js";

/** Shows how far a walk has come: a bar on a terminal, a line for each page elsewhere. */
export interface Progress {
  /** `count`: entries so far, those of the page included. */
  page(page: WalkedPage, count: number): void;
  /** The walk ends before its end: what is written next begins a line of its own. */
  broken(): void;
}

const width = 30;

export function progress(stream: Pick<NodeJS.WriteStream, "isTTY" | "write">, entry: "turn" | "item"): Progress {
  let open = false;
  return {
    page(page, count) {
      const { complete } = page.head;
      const said = `${count} ${entry}${count === 1 ? "" : "s"}${complete ? ", complete" : ""}`;
      if (!stream.isTTY) {
        stream.write(`${said}\n`);
        return;
      }
      open = !complete;
      stream.write(`\r\u001b[K${bar(shareOf(page))} ${said}${complete ? "\n" : ""}`);
    },
    broken() {
      if (open) stream.write("\n");
      open = false;
    },
  };
}

/** A page does not say how many follow, so that its place in the session's time stands for its place in the session. */
export function shareOf({ head, entries }: WalkedPage): number {
  if (head.complete) return 1;
  const last = entries.at(-1);
  const at = last && ("itemId" in last ? (last.startedAtMs ?? 0) / 1000 : (last.startedAt ?? 0));
  const span = head.updatedAt - head.createdAt;
  if (!at || span <= 0) return 0;
  return Math.min(1, Math.max(0, (at - head.createdAt) / span));
}

const bar = (share: number): string => {
  const full = Math.round(share * width);
  return `[${"#".repeat(full)}${" ".repeat(width - full)}] ${String(Math.round(share * 100)).padStart(3)} %`;
};
