import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect } from "vitest";
import { requests } from "../../../src/generated/codex/methods.js";
import type { UserInput } from "../../../src/generated/codex/types.js";
import { hostRequests } from "../../../src/generated/contract/methods.js";
import { nextTurn, turnScript } from "../../../src/testing/scripted-codex/turn.js";
import { clause } from "../../support/clause.js";
import { imageEnvelope, inlineImage, localImage, replyEnvelope, textInput } from "../../support/envelopes.js";
import { isUpdate } from "../../support/host.js";
import { scratch } from "../../support/places.js";
import { startHistory, storedThread, storedTurn } from "../history/rig.js";
import { startRig } from "../turn/rig.js";
import { fromStart, said, startOpen, stored } from "./rig.js";

let close = async (): Promise<void> => undefined;
const folder = join(scratch, `envelopes-${process.pid}`);
const picture = join(folder, "a.png");
const png = Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.alloc(16)]);

beforeEach(() => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(picture, png);
});

afterEach(async () => {
  await close();
  rmSync(folder, { recursive: true });
});

const message = (...content: UserInput[]) => ({ type: "userMessage" as const, id: "u", clientId: "mine", content });

/** What a host is shown of a stored message when it opens the session. */
async function replayed(...content: UserInput[]): Promise<unknown> {
  const rig = await startOpen();
  close = () => rig.bridge.close();
  rig.threads.set("s", { turns: [stored("t", [message(...content), said("m", "a")])] });
  await rig.resume("s", fromStart);
  return rig.bridge.host.updates("s").find(isUpdate("user_message"))?.content;
}

const text = (value: string) => ({ type: "text", text: value });
const shown = { type: "image", mimeType: "image/png", data: png.toString("base64") };

describe("a list of images before a stored prompt", () => {
  clause(["REPLAY-18", "REPLAY-20"], "is not shown: the images are, and the words below its heading", async () => {
    const envelope = imageEnvelope([`a.png: ${picture}`, "b.png: /gone/b.png"], "look at both", { notice: true });
    const content = await replayed(textInput(envelope), localImage(picture), inlineImage("aGk="));
    expect(content).toEqual([text("look at both"), shown, { type: "image", mimeType: "image/png", data: "aGk=" }]);
  });

  clause(["REPLAY-19"], "opens no file: an image that only the list names is not shown", async () => {
    const envelope = imageEnvelope([`a.png: ${picture}`], "look");
    expect(await replayed(textInput(envelope), inlineImage("aGk="))).toEqual([
      text("look"),
      { type: "image", mimeType: "image/png", data: "aGk=" },
    ]);
  });

  clause(["REPLAY-21", "REPLAY-19"], "that does not fit the message's images stays, and opens no file", async () => {
    const envelope = imageEnvelope([`a.png: ${picture}`, "b.png: /gone/b.png"], "look");
    expect(await replayed(textInput(envelope), localImage("/gone/b.png"))).toEqual([
      text(envelope),
      expect.objectContaining({ uri: "codex-image:unavailable" }),
    ]);
  });

  clause(
    ["REPLAY-18", "REPLAY-22"],
    "is left out of the history too, which names it, and is in its native record",
    async () => {
      const envelope = imageEnvelope([`a.png: ${picture}`], "look");
      const item = message(textInput(envelope), localImage(picture));
      const rig = await startHistory([{ thread: storedThread(), turns: [storedTurn("t", [item])] }]);
      close = () => rig.bridge.close();
      const [turn] = (await rig.turns({ itemsView: "full", includeNative: true })).turns;
      expect(turn?.updates.find(isUpdate("user_message"))?.content).toEqual([
        text("look"),
        // Of no use to a reader of an export: nothing is read there (HIST-58).
        expect.objectContaining({ type: "resource_link", name: "a.png" }),
      ]);
      expect(turn?.omissions).toEqual([{ itemId: "u", field: "content", reason: expect.stringContaining("list") }]);
      expect(turn?._meta?.codex.items).toEqual([item]);
    },
  );
});

describe("answers of a questionnaire", () => {
  const replies = [
    { questionItemId: "q1", question: "Which one?", answer: "The second" },
    { questionItemId: "q2", question: "Why?", answer: "" },
  ];
  const envelope = replyEnvelope(JSON.stringify(replies));
  const blocks = replies.map((questionReply) => ({
    type: "text",
    text: `${questionReply.question}\n${questionReply.answer}`,
    _meta: { codex: { questionReply } },
  }));

  clause(["REPLAY-35", "REPLAY-36"], "replay as a block each, in their order", async () => {
    expect(await replayed(textInput("before"), textInput(envelope))).toEqual([text("before"), ...blocks]);
  });

  clause(["REPLAY-37"], "replay as text where one of them is off, none of them lost", async () => {
    const damaged = envelope.replace('"answer":"The second"', '"answer":2');
    expect(await replayed(textInput(damaged))).toEqual([text(damaged)]);
    await close();
    expect(await replayed(textInput(`> ${envelope}`))).toEqual([text(`> ${envelope}`)]);
  });

  clause(
    ["REPLAY-35", "REPLAY-39"],
    "are shown the same in the history, whose native record has the envelope",
    async () => {
      const item = message(textInput(envelope));
      const rig = await startHistory([{ thread: storedThread(), turns: [storedTurn("t", [item])] }]);
      close = () => rig.bridge.close();
      const [turn] = (await rig.turns({ itemsView: "full", includeNative: true })).turns;
      expect(turn?.updates.find(isUpdate("user_message"))?.content).toEqual(blocks);
      expect(turn?.omissions).toEqual([]);
      expect(turn?._meta?.codex.items).toEqual([item]);
    },
  );

  clause(
    ["REPLAY-38", "REPLAY-39"],
    "of this host go to Codex as they are, and their parts are on every upsert of the message",
    async () => {
      const rig = await startRig();
      close = () => rig.close();
      await rig.prompt(envelope);
      const turn = await nextTurn(rig.codex);
      expect(turn.input).toEqual([textInput(envelope)]);
      turn.begin();
      await rig.clock.settle();
      rig.cancel();
      await rig.codex.received(requests.turnInterrupt);
      turn.complete("interrupted");
      await rig.host.idle(rig.sessionId);
      const told = rig.updates().filter(isUpdate("user_message"));
      expect(told[0]?.content).toEqual([text(envelope)]);
      expect(told.length).toBeGreaterThan(2);
      const questionReplyParts = blocks.map((block, index) => ({ text: block.text, question: replies[index] }));
      for (const { _meta } of told) expect(_meta).toMatchObject({ codex: { questionReplyParts } });
      expect(told.at(-1)?._meta).toMatchObject({ codex: { turnInterrupted: true } });
    },
  );

  clause(["REPLAY-38"], "steered into a turn beside other text have a part for that too", async () => {
    const rig = await startRig();
    close = () => rig.close();
    await rig.begin();
    const prompt = [text("first this"), text(envelope)].map(({ text: value }) => ({
      type: "text" as const,
      text: value,
    }));
    const { messageId } = await rig.host.request(hostRequests.sessionPrompt, { sessionId: rig.sessionId, prompt });
    const told = rig
      .updates()
      .filter(isUpdate("user_message"))
      .filter((it) => it.messageId === messageId);
    expect(told.length).toBeGreaterThan(1);
    for (const { _meta } of told) {
      expect(_meta).toMatchObject({
        codex: {
          questionReplyParts: [
            { text: "first this" },
            { text: blocks[0]?.text, question: replies[0] },
            { text: blocks[1]?.text, question: replies[1] },
          ],
        },
      });
    }
  });

  clause(["REPLAY-35"], "of another client are a block each while its turn runs", async () => {
    const rig = await startRig();
    close = () => rig.close();
    turnScript(rig.codex, { threadId: rig.sessionId, turnId: "elsewhere" }, [textInput(envelope)]).begin();
    const told = await rig.host.update(rig.sessionId, isUpdate("user_message"));
    expect(told.content).toEqual(blocks);
    expect(told._meta).not.toHaveProperty(["codex", "questionReplyParts"]);
  });
});
