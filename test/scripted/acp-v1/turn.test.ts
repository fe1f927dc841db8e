import { describe, expect, test } from "vitest";
import { startRig } from "./rig.js";

const textOf = (updates: readonly { readonly content: unknown }[]): string =>
  updates.map(({ content }) => (content as { text?: string }).text ?? "").join("");

describe("a turn, to a host of version 1", () => {
  test("the prompt stays open until the turn is over, and is answered with its stop reason and usage", async () => {
    const rig = await startRig();
    const { turn, answer } = await rig.begin();
    let answered = false;
    void answer.then(() => {
      answered = true;
    });
    turn.message("Hello there", { deltas: ["Hello", " there"] });
    turn.usage(10, 10);
    await rig.clock.settle();
    expect(answered).toBe(false);
    expect(textOf(rig.of("agent_message_chunk"))).toBe("Hello there");
    turn.complete();
    expect(await answer).toMatchObject({ stopReason: "end_turn", usage: { totalTokens: 10 } });
    expect(rig.of("user_message_chunk"), "the host shows its own prompt").toEqual([]);
    await rig.close();
  });
});
