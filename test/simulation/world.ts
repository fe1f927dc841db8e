import type { AgentOptions } from "../../src/agent/create-agent.js";
import { createReceiptStore } from "../../src/files/receipts.js";
import { requests } from "../../src/generated/codex/methods.js";
import { hostRequests } from "../../src/generated/contract/methods.js";
import type { FrameSink, LogLine } from "../../src/log/frame-sink.js";
import { createWireLog, type WireLog, withWireLog } from "../../src/log/wire-log.js";
import type { Clock } from "../../src/runtime/clock.js";
import { CodexFailure } from "../../src/testing/scripted-codex/core.js";
import { installDefaults } from "../../src/testing/scripted-codex/defaults.js";
import type { Cut } from "../../src/testing/scripted-codex/in-process.js";
import type { TurnScript } from "../../src/testing/scripted-codex/turn.js";
import { seededPick } from "../../src/testing/virtual-clock.js";
import { type BridgeInProcess, startServed } from "../support/bridge.js";
import { bridgeAgent } from "../support/bridge-agent.js";
import { createDice, type Dice, partOf } from "./dice.js";

/** A turn of the played Codex. */
export type RunningTurn = TurnScript & { readonly turnId: string; begun: boolean };

/** A whole bridge between a played host and a played Codex, with what both know. */
export interface World {
  readonly seed: number;
  /** Codex says anything its schema allows, not only what a Codex would say. */
  readonly wild: boolean;
  readonly bridge: BridgeInProcess;
  /** Of the step that runs. */
  dice: Dice;
  /** Sessions that were opened, by id. */
  readonly sessions: Set<string>;
  /** Turns that run at Codex, by thread. */
  readonly turns: Map<string, RunningTurn>;
  /** Requests of the host without an answer: id to method. */
  readonly open: Map<number, string>;
  /** Answers that are withheld, and frames on their way: a later step lets one go. */
  readonly later: (() => void)[];
  /** From now on nothing fails or stays away. */
  calm: boolean;
  /** Codex says nothing from this step on, until it is started anew; null for a talkative one. */
  readonly silentFrom: number | null;
  /** The start of Codex, counted from 1, that says nothing any more; 0 for none. */
  silent: number;
  /** How the host goes: in mid-way, by closing its pipe or by dying, or not before all is done. */
  readonly leaves: "closes" | "dies" | null;
  readonly wireLog: SimulatedLog;
  /** Lines that are no JSON, as each side has written so far. */
  readonly garbage: { host: number; codex: number };
}

/** The log of a run, and what its disk took. */
export interface SimulatedLog {
  readonly log: WireLog;
  readonly lines: readonly LogLine[];
  /** Lines that the disk refused. */
  readonly lost: number;
}

/** A log on a disk that is full from some line on, or now and then, or never. */
function logOn(dice: Dice, clock: Clock): SimulatedLog {
  const lines: LogLine[] = [];
  let lost = 0;
  const takes = dice.oneIn(2) ? dice.choose(200) : Number.POSITIVE_INFINITY;
  const falters = dice.oneIn(4);
  const sink: FrameSink = {
    write(line) {
      if (lines.length >= takes || (falters && dice.oneIn(6))) {
        lost += 1;
        throw new Error("ENOSPC: the disk is full");
      }
      lines.push(line);
    },
    close: () => (lost > 0 ? Promise.reject(new Error("ENOSPC: the disk is full")) : Promise.resolve()),
  };
  return {
    log: createWireLog("/log", sink, { clock, warn: () => undefined }),
    lines,
    get lost() {
      return lost;
    },
  };
}

/** Pieces of one write: few, and cut anywhere. */
function cutBy(dice: Dice): Cut {
  return (bytes) => {
    const ends = Array.from({ length: dice.choose(3) }, () => dice.choose(bytes + 1));
    return ends.sort((a, b) => a - b);
  };
}

/** A disk that is full now and then. */
function receiptsOn(dice: Dice): Pick<AgentOptions, "receipts"> {
  const files = new Map<string, string>();
  const failing = (): boolean => dice.oneIn(6);
  const disk = {
    async read(path: string): Promise<string | null> {
      if (failing()) throw new Error("EIO: the disk does not read");
      return files.get(path) ?? null;
    },
    async write(path: string, text: string): Promise<void> {
      if (failing()) throw new Error("ENOSPC: the disk is full");
      files.set(path, text);
    },
    async list(): Promise<string[]> {
      if (failing()) throw new Error("EIO: the disk does not read");
      return [...files.keys()];
    },
    async remove(path: string): Promise<void> {
      if (failing()) throw new Error("EROFS: the disk is read-only");
      files.delete(path);
    },
  };
  return { receipts: createReceiptStore(disk, "/state") };
}

/**
 * Faults that draw from dice of their own, in half of the runs: in the others, a seed means the same with and without
 * them.
 */
const mayFail = (seed: number): boolean => seed % 4 === 0 || seed % 4 === 3;

export async function createWorld(seed: number, steps: number): Promise<World> {
  const dice = createDice(partOf(seed, -1));
  const faults = createDice(partOf(seed, -4));
  const may = mayFail(seed);
  const inPieces = may && faults.oneIn(2);
  const silentFrom = may && faults.oneIn(3) ? faults.choose(steps) : null;
  const leaves = may && faults.oneIn(2) ? faults.pick(["closes", "dies"] as const) : null;
  let wireLog: SimulatedLog | undefined;
  const bridge = startServed({
    defaults: false,
    pick: seededPick(partOf(seed, -2)),
    ...(inPieces ? { cut: cutBy(createDice(partOf(seed, -5))) } : {}),
    serve(ports) {
      const logged = logOn(createDice(partOf(seed, -6)), ports.clock);
      const { log } = logged;
      wireLog = logged;
      return bridgeAgent({
        ...receiptsOn(createDice(partOf(seed, -3))),
        codex: () => withWireLog(ports.codex(), log),
        onFrame: (direction, frame) => log.frame(direction, frame),
        note(text) {
          log.note(text);
          ports.note(text);
        },
        fetch: () => Promise.reject(new TypeError("the network is down")),
      })(ports).then(() => log.close());
    },
  });
  if (wireLog === undefined) throw new Error("no agent was served");
  const world: World = {
    seed,
    wild: dice.oneIn(2),
    bridge,
    dice,
    sessions: new Set(),
    turns: new Map(),
    open: new Map(),
    later: [],
    calm: true,
    silentFrom,
    silent: 0,
    leaves,
    wireLog,
    garbage: { host: 0, codex: 0 },
  };
  answerAll(world);
  await send(world, hostRequests.initialize.method, {
    protocolVersion: 2,
    info: { name: "simulation", version: "0" },
    capabilities: { elicitation: { form: {}, url: {} } },
  });
  world.calm = false;
  return world;
}

/** A request of the host; its answer is awaited by nobody, but it must come. */
export async function send(world: World, method: string, params: unknown): Promise<unknown> {
  const { host } = world.bridge;
  const answer = host.call(method, params);
  const id = host.lastId;
  world.open.set(id, method);
  try {
    return await answer;
  } catch {
    // A refusal is an answer; that it is on schema is the checker's to say.
    return null;
  } finally {
    world.open.delete(id);
  }
}

/** Codex knows every request; what nobody plays, it refuses. */
function answerAll({ bridge: { codex } }: World): void {
  for (const descriptor of Object.values(requests)) {
    codex.on(descriptor as typeof requests.accountLogout, () => {
      throw new CodexFailure(-32603, `simulated: no ${descriptor.method}`);
    });
  }
  installDefaults(codex);
  codex.on(requests.threadDelete, () => ({}));
  codex.on(requests.threadInjectItems, () => ({}));
  codex.on(requests.accountLogout, () => ({}));
}
