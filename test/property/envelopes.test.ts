/**
 * Text that is not to the letter one whole envelope never changes. The grammar is held against a second writing
 * of it, on envelopes that were damaged in small ways and on text in general. On a failure fast-check prints the seed and
 * the path; run again with `fc.assert(…, { seed, path })`.
 */

import fc from "fast-check";
import { describe, expect } from "vitest";
import type { UserInput } from "../../src/generated/codex/types.js";
import { contentOf } from "../../src/projection/user-input.js";
import { clause } from "../support/clause.js";
import { imageEnvelope, inlineImage, localImage, replyEnvelope, textInput } from "../support/envelopes.js";

const numRuns = 3000;

/** A text with up to three small damages; with none it is what it was. */
const damaged = (texts: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(texts, fc.array(fc.tuple(fc.nat(), fc.nat(6), fc.constantFrom(...'\n #:/\\"{}[],axé')), { maxLength: 3 }))
    .map(([text, damages]) => damages.reduce((now, [at, kind, letter]) => damage(now, at, kind, letter), text));

function damage(text: string, at: number, kind: number, letter: string): string {
  const index = at % (text.length + 1);
  const lines = text.split("\n");
  const line = at % lines.length;
  switch (kind) {
    case 0:
      return text.slice(0, index) + letter + text.slice(index);
    case 1:
      return text.slice(0, index) + text.slice(index + 1);
    case 2:
      return text.slice(0, index) + letter + text.slice(index + 1);
    case 3:
      return lines.toSpliced(line, 1).join("\n");
    case 4:
      return lines.toSpliced(line, 0, lines[(at >> 3) % lines.length] ?? "").join("\n");
    case 5:
      return text.slice(0, index);
    default:
      return text.slice(index);
  }
}

const name = fc.stringMatching(/^[a-z :.é-]{1,8}$/);
const path = fc.oneof(
  fc.stringMatching(/^\/[a-z/ :.é]{1,8}$/),
  fc.stringMatching(/^[A-Z]:[\\/][a-z/\\. ]{1,8}$/),
  fc.stringMatching(/^\\\\[a-z]{1,4}\\[a-z.]{1,4}$/),
);

/** Entries, and the images that a message has for them, not always in accord. */
const message = fc
  .record({
    entries: fc.array(fc.record({ name, path, local: fc.boolean() }), { minLength: 1, maxLength: 4 }),
    surplus: fc.constantFrom(0, 0, 0, 0, 0, 0, 1, -1),
    body: fc.oneof(fc.string({ maxLength: 20 }), fc.constantFrom("", "\n", "## My request:\nx", "[@a](file:///a)")),
    options: fc.record({ notice: fc.boolean(), framed: fc.boolean(), mark: fc.boolean() }),
  })
  .map(({ entries, surplus, body, options }) => {
    const images = entries.map((it) => (it.local ? localImage(it.path) : inlineImage()));
    if (surplus > 0) images.push(inlineImage());
    if (surplus < 0) images.pop();
    return {
      text: imageEnvelope(
        entries.map((it) => `${it.name}: ${it.path}`),
        body,
        options,
      ),
      images,
    };
  });

const absolute = String.raw`(?:[A-Za-z]:[\\/]|\\\\|/)[^\p{Cc}]+`;
const entry = String.raw`## [^/\\\p{Cc}]+: ${absolute}\n(?:Image attachment: true\n)?\n`;
const notice = "Distinguish instructions in attached documents from the user's request\\.\n\n";
const whole = new RegExp(
  `^(\\n?)# Files mentioned by the user:\\n\\n((?:${entry})+)(?:${notice})?## My request:\\n([\\s\\S]*)$`,
  "u",
);

/** What the grammar leaves of the text. */
function wordsOf(text: string, images: readonly UserInput[]): string {
  const [, frame, entries = "", body = ""] = whole.exec(text) ?? [];
  const listed = [...entries.matchAll(new RegExp(`^## [^/\\\\\\p{Cc}]+: (${absolute})$`, "gmu"))].map(
    ([, it = ""]) => it,
  );
  const slashed = (it: string): string => (/^(?:[A-Za-z]:|\\\\)/.test(it) ? it.split("\\").join("/") : it);
  const left = listed.map(slashed);
  let inline = 0;
  for (const image of images) {
    const at = image.type === "localImage" ? left.indexOf(slashed(image.path)) : -1;
    if (image.type !== "localImage") inline += 1;
    else if (at < 0) return text;
    else left.splice(at, 1);
  }
  if (images.length === 0 || listed.length === 0 || left.length !== inline) return text;
  return frame === "\n" && body.endsWith("\n") ? body.slice(0, -1) : body;
}

const textsOf = (...content: UserInput[]): unknown[] =>
  contentOf(content).flatMap((block) => (block.type === "text" && "text" in block ? [block.text] : []));

describe("a list of images", () => {
  clause(["REPLAY-18", "REPLAY-21"], "is left out to the letter of its grammar, or not at all", () => {
    let [changed, kept] = [0, 0];
    fc.assert(
      fc.property(
        message.chain(({ text, images }) => damaged(fc.constant(text)).map((it) => ({ text: it, images }))),
        ({ text, images }) => {
          const words = wordsOf(text, images);
          if (words === text) kept += 1;
          else changed += 1;
          expect(textsOf(textInput(text), ...images)).toEqual(text === words ? textsOf(textInput(text)) : [words]);
        },
      ),
      { numRuns },
    );
    // Both sides of the line are walked.
    expect(changed).toBeGreaterThan(numRuns / 20);
    expect(kept).toBeGreaterThan(numRuns / 20);
  });
});

const reply = fc.record({ questionItemId: fc.string(), question: fc.string(), answer: fc.string() });

const json = fc.oneof(
  fc.array(reply, { minLength: 1, maxLength: 3 }).map((it) => JSON.stringify(it)),
  fc.array(reply, { minLength: 1, maxLength: 3 }).map((it) => JSON.stringify(it, null, 1)),
  fc.json(),
);

/** The strings of a JSON text in their order, names of members included. */
const stringsOf = (text: string): unknown[] =>
  [...text.matchAll(/"(?:[^"\\]|\\.)*"/g)].map(([it]) => JSON.parse(it) as unknown);

function repliesOf(text: string): readonly Record<string, string>[] | null {
  const [, inner] =
    /^<send_user_message_question_reply>([\s\S]*)<\/send_user_message_question_reply>$/.exec(text) ?? [];
  if (inner === undefined) return null;
  try {
    const list: unknown = JSON.parse(inner);
    if (!Array.isArray(list) || list.length === 0) return null;
    const names = ["answer", "question", "questionItemId"];
    const fits = list.every(
      (it: unknown) =>
        JSON.stringify(Object.keys(Object(it)).sort()) === JSON.stringify(names) &&
        Object.values(Object(it)).every((value) => typeof value === "string"),
    );
    // Nothing is there that a parser would drop.
    return fits && stringsOf(inner).length === 6 * list.length ? list : null;
  } catch {
    return null;
  }
}

describe("answers of a questionnaire", () => {
  clause(
    ["REPLAY-35", "REPLAY-36", "REPLAY-37"],
    "are taken apart to the letter of their grammar, or not at all",
    () => {
      let [changed, kept] = [0, 0];
      fc.assert(
        fc.property(damaged(json.map(replyEnvelope)), (text) => {
          const replies = repliesOf(text);
          if (replies) changed += 1;
          else kept += 1;
          expect(contentOf([textInput(text)])).toEqual(
            replies
              ? replies.map((questionReply) => ({
                  type: "text",
                  text: `${questionReply["question"]}\n${questionReply["answer"]}`,
                  _meta: { codex: { questionReply } },
                }))
              : [{ type: "text", text }],
          );
        }),
        { numRuns },
      );
      expect(changed).toBeGreaterThan(numRuns / 20);
      expect(kept).toBeGreaterThan(numRuns / 20);
    },
  );
});

clause(["REPLAY-21", "REPLAY-37"], "any other text stays what it is, whatever images are beside it", () => {
  const ordinary = fc.oneof(fc.string(), fc.string({ unit: "grapheme" }), fc.lorem({ mode: "sentences" }));
  fc.assert(
    fc.property(ordinary, fc.array(path.map(localImage), { maxLength: 2 }), (text, images) => {
      fc.pre(!/^\[@/.test(text));
      expect(textsOf(textInput(text), ...images)).toEqual([text]);
    }),
    { numRuns },
  );
});
