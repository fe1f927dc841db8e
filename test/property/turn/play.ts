import { requests } from "../../../src/generated/codex/methods.js";
import { hostNotifications, hostRequests } from "../../../src/generated/contract/methods.js";
import { CodexFailure } from "../../../src/testing/scripted-codex/core.js";
import { commandExecution } from "../../../src/testing/scripted-codex/items.js";
import { type TurnScript, turnOf, turnScript } from "../../../src/testing/scripted-codex/turn.js";
import type { Pick } from "../../../src/testing/virtual-clock.js";
import type { Bridge } from "../../support/bridge.js";

/** A session of a bridge, and the Codex behind it as it runs. */
export interface Play {
  readonly bridge: Bridge;
  readonly sessionId: string;
  readonly choose: Pick;
  running: (TurnScript & { begun: boolean }) | null;
}

/** Codex as it is, but for one answer in eight that never comes. */
export function playCodex(play: Play): void {
  const { codex } = play.bridge;
  const { choose, sessionId } = play;
  const never = <T>(): Promise<T> => new Promise(() => undefined);
  const silent = (): boolean => choose(8) === 0;
  let turns = 0;
  codex.on(requests.turnStart, () => {
    if (play.running === null) {
      turns += 1;
      const script = turnScript(codex, { threadId: sessionId, turnId: `turn-${turns}` });
      play.running = Object.assign(script, { begun: false });
    }
    const { turnId } = play.running;
    return silent() ? never() : { turn: turnOf(turnId) };
  });
  const fits = (turnId: string): boolean => play.running?.begun === true && play.running.turnId === turnId;
  codex.on(requests.turnSteer, ({ expectedTurnId }) => {
    if (!fits(expectedTurnId) || choose(4) === 0) throw new CodexFailure(-32600, "no active turn to steer");
    return silent() ? never() : { turnId: expectedTurnId };
  });
  codex.on(requests.turnInterrupt, ({ turnId }, { afterAnswer }) => {
    if (!fits(turnId)) throw new CodexFailure(-32600, "no active turn to interrupt");
    if (silent()) return never();
    const { running } = play;
    play.running = null;
    if (choose(4) > 0) afterAnswer(() => running?.complete("interrupted"));
    return {};
  });
}

/** What can happen next. Every answer that the host waits for is in `answers`, an error as its value. */
export function actions(play: Play, answers: Promise<unknown>[]): (() => unknown)[] {
  const { bridge, sessionId, running, choose } = play;
  const { host, codex, clock } = bridge;
  const prompt = () => {
    const asked = host.request(hostRequests.sessionPrompt, { sessionId, prompt: [{ type: "text", text: "go" }] });
    answers.push(asked.catch((error: unknown) => error));
  };
  const list: (() => unknown)[] = [
    prompt,
    prompt,
    () => host.notify(hostNotifications.sessionCancel, { sessionId }),
    () => clock.settle(),
    () => clock.settle(),
    () => clock.advance(choose(4000)),
  ];
  if (!codex.running) return list;
  if (choose(12) === 0) {
    list.push(() => {
      play.running = null;
      codex.die({ code: 1 });
    });
  }
  if (!running) return list;
  if (!running.begun) {
    const begin = () => {
      running.begun = true;
      running.begin();
    };
    return [...list, begin, begin, begin];
  }
  const end = (status: "completed" | "failed") => () => {
    play.running = null;
    const error = { message: "no", codexErrorInfo: null, additionalDetails: null };
    running.complete(status, status === "failed" ? error : undefined);
  };
  return [
    ...list,
    () => running.message("hello", { deltas: ["hel", "lo"] }),
    () => running.command("ls", { output: "a\n" }),
    () => running.itemStarted(commandExecution({ id: `open-${running.turnId}-${codex.log.entries.length}` })),
    () => running.usage(1, codex.log.entries.length),
    end("completed"),
    end("completed"),
    end("failed"),
  ];
}
