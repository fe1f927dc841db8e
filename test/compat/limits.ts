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
    what: "a prompt into a running turn waits for the answer that is being written",
    why: "Codex cuts a streaming answer off for a steer from 0.166.0 on; before, it takes the steer in between two answers.",
    tests: [
      "turn: a turn of the real Codex PROMPT-10, PROMPT-11, PROMPT-07: takes in a prompt that comes while it runs",
      "acp-v1: the SDK's client of version 1, with the real Codex steers a turn; both prompts are answered with its end",
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
    from: "0.153.4",
    to: "0.161.0",
    what: "a model that the service does not know has no error of its own kind",
    why: "Codex tells `modelNotFound` from 0.166.0 on; before, it is `other`.",
    tests: [
      "turn-kinds: a turn of the real Codex that fails E404 ends once, with Codex's own word for it, and the session goes on",
    ],
  },
  {
    from: "0.153.4",
    to: "0.166.0",
    what: "a context that is too long ends as an error where the service tells it as HTTP 400",
    why: "Codex knows that answer for what it is from 0.171.0 on.",
    tests: [
      "turn-kinds: a turn of the real Codex that fails E400 ends once, with Codex's own word for it, and the session goes on",
    ],
  },
  {
    from: "0.166.0",
    to: "0.166.0",
    what: "no gateways: `providers` is not advertised, and its methods are refused",
    why: "Codex refuses the turns of threads on another provider than the process's own (R-09); see the probes below.",
    tests: [
      "providers: PROV-06, PROV-07, PROV-21, PROV-27, AUTH-05, ROUTE-03, ROUTE-04, ROUTE-05: a gateway in route mode gets the traffic, with its own keys, and needs no login",
      "providers: PROV-08, PROV-10, CAT-16, LIST-03: route mode takes over what it can, says what it cannot, and a disable gives back",
      "providers: CAT-09, CAT-11, CAT-13, CAT-19, CAT-21: a session goes to what serves its model, where Codex moves it, and else is told how",
      "providers: PROV-09, CAT-15, ROUTE-10, PROV-15: a turn that runs keeps its session where it is",
      "providers: PROV-25: the catalog file says what the gateway's models can do, and Codex reads the same",
      "providers: PROV-20, LOG-01: no credential of a gateway is in the log, in an error or in a frame",
      "conformance: our own agent on the real Codex 'prov/real-gateway': 'The gateway gets what the model is as…'",
      "list-scope: LIST-03, LIST-04, LIST-14, LIST-19: lists threads of every provider and forks, each once, and neither archived ones nor sub-agents",
    ],
  },
];
