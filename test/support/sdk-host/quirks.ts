/** What a host can do wrong, with the cases that catch it. */
export const quirks = {
  "answers-late": ["permission/withdrawn", "permission/late-answer"],
  "appends-snapshots": ["message/snapshot-replaces"],
  "appends-tool-content": [],
  "prompts-read-only": [],
  "replaces-tools": [],
  "shows-again": [],
  "trips-over-unknown-updates": [],
  "unknown-is-idle": [],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type Quirk = keyof typeof quirks;
