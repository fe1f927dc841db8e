/** What a host can do wrong, with the cases that catch it. */
export const quirks = {
  "answer-ends-turn": ["state/answer-is-not-the-end"],
  "answers-anything": ["unknown/method"],
  "answers-late": ["permission/withdrawn", "permission/late-answer", "permission/stopped"],
  "answers-twice": ["permission/crossing", "permission/answered-twice", "permission/late-answer"],
  "asks-late": ["permission/withdrawn-at-once"],
  "appends-snapshots": ["message/snapshot-replaces", "message/user-snapshot-replaces", "replay/other-text"],
  "appends-tool-content": ["tool/content-replaces"],
  "approves-unknown-subjects": ["unknown/subject"],
  "believes-meta": ["unknown/meta"],
  "branches-by-native-id": ["list/branches"],
  "chunks-replace": ["message/chunk-after-snapshot"],
  "drops-unknown-content": ["unknown/content"],
  "empties-messages": ["message/patch"],
  "fails-to-close": ["close/not-found"],
  "first-page-only": ["list/all-pages", "history/whole"],
  "forgets-remote-ids": ["plugin/set-enabled", "plugin/read", "plugin/install"],
  "ignores-message-ids": ["message/interleaved"],
  "ignores-subjects": ["permission/subject-is-applied"],
  "knows-every-end": ["unknown/stop-reason"],
  "mixes-sessions": ["close/late-update", "state/end-of-another-session"],
  "new-session-starts-over": ["state/before-the-session"],
  "opened-is-idle": ["replay/still-running"],
  "prompts-read-only": ["readonly/no-prompt"],
  "reads-in-circles": ["history/cycle"],
  "refuses-unknown-options": ["unknown/option"],
  "replaces-tools": ["tool/patch"],
  "restores-anything": ["hosttool/restore"],
  "retries-anything": ["history/no-retry"],
  "runs-anything": [
    "hosttool/refused/arguments",
    "hosttool/refused/revision",
    "hosttool/refused/session",
    "hosttool/refused/tool",
  ],
  "runs-nothing": ["hosttool/call"],
  "shows-again": ["replay/once"],
  "shows-prompt-itself": ["message/echo/before-answer", "message/echo/after-answer"],
  "stays-read-only": ["readonly/opened-again"],
  "switches-under-sessions": ["provider/empty-session"],
  "tells-all": ["hosttool/private"],
  "trips-over-unknown-updates": ["unknown/update/extension", "unknown/update/of-the-future"],
  "unknown-is-idle": ["state/unknown-state"],
  "unknown-status-is-done": ["tool/unknown-status"],
  "updates-mean-running": ["state/background"],
  "withdraws-all": ["permission/one-of-two"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/**
 * What a host may do in another way, and be right: update its screen with a delay, begin anew with a session's history,
 * show a prompt before its echo, answer what is open once the user stops, show what it does not know, hide the empty.
 */
export const anotherWay = "another-way";

export type Quirk = keyof typeof quirks | typeof anotherWay;
