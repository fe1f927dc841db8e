import type { AgentOptions } from "../../src/agent/create-agent.js";
import { createReceiptStore } from "../../src/files/receipts.js";
import { requests } from "../../src/generated/codex/methods.js";
import { hostRequests } from "../../src/generated/contract/methods.js";
import { CodexFailure } from "../../src/testing/scripted-codex/core.js";
import { installDefaults } from "../../src/testing/scripted-codex/defaults.js";
import type { TurnScript } from "../../src/testing/scripted-codex/turn.js";
import { seededPick } from "../../src/testing/virtual-clock.js";
import type { BridgeInProcess } from "../support/bridge.js";
import { startBridge } from "../support/bridge-agent.js";
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

export async function createWorld(seed: number): Promise<World> {
  const dice = createDice(partOf(seed, -1));
  const bridge = startBridge({
    defaults: false,
    pick: seededPick(partOf(seed, -2)),
    agent: {
      ...receiptsOn(createDice(partOf(seed, -3))),
      fetch: () => Promise.reject(new TypeError("the network is down")),
    },
  });
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
