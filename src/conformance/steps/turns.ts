import { requests } from "../../generated/codex/methods.js";
import type { ThreadItem, TurnError } from "../../generated/codex/types.js";
import { isObject } from "../../runtime/index.js";
import * as items from "../../testing/scripted-codex/items.js";
import { nextTurn, type TurnScript, turnScript } from "../../testing/scripted-codex/turn.js";
import { CaseFault } from "../outcome.js";
import type { Stage } from "../stage.js";
import type { BeginStep, Play, PlayStep } from "../step-format.js";
import { fill } from "../template.js";

export async function begin(stage: Stage, step: BeginStep): Promise<void> {
  const turn = step.thread === undefined ? await ownTurn(stage) : foreignTurn(stage, step);
  stage.turns.set(step.begin, turn);
  stage.bindings[step.begin] = { threadId: turn.threadId, turnId: turn.turnId };
  if (step.silent !== true) turn.begin();
}

async function ownTurn(stage: Stage): Promise<TurnScript> {
  const n = stage.turnsTaken + 1;
  try {
    const turn = await nextTurn(stage.codex.core, n);
    stage.turnsTaken = n;
    return turn;
  } catch (cause) {
    const message = `waited in vain for Codex to get ${requests.turnStart.method} number ${n}`;
    throw new CaseFault({ message, cause });
  }
}

function foreignTurn(stage: Stage, { thread, turnId = "turn-of-another-client" }: BeginStep): TurnScript {
  const { bindings, codex } = stage;
  return turnScript(codex.core, { threadId: String(fill(thread, bindings)), turnId: String(fill(turnId, bindings)) });
}

/** An item with its usual members under `fields`. The schemas of the wire say whether it is right. */
export function itemFrom(fields: unknown): ThreadItem {
  if (!isObject(fields) || typeof fields["type"] !== "string") throw new Error("an item needs a type");
  const make: unknown = Reflect.get(items, fields["type"]);
  return (typeof make === "function" ? make(fields) : fields) as ThreadItem;
}

export function play(stage: Stage, step: PlayStep): void {
  const name = step.of ?? "turn";
  const turn = stage.turns.get(name);
  if (turn === undefined) throw new CaseFault({ blame: "suite", message: `the turn ${name} has not begun` });
  // Filled in, it is what the schema says: a template stands only where any value may.
  const plays = fill(step.play, stage.bindings) as Play | readonly Play[];
  for (const what of [plays].flat()) playOne(turn, what);
}

const without = <T extends object>(object: T, ...names: string[]): object =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));

function playOne(turn: TurnScript, what: Play): void {
  if ("message" in what) turn.message(what.message, without(what, "message"));
  else if ("messageDelta" in what) turn.messageDelta(what.id, what.messageDelta);
  else if ("reasoning" in what) turn.reasoning(what.reasoning, without(what, "reasoning"));
  else if ("command" in what) turn.command(what.command, without(what, "command"));
  else if ("outputDelta" in what) turn.outputDelta(what.id, what.outputDelta);
  else if ("starts" in what) turn.itemStarted(itemFrom(what.starts));
  else if ("completes" in what) turn.itemCompleted(itemFrom(what.completes));
  else if ("usage" in what) turn.usage(what.usage, what.total, what.window);
  else if ("willRetry" in what) turn.error(what.error as TurnError, what.willRetry);
  else turn.complete(what.ends, what.error as TurnError | undefined);
}
