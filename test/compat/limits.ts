/** What works otherwise, or not, on some versions of Codex, and why; shown by tests that fail there, and must. */
export interface Limit {
  /** First and last version, among those that are tested, that it holds for. */
  readonly from: string;
  readonly to: string;
  readonly what: string;
  readonly why: string;
  /** `file: title` of the tests that fail. */
  readonly tests: readonly string[];
}

export const limits: readonly Limit[] = [
  {
    from: "0.153.4",
    to: "0.156.1",
    what: "history of items without times",
    why: "Codex tells when an item began and ended from 0.158.0 on; `startedAtMs` and `completedAtMs` are null before.",
    tests: [
      "history: a closed thread HIST-09, HIST-35, HIST-22, HIST-36: has items, of one turn or of all, with native records when asked",
    ],
  },
  {
    from: "0.153.4",
    to: "0.161.0",
    what: "replayed messages without the time of their end",
    why: "Codex keeps the times of an item in the item itself from 0.166.0 on.",
    tests: [
      "replay-turns: REPLAY-03, REPLAY-28: an image that was sent comes back, and an answer with the time of its end",
    ],
  },
  {
    from: "0.153.4",
    to: "0.161.0",
    what: "a prompt into a running turn waits for the answer that is being written",
    why: "Codex cuts a streaming answer off for a steer from 0.166.0 on; before, it takes the steer in between two answers.",
    tests: [
      "turn: a turn of the real Codex PROMPT-10, PROMPT-11, PROMPT-07: takes in a prompt that comes while it runs",
    ],
  },
  {
    from: "0.153.4",
    to: "0.161.0",
    what: "patches turn CRLF into LF in the lines around a change",
    why: "Codex's own patching writes LF there, into the file and into what it reports; the diff shows what was done.",
    tests: ["projection: a patch says what git can be told, and names what it cannot"],
  },
  {
    from: "0.153.4",
    to: "0.161.0",
    what: "the host's instructions stand in another message to the model",
    why: "Codex puts them in one message with its own instructions, and not after its own; the model reads both.",
    tests: [
      "host-settings: HOST-02, HOST-03, HOST-04: the real Codex adds the host's instructions to its own, hides them, and starts in the host's mode",
    ],
  },
  {
    from: "0.153.4",
    to: "0.166.0",
    what: "an MCP tool that asks for approval shows as two calls",
    why: "Codex asks before it tells of the call, and names none in its question: the dialog gets a call of its own.",
    tests: ["permissions: the real Codex asks for an MCP tool PERM-02, PERM-11: and takes each answer"],
  },
  {
    from: "0.166.0",
    to: "0.166.0",
    what: "no threads on another provider than the process's own",
    why: "Codex refuses their turns; gateways are not advertised (R-09).",
    tests: [
      "list-scope: LIST-03, LIST-04, LIST-14, LIST-19: lists threads of every provider and forks, each once, and neither archived ones nor sub-agents",
    ],
  },
];
