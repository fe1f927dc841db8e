import { mkdir, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, vi } from "vitest";
import type { UserInput } from "../../src/generated/codex/types.js";
import { hostRequests } from "../../src/generated/contract/methods.js";
import { message } from "../../src/testing/scripted-model/steps.js";
import { clause } from "../support/clause.js";
import { codexes } from "../support/codexes.js";
import { imageEnvelope, localImage, replyEnvelope, textInput } from "../support/envelopes.js";
import { isUpdate, type Update } from "../support/host.js";
import { startOtherClient } from "../support/other-client.js";
import { scratch } from "../support/places.js";
import { type RealBridge, startRealBridge } from "../support/real-bridge.js";
import { greet } from "../support/second-agent.js";

let bridge: RealBridge;
const elsewhere = join(scratch, `pictures-${process.pid}`);
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  "base64",
);

/** Ends the wait of the turn that is steered. */
let steered = (): void => undefined;

describe.each(codexes)("Codex $version", (codex) => {
  beforeAll(async () => {
    const until = new Promise<void>((resolve) => {
      steered = resolve;
    });
    bridge = await startRealBridge({
      codex,
      scripts: [
        { key: "SAY", steps: [message("Said.")] },
        { key: "WAIT", steps: [[{ kind: "wait", until }, message("Waited.")]] },
      ],
    });
    await greet(bridge.host);
    await mkdir(elsewhere, { recursive: true });
    await writeFile(join(elsewhere, "dot.png"), png);
    await writeFile(join(elsewhere, "drawing.png"), "<svg xmlns='http://www.w3.org/2000/svg'/>");
    await writeFile(join(elsewhere, "huge.png"), png);
    await truncate(join(elsewhere, "huge.png"), 17 * 1024 * 1024);
  }, 60_000);

  afterAll(async () => {
    await bridge.close();
    await rm(elsewhere, { recursive: true });
  });

  /** A thread that another client of Codex prompted, and has let go of. */
  async function promptedElsewhere(input: UserInput[]): Promise<string> {
    const other = await startOtherClient(bridge);
    const { thread } = await other.client.threadStart({ cwd: bridge.home.workspace });
    await other.client.turnStart({ threadId: thread.id, input });
    await vi.waitFor(() => expect(other.told.map(({ method }) => method)).toContain("turn/completed"), 10_000);
    await other.connection.stop();
    return thread.id;
  }

  /** The user's messages of a session that is opened from its start. */
  async function replay(sessionId: string): Promise<readonly Update[]> {
    const { host, home } = bridge;
    const before = host.updates(sessionId).length;
    const replayFrom = { type: "start" as const };
    await host.request(hostRequests.sessionResume, { sessionId, cwd: home.workspace, mcpServers: [], replayFrom });
    return host.updates(sessionId).slice(before).filter(isUpdate("user_message"));
  }

  const contentOf = (update: Update | undefined): unknown => Object(update).content;

  clause(
    ["REPLAY-14", "REPLAY-15", "REPLAY-17"],
    "images that the prompt attached by path are shown, wherever they are, and no others",
    async () => {
      const at = (name: string): string => join(elsewhere, name);
      const link = `[@dot.png](${pathToFileURL(at("dot.png")).href})`;
      const inline = `SAY what ![dot](${at("dot.png")}) is`;
      const paths = [at("dot.png"), at("gone.png"), at("drawing.png"), at("huge.png")];
      const sessionId = await promptedElsewhere([textInput(inline), textInput(link), ...paths.map(localImage)]);
      const [told] = await replay(sessionId);
      const unavailable = {
        type: "resource_link",
        name: "image",
        uri: "codex-image:unavailable",
        _meta: { codex: { imageUnavailable: true } },
      };
      expect(contentOf(told)).toEqual([
        { type: "text", text: inline },
        { type: "resource_link", name: "dot.png", uri: pathToFileURL(at("dot.png")).href },
        { type: "image", mimeType: "image/png", data: png.toString("base64") },
        unavailable,
        unavailable,
        { ...unavailable, size: 17 * 1024 * 1024 },
      ]);
    },
  );

  clause(["REPLAY-18", "REPLAY-20"], "of a prompt with a list of its images the words are shown", async () => {
    const path = join(elsewhere, "dot.png");
    const sessionId = await promptedElsewhere([
      textInput(imageEnvelope([`dot.png: ${path}`], "SAY it", { framed: true, notice: true, mark: true })),
      localImage(path),
    ]);
    expect(contentOf((await replay(sessionId))[0])).toEqual([
      { type: "text", text: "SAY it" },
      { type: "image", mimeType: "image/png", data: png.toString("base64") },
    ]);
  });

  const open = async (): Promise<string> => {
    const { sessionId } = await bridge.host.request(hostRequests.sessionNew, {
      cwd: bridge.home.workspace,
      mcpServers: [],
    });
    return sessionId;
  };

  const prompt = (sessionId: string, text: string) =>
    bridge.host.request(hostRequests.sessionPrompt, { sessionId, prompt: [{ type: "text", text }] });

  clause(
    ["REPLAY-30"],
    "the prompt that opened a turn has the turn's time, one that was steered in has none",
    async () => {
      const { host } = bridge;
      const sessionId = await open();
      const first = await prompt(sessionId, "WAIT for it");
      await vi.waitFor(() => expect(bridge.model.requests.map(({ key }) => key)).toContain("WAIT"), 10_000);
      const second = await prompt(sessionId, "and more");
      expect(second._meta).toMatchObject({ codex: { steered: expect.any(String) } });
      steered();
      await host.idle(sessionId);
      await host.request(hostRequests.sessionClose, { sessionId });
      const told = await replay(sessionId);
      expect(told.map((it) => Object(it).messageId)).toEqual([first.messageId, second.messageId]);
      const [opening, later] = told.map((it) => Object(it._meta).codex);
      expect(opening).toMatchObject({ messageSentAt: opening.turnStartedAt, turnStartedAt: expect.any(Number) });
      expect(later).toMatchObject({ turnStartedAt: opening.turnStartedAt });
      expect(later).not.toHaveProperty("messageSentAt");
    },
  );

  clause(
    ["REPLAY-38", "REPLAY-39", "REPLAY-35"],
    "answers of a questionnaire go to the model and into the record as they are, and are shown in parts",
    async () => {
      const { host } = bridge;
      const question = { questionItemId: "q", question: "SAY which?", answer: "This one." };
      const envelope = replyEnvelope(JSON.stringify([question]));
      const text = `${question.question}\n${question.answer}`;
      const sessionId = await open();
      const { messageId } = await prompt(sessionId, envelope);
      await host.idle(sessionId);
      const live = host.updates(sessionId).filter(isUpdate("user_message"));
      expect(live[0]?.content).toEqual([{ type: "text", text: envelope }]);
      for (const { _meta } of live)
        expect(_meta).toMatchObject({ codex: { questionReplyParts: [{ text, question }] } });
      expect(JSON.stringify(bridge.model.requests.at(-1)?.body)).toContain(JSON.stringify(envelope).slice(1, -1));
      const { turns } = await host.request(hostRequests.codexSessionHistory, {
        sessionId,
        itemsView: "full",
        includeNative: true,
      });
      expect(turns[0]?._meta?.codex.items[0]).toMatchObject({ clientId: messageId, content: [{ text: envelope }] });
      await host.request(hostRequests.sessionClose, { sessionId });
      const blocks = [{ type: "text", text, _meta: { codex: { questionReply: question } } }];
      expect(contentOf((await replay(sessionId))[0])).toEqual(blocks);
    },
  );
});
