import { describe, expect, test } from "vitest";
import { requests } from "../../../src/generated/codex/methods.js";
import { hostRequests } from "../../../src/generated/contract/methods.js";
import { CodexFailure } from "../../../src/testing/scripted-codex/core.js";
import { turnScript } from "../../../src/testing/scripted-codex/turn.js";
import { type Pick, seededPick } from "../../../src/testing/virtual-clock.js";
import { cwd, nativeModels, type ProvidersRig, startProviders } from "../../scripted/providers/rig.js";

/** Whole bridges that one run drives, each under an interleaving of its own. */
const seeds = 40;

const secretOf = (n: number): string => `secret-${n}-of-a-gateway`;

/** Where a turn would go now, as the scripted Codex has it: `one http://1`. */
interface Place {
  readonly provider: string;
  readonly baseUrl: string | null;
}

const native: Place = { provider: "openai", baseUrl: null };

/** Plays a host that changes its mind, before a Codex that fails at times, answers late, and dies. */
class Play {
  readonly rig: ProvidersRig;
  readonly choose: Pick;
  /** Where a turn may run beside what is committed. */
  readonly also: readonly Place[];
  readonly sessions: string[] = [];
  /** Turns that started where they should not. */
  readonly faults: string[] = [];
  readonly pending = new Set<Promise<unknown>>();
  running = new Map<string, () => void>();
  readonly #ending = new Set<() => void>();
  #sets = 0;
  #turns = 0;

  constructor(rig: ProvidersRig, choose: Pick, also: readonly Place[]) {
    this.also = also;
    this.rig = rig;
    this.choose = choose;
  }

  track(work: Promise<unknown>): void {
    const settled: Promise<unknown> = work.then(
      (value) => value,
      (error: unknown) => error,
    );
    this.pending.add(settled);
    void settled.then(() => this.pending.delete(settled));
  }

  /** The start of a turn is the moment that counts: it must find its thread where the committed routing has it. */
  watchTurns(): void {
    const { codex, threads } = this.rig;
    codex.on(requests.turnStart, ({ threadId }) => {
      const it = threads.get(threadId);
      if (!it?.subscribed) {
        this.faults.push(`a turn on ${threadId}, which is not open`);
        throw new CodexFailure(-32600, `thread not found: ${threadId}`);
      }
      this.#turns += 1;
      const turnId = `turn-${this.#turns}`;
      const script = turnScript(codex, { threadId, turnId });
      const place = this.placeOf(threadId);
      const end = (): void => {
        if (this.running.get(threadId) !== end || this.#ending.has(end)) return;
        this.#ending.add(end);
        this.track(this.#endTurn(threadId, place, end, () => script.complete()));
      };
      this.running.set(threadId, end);
      return { turn: { id: turnId, items: [], itemsView: "notLoaded" as const, status: "inProgress" as const } };
    });
  }

  /** While a turn runs, nothing that concerns it can change: what the list says now held when it started. */
  async #endTurn(threadId: string, place: Place, end: () => void, complete: () => void): Promise<void> {
    const committed = await this.committed();
    if (this.running.get(threadId) !== end) return;
    const fits = ({ provider, baseUrl }: Place): boolean => provider === place.provider && baseUrl === place.baseUrl;
    if (![...committed, ...this.also].some(fits)) {
      this.faults.push(`a turn of ${threadId} on ${JSON.stringify(place)} under ${JSON.stringify(committed)}`);
    }
    this.running.delete(threadId);
    complete();
  }

  placeOf(sessionId: string): Place {
    const it = this.rig.threads.get(sessionId);
    return { provider: it?.provider ?? "none", baseUrl: Object(it?.entry).base_url ?? null };
  }

  /** What the list says that the place may be. */
  async committed(): Promise<Place[]> {
    const [slot] = (await this.rig.list()).providers;
    const { gateways } = Object(slot?._meta?.["codex"]);
    if (slot?.current) return [{ provider: "gate", baseUrl: slot.current.baseUrl }];
    const listed = ((gateways ?? []) as { id: string; baseUrl: string }[]).map(({ id, baseUrl }) => ({
      provider: id,
      baseUrl,
    }));
    return [native, ...listed];
  }

  actions(): (() => unknown)[] {
    const { rig, sessions, running, choose } = this;
    const { clock, codex } = rig;
    const sessionId = sessions[choose(sessions.length)] ?? "";
    const nextSet = (): { meta: object; baseUrl: string } => {
      this.#sets += 1;
      return { meta: { bearerToken: secretOf(this.#sets) }, baseUrl: `http://gate-${this.#sets}.example/v1` };
    };
    const list: (() => unknown)[] = [
      () => {
        const { meta, baseUrl } = nextSet();
        this.track(rig.set({ id: "gate", ...meta }, { baseUrl }));
      },
      () => {
        const { meta, baseUrl } = nextSet();
        const id = choose(2) === 0 ? "one" : "two";
        this.track(rig.catalog({ id, ...meta }, [{ id: `m-${id}` }], { baseUrl }));
      },
      () => this.track(rig.disable(choose(2) === 0 ? undefined : "one")),
      () => this.track(rig.choose(sessionId, ["m-one", "m-two", "smart"][choose(3)] ?? "smart")),
      () => this.track(rig.prompt(sessionId)),
      () => {
        // The scripted Codex does not tell of a turn that runs: it cannot be taken over.
        if (!running.has(sessionId))
          this.track(rig.host.request(hostRequests.sessionResume, { sessionId, cwd, mcpServers: [] }));
      },
      () => {
        const meta = [undefined, { alwith: { model: "m-one" } }, { alwith: { model: "m-two" } }][choose(3)];
        if (sessions.length < 6) this.track(rig.opened(meta).then((id) => sessions.push(id)));
      },
      () => running.get(sessionId)?.(),
      () => clock.settle(),
      () => clock.settle(),
      () => clock.advance(choose(25_000)),
    ];
    if (codex.running && choose(20) === 0) {
      list.push(() => {
        running.clear();
        for (const it of rig.threads.values()) it.subscribed = false;
        codex.die({ code: 1 });
      });
    }
    return list;
  }

  /** Lets everything end: late answers come, turns finish, and nothing fails any more. */
  async quiet(): Promise<void> {
    const { clock } = this.rig;
    for (let round = 0; round < 40; round += 1) {
      for (const end of [...this.running.values()]) end();
      await clock.advance(20_000);
      if (this.pending.size === 0 && this.running.size === 0) break;
    }
    expect(this.pending.size).toBe(0);
  }
}

async function drive(seed: number, version: string): Promise<Seen> {
  const choose = seededPick(seed ^ 0x5bd1e995);
  let calm = true;
  const trouble = (): "refuse" | number | null => {
    if (calm) return null;
    const chance = choose(24);
    if (chance === 0) return "refuse";
    // Some answers are too late for the switch that waits for them.
    return chance < 4 ? choose(90_000) : null;
  };
  const rig = await startProviders({ version, pick: seededPick(seed), trouble, models: nativeModels });
  const play = new Play(rig, choose, version === "0.161.0" ? [] : [native]);
  for (const id of ["one", "two"]) {
    await rig.catalog({ id, bearerToken: secretOf(0) }, [{ id: `m-${id}` }], { baseUrl: "http://gate-0.example/v1" });
  }
  for (const model of ["smart", "m-one", "m-two"]) play.sessions.push(await rig.opened({ alwith: { model } }));
  play.watchTurns();
  calm = false;
  for (let step = 0; step < 30; step += 1) {
    const list = play.actions();
    await list[choose(list.length)]?.();
  }
  calm = true;
  await play.quiet();
  expect(play.faults).toEqual([]);
  const committed = await play.committed();
  for (const sessionId of play.sessions) {
    const stale = rig.optionUpdates(sessionId).findLast(({ _meta }) => Object(_meta?.["codex"]).routing)?._meta;
    const told = Object(Object(stale)["codex"]).routing?.stale === true;
    const asked = await rig.prompt(sessionId).then(
      () => null,
      (error: unknown) => error,
    );
    await rig.clock.settle();
    if (asked === null) {
      const place = play.placeOf(sessionId);
      expect([...committed, ...play.also], `seed ${seed}: ${sessionId} after ${JSON.stringify(place)}`).toContainEqual(
        place,
      );
      play.running.get(sessionId)?.();
    } else {
      // It is refused for a reason that the host was told, and not because it was forgotten.
      if (![-32602, -32600].includes(Object(asked).code)) throw new Error(`seed ${seed}`, { cause: asked });
      const { codex } = Object(Object(asked).data);
      if (Object(codex).routing) expect([seed, told]).toEqual([seed, true]);
    }
  }
  await rig.clock.settle();
  const said = JSON.stringify(rig.host.frames());
  expect(said.includes("-of-a-gateway"), `seed ${seed}`).toBe(false);
  const routings = play.sessions.flatMap((id) =>
    rig.optionUpdates(id).map(({ _meta }) => Object(_meta?.["codex"]).routing),
  );
  await rig.close();
  return {
    turns: rig.codex.calls(requests.turnStart).length,
    moved: routings.filter((it) => it?.stale === false).length,
    stale: routings.filter((it) => it?.stale === true).length,
  };
}

interface Seen {
  /** Turns that started. */
  readonly turns: number;
  /** Sessions that were told that their place is certain, and that it is not. */
  readonly moved: number;
  readonly stale: number;
}

describe.each(["0.161.0", "0.171.0"])("bridges before Codex %s under seeded interleavings", (version) => {
  test("run each turn where the committed routing has it, and tell no credential", async () => {
    const seen = { turns: 0, moved: 0, stale: 0 };
    for (let seed = 1; seed <= seeds; seed += 1) {
      const run = await drive(seed, version);
      seen.turns += run.turns;
      seen.moved += run.moved;
      seen.stale += run.stale;
    }
    // It tried what it claims to have tried.
    expect(seen.turns).toBeGreaterThan(seeds);
    expect(seen.moved).toBeGreaterThan(seeds / 4);
    expect(seen.stale).toBeGreaterThan(0);
  }, 120_000);
});
