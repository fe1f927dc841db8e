import { Client, type ClientOptions, type Message, promptParams } from "./client.js";
import { folderOf, historyId, outputPiece, promptOf, type Script, stampsIn, textPiece } from "./script.js";

/** What one run of a workload measured; a metric is null where the system does not tell. */
export type Measured = Readonly<Record<string, number | null>>;

export interface Sizes {
  /** Deltas of a message, and of a command's output. */
  readonly text: number;
  readonly output: number;
  /** Deltas at 200 per second. */
  readonly latency: number;
  /** Deltas behind a host that stops reading for `stallMs`. */
  readonly stall: number;
  readonly stallMs: number;
  readonly sessions: number;
  /** Deltas of all sessions together. */
  readonly sessionDeltas: number;
  /** Turns of a history that is replayed. */
  readonly replay: number;
  /** Threads of a list that is asked for whole, twice. */
  readonly list: number;
}

export const fullSizes: Sizes = {
  text: 50_000,
  output: 20_000,
  latency: 600,
  stall: 200_000,
  stallMs: 3_000,
  sessions: 50,
  sessionDeltas: 50_000,
  replay: 10_000,
  list: 5_000,
};

type Workload = (client: Client, sizes: Sizes) => Promise<Measured>;

const short = promptOf({ kind: "text", count: 1, rate: 0 });
/** What the end of a turn has and nothing else. */
const endOfTurn = { 1: '"stopReason":"end_turn"', 2: '"state":"idle"' };
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export const workloads = {
  /** From the start of the process; memory after the first turn. */
  async start(client) {
    await client.initialize();
    const initializeMs = performance.now() - client.startedAt;
    const { cpu } = client.usage();
    const before = performance.now();
    const session = await client.newSession();
    const newMs = performance.now() - before;
    await client.prompt(session, short);
    await pause(200);
    return { initializeMs, newMs, startCpuMs: cpu === null ? null : cpu * 1e3, restMb: client.usage().rssMb };
  },
  text: (client, { text }) => deltas(client, [text], "text"),
  output: (client, { output }) => deltas(client, [output], "output"),
  sessions: (client, { sessions, sessionDeltas }) =>
    deltas(client, Array(sessions).fill(Math.ceil(sessionDeltas / sessions)), "text"),
  async latency(client, { latency }) {
    const session = await warm(client);
    const waits: number[] = [];
    client.onUpdate = (update, _id, at) => {
      if (update.sessionUpdate !== "agent_message_chunk") return;
      for (const stamp of stampsIn(update.content?.text ?? "")) waits.push(Number(at - stamp) / 1e6);
    };
    const before = client.usage();
    await client.prompt(session, promptOf({ kind: "stamps", count: latency, rate: 200 }));
    const cpuUs = perUnit(before.cpu, client.usage().cpu, latency);
    if (waits.length !== latency) throw new Error(`${waits.length} of ${latency} deltas came`);
    // The first tenth meets code that is not warm yet.
    const sorted = waits.slice(Math.floor(latency / 10)).sort((a, b) => a - b);
    return { p50Ms: at(sorted, 0.5), p99Ms: at(sorted, 0.99), cpuUs };
  },
  async stall(client, { stall, stallMs }) {
    const session = await warm(client);
    const turn = deltasOf(client, new Map([[session, stall]]), "text");
    const { rssMb } = await client.stall(stallMs);
    await turn;
    return { stalledMb: rssMb, peakMb: client.usage().peakMb };
  },
  async replay(client, { replay }) {
    await client.initialize();
    const before = client.usage();
    const opened = { sessionId: historyId(replay), cwd: process.cwd(), mcpServers: [] };
    const request =
      client.version === 1
        ? (["session/load", opened] as const)
        : (["session/resume", { ...opened, replayFrom: { type: "start" } }] as const);
    const { startedAt, endedAt, messages } = await client.bulk([request], '"id":2,', 1);
    const after = client.usage();
    const seen = countOf(messages, client.version === 1 ? "agent_message_chunk" : "agent_message");
    if (seen !== replay) throw new Error(`${seen} of ${replay} answers came: ${JSON.stringify(messages.at(-1))}`);
    return { replayMs: endedAt - startedAt, cpuUs: perUnit(before.cpu, after.cpu, replay), peakMb: after.peakMb };
  },
  async list(client, { list }) {
    await client.initialize();
    await client.request("session/list", { cwd: folderOf(list) });
    const whole = async (): Promise<{ ms: number; cpuUs: number | null }> => {
      const before = client.usage();
      const startedAt = performance.now();
      const { sessions } = await client.request<{ sessions: unknown[] }>("_codex/session_list", {});
      const ms = performance.now() - startedAt;
      if (sessions.length !== list) throw new Error(`${sessions.length} of ${list} threads came`);
      return { ms, cpuUs: perUnit(before.cpu, client.usage().cpu, list) };
    };
    const first = await whole();
    const again = await whole();
    const { peakMb } = client.usage();
    return { listMs: first.ms, cpuUs: first.cpuUs, againMs: again.ms, againCpuUs: again.cpuUs, peakMb };
  },
} satisfies Record<string, Workload>;

export type WorkloadName = keyof typeof workloads;
export const workloadNames = Object.keys(workloads) as WorkloadName[];

/** Runs one workload in an agent of its own. Throws when a delta is lost, doubled or out of order. */
export async function measure(name: WorkloadName, options: ClientOptions, sizes: Sizes): Promise<Measured> {
  const client = new Client(options);
  try {
    const run: Workload = workloads[name];
    return await run(client, sizes);
  } finally {
    await client.stop();
  }
}

/** An initialized agent with a session that has had a turn. */
async function warm(client: Client): Promise<string> {
  await client.initialize();
  const session = await client.newSession();
  await client.prompt(session, short);
  return session;
}

async function deltas(client: Client, counts: readonly number[], kind: Script["kind"]): Promise<Measured> {
  const sessions = new Map([[await warm(client), counts[0] ?? 0]]);
  const before = performance.now();
  for (const count of counts.slice(1)) sessions.set(await client.newSession(), count);
  const newEachMs = counts.length > 1 ? (performance.now() - before) / (counts.length - 1) : null;
  await pause(200);
  return { ...(await deltasOf(client, sessions, kind)), newEachMs };
}

/** A turn of so many deltas in each session, all at once. */
async function deltasOf(
  client: Client,
  sessions: ReadonlyMap<string, number>,
  kind: Script["kind"],
): Promise<Measured> {
  const all = [...sessions.values()].reduce((sum, count) => sum + count, 0);
  const before = client.usage();
  const requests = [...sessions].map(
    ([session, count]) => ["session/prompt", promptParams(session, promptOf({ kind, count, rate: 0 }))] as const,
  );
  const { startedAt, endedAt, messages } = await client.bulk(requests, endOfTurn[client.version], sessions.size);
  const after = client.usage();
  checkAll(messages, sessions, kind);
  const perSecond = (all / (endedAt - startedAt)) * 1e3;
  return { perSecond, cpuUs: perUnit(before.cpu, after.cpu, all), peakMb: after.peakMb };
}

const said = (message: Message): string => {
  const update = message.params?.update;
  if (update?.sessionUpdate === "agent_message_chunk") return update.content?.text ?? "";
  const printed = update?._meta?.terminal_output?.data;
  if (printed !== undefined) return printed;
  return update?.sessionUpdate === "terminal_output_chunk" ? Buffer.from(update.data ?? "", "base64").toString() : "";
};

/** Each session was told all of its own deltas, in order. */
function checkAll(messages: readonly Message[], sessions: ReadonlyMap<string, number>, kind: Script["kind"]): void {
  const told = new Map<string, string[]>();
  for (const message of messages) {
    const id = message.params?.sessionId ?? "";
    const pieces = told.get(id);
    if (pieces) pieces.push(said(message));
    else told.set(id, [said(message)]);
  }
  const piece = kind === "output" ? outputPiece : textPiece;
  for (const [session, count] of sessions) {
    const wanted = Array.from({ length: count }, (_, index) => piece(index)).join("");
    const got = (told.get(session) ?? []).join("");
    if (got !== wanted) throw new Error(`deltas were lost or moved: ${got.length} of ${wanted.length} characters`);
  }
}

const countOf = (messages: readonly Message[], kind: string): number =>
  messages.filter(({ params }) => params?.update?.sessionUpdate === kind).length;

const perUnit = (before: number | null, after: number | null, units: number): number | null =>
  before === null || after === null ? null : ((after - before) / units) * 1e6;

const at = (sorted: readonly number[], share: number): number | null =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? null;
