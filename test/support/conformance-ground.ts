import { scriptedBehind } from "../../src/conformance/codex.js";
import type { Ground } from "../../src/conformance/ground.js";
import { connectInProcess } from "../../src/testing/scripted-codex/in-process.js";
import { createVirtualClock, type VirtualClock } from "../../src/testing/virtual-clock.js";
import type { ServeAgent } from "./bridge.js";
import { createHostPipe } from "./host-pipe.js";

/** What a case starts here: the agent in this process, under a virtual clock that waits for nothing. */
export interface VirtualGround extends Ground {
  readonly clock: VirtualClock;
  /** Lets time pass for as long as `work` goes on: whenever all is quiet, the next timer is due. */
  drive<T>(work: Promise<T>): Promise<T>;
}

/** Real time for what no clock sees, before virtual time may jump. */
const patienceMs = 2;

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, patienceMs));

/** Reads of files go on, whose end no clock knows. */
const reading = (): boolean =>
  process.getActiveResourcesInfo().some((name) => name.startsWith("FSReq") || name === "CloseReq");

export function virtualGround(serve: ServeAgent, baseEnv: Readonly<Record<string, string>> = {}): VirtualGround {
  const clock = createVirtualClock({ auto: true });
  return {
    clock,
    codexIsHeld: true,
    behind: scriptedBehind(clock),
    async start({ behind: { codex }, log, env }) {
      if (codex === null) throw new Error("under a virtual clock Codex is a scripted one");
      const pipe = createHostPipe(clock);
      const whole = Object.entries({ ...baseEnv, ...env }).filter(([, value]) => value !== null);
      const served = serve({
        transport: pipe.transport,
        clock,
        env: Object.fromEntries(whole) as Record<string, string>,
        note: (text) => log.note(text),
        codex: () => connectInProcess(codex.core, clock),
      });
      const ended = served.then(() => 0);
      ended.catch(() => undefined);
      return {
        ended,
        write: (text) => pipe.wire.write(text),
        onLine: (take) => pipe.wire.onLine(take),
        reads: (on) => pipe.read(on),
        closeInput: () => pipe.wire.close(),
        async dispose() {
          pipe.wire.close();
          codex.core.die();
        },
      };
    },
    async drive(work) {
      let over = false;
      const done = work.finally(() => {
        over = true;
      });
      done.catch(() => undefined);
      while (!over) {
        await clock.settle();
        if (over) break;
        do {
          await pause();
          // What this sets going may read files as well.
          await clock.settle();
        } while (reading());
        const [next] = clock.timers;
        if (!over && next !== undefined) await clock.advance(next);
      }
      return done;
    },
  };
}
