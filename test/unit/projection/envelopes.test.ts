/** Fixtures for every branch of the grammars in `envelopes` of schemas/contract/tables.json. */

import { describe, expect, test } from "vitest";
import type { UserInput } from "../../../src/generated/codex/types.js";
import { contentOf } from "../../../src/projection/user-input.js";
import { imageEnvelope, inlineImage, localImage, replyEnvelope, textInput } from "../../support/envelopes.js";

const texts = (...content: UserInput[]): unknown[] =>
  contentOf(content).flatMap((block) => (block.type === "text" && "text" in block ? [block.text] : []));

describe("a list of images", () => {
  const one = ["a.png: /tmp/a.png"];
  test.each<[what: string, text: string, images: UserInput[], body: string]>([
    ["of one local image", imageEnvelope(one, "look"), [localImage("/tmp/a.png")], "look"],
    ["marked as images", imageEnvelope(one, "look", { mark: true }), [localImage("/tmp/a.png")], "look"],
    ["with the notice", imageEnvelope(one, "look", { notice: true }), [localImage("/tmp/a.png")], "look"],
    ["framed by line breaks", imageEnvelope(one, "look", { framed: true }), [localImage("/tmp/a.png")], "look"],
    ["all of it", imageEnvelope(one, "l", { framed: true, notice: true, mark: true }), [localImage("/tmp/a.png")], "l"],
    ["of one inline image", imageEnvelope(one, "look"), [inlineImage()], "look"],
    [
      "of both kinds, in any order",
      imageEnvelope(["a b.png: /x/a b.png", "c.png: /c.png", "a b.png: /x/a b.png"], "look"),
      [inlineImage(), localImage("/x/a b.png"), localImage("/c.png")],
      "look",
    ],
    [
      "of Windows paths, which Codex has with backslashes",
      imageEnvelope(["s.png: C:/Users/k/s.png", "t.png: \\\\host\\share\\t.png"], "look"),
      [localImage("C:\\Users\\k\\s.png"), localImage("\\\\host\\share\\t.png")],
      "look",
    ],
    ["with a colon in a name", imageEnvelope(["a: b.png: /t/a: b.png"], "look"), [localImage("/t/a: b.png")], "look"],
    ["before nothing", imageEnvelope(one, ""), [inlineImage()], ""],
    ["before nothing, framed", imageEnvelope(one, "", { framed: true }), [inlineImage()], ""],
    [
      "before words that look like one",
      imageEnvelope(one, imageEnvelope(one, "x")),
      [inlineImage()],
      imageEnvelope(one, "x"),
    ],
    ["before a reference", imageEnvelope(one, "[@a](file:///a)"), [inlineImage()], "[@a](file:///a)"],
    ["before lines that begin empty", imageEnvelope(one, "\n\n look\n"), [inlineImage()], "\n\n look\n"],
  ])("%s is left out", (_what, text, images, body) => {
    expect(texts(textInput(text), ...images)).toEqual([body]);
    expect(texts(...images, textInput(text))).toEqual([body]);
  });

  const envelope = imageEnvelope(one, "look");
  const native = [localImage("/tmp/a.png")];
  test.each<[what: string, text: string, images: UserInput[]]>([
    ["no image in the message", envelope, []],
    ["a local image that is not listed", envelope, [localImage("/tmp/b.png")]],
    ["a listed path that no image has", imageEnvelope([...one, "b.png: /tmp/b.png"], "look"), native],
    ["more inline images than entries", envelope, [inlineImage(), inlineImage()]],
    ["an entry for two local images", envelope, [...native, ...native]],
    ["a remote image", envelope, [{ type: "image", url: "https://example.test/a.png" }]],
    ["an inline image and the entry taken", envelope, [...native, inlineImage()]],
    ["a POSIX path with other slashes", imageEnvelope(["a: /x/a"], "look"), [localImage("\\x\\a")]],
    ["no entries", "# Files mentioned by the user:\n\n## My request:\nlook", native],
    ["no name", imageEnvelope([": /tmp/a.png"], "look"), native],
    ["a name with a slash", imageEnvelope(["tmp/a.png: /tmp/a.png"], "look"), native],
    ["a relative path", imageEnvelope(["a.png: tmp/a.png"], "look"), [localImage("tmp/a.png")]],
    ["no path", imageEnvelope(["a.png"], "look"), native],
    ["a path with a tab", imageEnvelope(["a.png: /tmp/\ta.png"], "look"), [localImage("/tmp/\ta.png")]],
    ["a carriage return", envelope.replaceAll("\n", "\r\n"), native],
    ["no blank line after the header", envelope.replace("user:\n\n", "user:\n"), native],
    ["no blank line after an entry", envelope.replace("a.png\n\n", "a.png\n"), native],
    [
      "no blank line after the notice",
      imageEnvelope(one, "l", { notice: true }).replace("request.\n", "request."),
      native,
    ],
    ["another notice", imageEnvelope(one, "look", { notice: true }).replace("Distinguish", "Mix"), native],
    ["another mark", imageEnvelope(one, "look", { mark: true }).replace("true", "false"), native],
    ["another header", envelope.replace("mentioned", "named"), native],
    ["another heading", envelope.replace("My request", "Your request"), native],
    ["no heading", envelope.slice(0, envelope.indexOf("## My")), native],
    ["words after the heading on its line", envelope.replace("request:\n", "request: "), native],
    [
      "no line break after the heading",
      "# Files mentioned by the user:\n\n## a.png: /tmp/a.png\n\n## My request:",
      native,
    ],
    ["words before it", `See:\n${envelope}`, native],
    ["a space before it", ` ${envelope}`, native],
    ["two line breaks before it", `\n\n${envelope}`, native],
    ["a quoted one", envelope.replaceAll(/^/gm, "> "), native],
    ["a fenced one", `\`\`\`\n${envelope}\n\`\`\``, native],
  ])("with %s stays as it is", (_what, text, images) => {
    expect(texts(textInput(text), ...images)).toEqual([text]);
  });

  test("is left alone when there are two, so that no words are lost", () => {
    expect(texts(textInput(envelope), textInput(envelope), ...native)).toEqual([envelope, envelope]);
  });

  const span = (start: number, end: number) => ({ byteRange: { start, end }, placeholder: "@x" });
  test("moves the spans of its words, and is left alone when a span is not of them", () => {
    const text = imageEnvelope(["ä.png: /tmp/ä.png"], "look @x");
    const start = Buffer.byteLength(text) - 2;
    const input = (text_elements: ReturnType<typeof span>[]): UserInput[] => [
      { type: "text", text, text_elements },
      localImage("/tmp/ä.png"),
    ];
    expect(contentOf(input([span(start, start + 2)]), { origin: true })[0]).toEqual({
      type: "text",
      text: "look @x",
      _meta: { codex: { textElements: [span(5, 7)] } },
    });
    expect(contentOf(input([span(2, 7), span(start, start + 2)]), { origin: true })[0]).toMatchObject({ text });
  });
});

describe("answers of a questionnaire", () => {
  const reply = (n: number) => ({ questionItemId: `["ask","call",${n}]`, question: `Q${n}?`, answer: `A "${n}"\n: x` });
  test.each<[what: string, json: string, count: number]>([
    ["of one question", JSON.stringify([reply(0)]), 1],
    ["of several, in their order", JSON.stringify([reply(2), reply(0), reply(1)]), 3],
    ["set out over lines", JSON.stringify([reply(0), reply(1)], null, 2), 2],
    ["with members in another order", '[{"answer":"a","questionItemId":"q","question":"w"}]', 1],
    ["that are empty", '[{"questionItemId":"","question":"","answer":""}]', 1],
  ])("%s are a block each", (_what, json, count) => {
    const blocks = contentOf([textInput(replyEnvelope(json))]);
    const replies = JSON.parse(json) as { question: string; answer: string }[];
    expect(blocks).toHaveLength(count);
    expect(blocks).toEqual(
      replies.map((questionReply) => ({
        type: "text",
        text: `${questionReply.question}\n${questionReply.answer}`,
        _meta: { codex: { questionReply } },
      })),
    );
  });

  const whole = replyEnvelope(JSON.stringify([reply(0)]));
  test.each<[what: string, text: string]>([
    ["no entries", replyEnvelope("[]")],
    ["one object instead of a list", replyEnvelope(JSON.stringify(reply(0)))],
    ["null", replyEnvelope("null")],
    ["nothing", replyEnvelope("")],
    ["no JSON", replyEnvelope("[{questionItemId: 1}]")],
    ["more than one list", replyEnvelope(`${JSON.stringify([reply(0)])}${JSON.stringify([reply(1)])}`)],
    ["an entry that is none", replyEnvelope(JSON.stringify([reply(0), "x"]))],
    ["an entry that is null", replyEnvelope(JSON.stringify([reply(0), null]))],
    ["a member that is missing", replyEnvelope('[{"questionItemId":"q","question":"w"}]')],
    ["a member that is no string", replyEnvelope('[{"questionItemId":"q","question":"w","answer":1}]')],
    ["a member too many", replyEnvelope(JSON.stringify([{ ...reply(0), note: "n" }]))],
    ["a member that stands twice", replyEnvelope('[{"questionItemId":"q","question":"w","answer":"a","answer":"b"}]')],
    ["its end missing", whole.slice(0, -1)],
    ["its beginning missing", whole.slice(1)],
    ["only its beginning", "<send_user_message_question_reply>"],
    ["its two tags overlapping", "<send_user_message_question_reply>".replace("<", "</")],
    ["words before", `Here: ${whole}`],
    ["words after", `${whole} ok`],
    ["a line break after", `${whole}\n`],
    ["a quote around", `> ${whole.replaceAll("\n", "\n> ")}`],
    ["a fence around", `\`\`\`\n${whole}\n\`\`\``],
  ])("with %s stay text", (_what, text) => {
    expect(contentOf([textInput(text)])).toEqual([{ type: "text", text }]);
  });

  test("with spans stay text", () => {
    const text_elements = [{ byteRange: { start: 0, end: 3 } }];
    expect(texts({ type: "text", text: whole, text_elements })).toEqual([whole]);
  });

  test("stand between the other blocks of their message", () => {
    expect(texts(textInput("before"), textInput(whole), textInput("after"))).toEqual([
      "before",
      expect.stringMatching(/^Q0\?\n/),
      "after",
    ]);
  });
});
