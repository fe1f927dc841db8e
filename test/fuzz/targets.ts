import fc from "fast-check";
import { settingsFromEnv } from "../../src/agent/settings.js";
import { stderrTail } from "../../src/codex/child-pipes.js";
import { createConnection } from "../../src/codex/connection.js";
import { activeTurnId, codexErrorKind, methodsOf as listedMethods } from "../../src/codex/error-text.js";
import { createLineSplitter } from "../../src/codex/line-splitter.js";
import { parseProcStat, parsePsLine } from "../../src/codex/process-table.js";
import type { TransportSink } from "../../src/codex/transport.js";
import { versionOfUserAgent, versionWarning } from "../../src/codex/version.js";
import { createReceiptStore, receiptsInMemory } from "../../src/files/receipts.js";
import { notifications, requests, serverRequests } from "../../src/generated/codex/methods.js";
import { hostNotifications, hostRequests } from "../../src/generated/contract/methods.js";
import { parsers, resultParsers } from "../../src/generated/contract/parsers.js";
import { codexNotifications, codexServerRequests, contractParams } from "../../src/generated/testing/arbitraries.js";
import { redactConfigEdits } from "../../src/log/secret-fields.js";
import { commandOf } from "../../src/policy/commands/parse.js";
import { decodeCursor, encodeCursor, type Traversal } from "../../src/policy/history/cursor.js";
import { placeOf } from "../../src/policy/listing/cursor.js";
import { questionReplies } from "../../src/projection/question-reply.js";
import { contentOf } from "../../src/projection/user-input.js";
import { ContractError, memberText } from "../../src/runtime/index.js";
import { recorded } from "../../src/testing/scripted-codex/recorded.js";
import { startFuzzedBridge } from "./bridge.js";
import { anyValue, type Call, deep, jsonText, messageText } from "./inputs.js";
import { assertUnpolluted, mayRefuse } from "./invariants.js";

/** Something that reads what others wrote. */
export interface Target {
  readonly name: string;
  /** Its part of all inputs. */
  readonly share: number;
  /** Feeds it `inputs` inputs; rejects with what did not hold. */
  run(inputs: number, seed: number): Promise<void>;
}

type Table = Readonly<Record<string, { readonly method: string }>>;
const methodsOf = (...tables: Table[]): string[] =>
  tables.flatMap((table) => Object.values(table).map(({ method }) => method));

const plain = <T>(name: string, share: number, inputs: fc.Arbitrary<T>, read: (input: T) => void): Target => ({
  name,
  share,
  async run(numRuns, seed) {
    const property = fc.property(inputs, (input) => read(input));
    fc.assert(property, { numRuns, seed });
    assertUnpolluted();
  },
});

const lines: Target = plain(
  "the line reader",
  4,
  fc.tuple(
    fc.array(fc.oneof(fc.constantFrom(10, 10, 13, 0xc3, 0xa9, 0xf0), fc.nat(255)), { maxLength: 60 }),
    fc.array(fc.nat(60), { maxLength: 5 }),
    fc.integer({ min: 1, max: 40 }),
  ),
  ([codes, cuts, maxBytes]) => {
    const bytes = Buffer.from(codes);
    const heard: (string | number)[] = [];
    const splitter = createLineSplitter({
      maxBytes,
      line: (text) => void heard.push(text),
      tooLong: (count) => void heard.push(count),
    });
    const borders = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
    for (const [i, from] of [0, ...borders].entries()) splitter.push(bytes.subarray(from, borders[i] ?? bytes.length));
    splitter.end();
    const whole = bytes.toString("latin1").split("\n");
    const wanted = whole.flatMap((line): (string | number)[] => {
      if (line.length > maxBytes) return [line.length];
      const text = Buffer.from(line, "latin1").toString("utf8").replace(/\r$/, "");
      return text === "" ? [] : [text];
    });
    if (JSON.stringify(heard) !== JSON.stringify(wanted)) throw new Error(`read ${JSON.stringify(heard)}`);
  },
);

const members: Target = plain("the text of a member", 2, fc.tuple(jsonText, jsonText), ([text, name]) => {
  const value = mayRefuse(
    (): unknown => JSON.parse(text),
    (error) => error instanceof SyntaxError,
  );
  if (value === undefined) return;
  const found = memberText(text, name);
  const names = typeof value === "object" && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
  if ((found !== null) !== names.includes(name)) throw new Error(`found ${found}`);
  for (const own of names) if (memberText(text, own) === null) throw new Error(`did not find ${own}`);
});

const allParsers = [...Object.values(parsers), ...Object.values(resultParsers)];

const contract: Target = plain("the parsers of the contract", 4, fc.tuple(fc.nat(), anyValue), ([which, value]) => {
  const parsed = allParsers[which % allParsers.length]?.(value);
  if (parsed === undefined) throw new Error("no parser");
  if (!parsed.ok && !(parsed.fault.path === "" || parsed.fault.path.startsWith("/")))
    throw new Error(parsed.fault.path);
});

const traversal: Traversal = {
  session: "s",
  endpoint: "turns",
  direction: "asc",
  mode: "browse",
  view: "summary",
  native: false,
  turn: null,
};
/** Anybody can work out the seal of a cursor. */
const digest = (text: string): string =>
  text
    .replaceAll(/[^a-z0-9]/gi, "x")
    .padEnd(32, "x")
    .slice(-40);
const forged = (payload: string): string => {
  const known = encodeCursor(traversal, { native: "n", revision: null }, digest);
  const encoded = Buffer.from(payload).toString("base64url");
  const [prefix = ""] = known.split(".");
  return `${prefix}.${digest(`codex-acp-kit history ${prefix}.${encoded}`).slice(0, 32)}.${encoded}`;
};

const isContractError = (error: unknown): boolean => error instanceof ContractError;

const texts: Target = plain("readers of texts", 4, fc.tuple(jsonText, anyValue), ([text, value]) => {
  commandOf([{ type: "text", text }]);
  commandOf([{ type: "text", text: `/plan ${text}` }]);
  questionReplies(text);
  contentOf([{ type: "text", text, text_elements: [] }]);
  mayRefuse(() => decodeCursor(text, traversal, digest), isContractError);
  mayRefuse(() => decodeCursor(forged(text), traversal, digest), isContractError);
  mayRefuse(() => placeOf(text), isContractError);
  for (const name of ["CODEX_CONFIG", "INITIAL_AGENT_MODE", "MODEL_PROVIDER"])
    mayRefuse(() => settingsFromEnv({ [name]: text }), isContractError);
  parseProcStat(text);
  parsePsLine(text);
  versionWarning(versionOfUserAgent(text));
  activeTurnId(text);
  listedMethods({ message: text });
  for (const data of [value, { type: value }, { codexErrorInfo: value }]) {
    const kind = codexErrorKind({ message: text, data });
    if (kind !== null && typeof kind !== "string") throw new Error(`an error of the kind ${typeof kind}`);
  }
  redactConfigEdits({ params: value });
  redactConfigEdits(value);
  const tail = stderrTail(100, () => undefined);
  tail.push(Buffer.from(text));
  if (tail.text().length > 100) throw new Error("a tail over its limit");
});

const receipts: Target = {
  name: "receipts on disk",
  share: 1,
  async run(numRuns, seed) {
    const property = fc.asyncProperty(jsonText, async (text) => {
      const files = receiptsInMemory();
      await files.write("/state/receipts/any.json", text);
      const store = createReceiptStore({ ...files, read: async () => text }, "/state");
      await store.lookup(["turn"]).catch((error: unknown) => {
        if (!(error instanceof Error)) throw error;
      });
      await store.forget("thread");
    });
    await fc.assert(property, { numRuns, seed });
    assertUnpolluted();
  },
};

const connection: Target = plain(
  "JSON-RPC with Codex",
  4,
  fc.array(messageText(fc.tuple(fc.constantFrom(...methodsOf(notifications, serverRequests)), jsonText)), {
    minLength: 1,
    maxLength: 3,
  }),
  (messages) => {
    const sent: unknown[] = [];
    const strays: string[] = [];
    const asked: (number | string)[] = [];
    let sink: TransportSink | undefined;
    let settled = 0;
    const end = { code: 0, signal: null, stderrTail: "" };
    const transport = {
      send: (frame: object) => void sent.push(frame),
      start: (to: TransportSink) => {
        sink = to;
      },
      pause: () => undefined,
      resume: () => undefined,
      stop: () => Promise.resolve(end),
    };
    const codex = createConnection(transport, {
      onNotification: () => undefined,
      onServerRequest: ({ id }) => void asked.push(id),
      onBatchEnd: () => undefined,
      onUnreadable: () => undefined,
      onLost: () => undefined,
      onStray: ({ kind }) => void strays.push(kind),
    });
    codex.call(requests.threadList, {}, () => {
      settled += 1;
    });
    for (const text of messages) {
      const frame = mayRefuse(
        (): unknown => JSON.parse(text),
        (error) => error instanceof SyntaxError,
      );
      sink?.frame(frame, text);
    }
    for (const id of asked) codex.respond(id, {});
    sink?.closed(end);
    if (settled !== 1) throw new Error(`a call was settled ${settled} times`);
    if (sent.length !== 1 + new Set(asked).size)
      throw new Error(`${asked.length} requests, ${sent.length - 1} answers`);
    if (strays.includes("handler-threw")) throw new Error("a handler threw");
  },
);

/** Lines in batches at one bridge, and a new bridge before its log of what went on grows. */
const wholeBridge = (
  name: string,
  share: number,
  line: fc.Arbitrary<string>,
  side: "fromHost" | "fromCodex",
): Target => ({
  name,
  share,
  async run(inputs, seed) {
    const batch = 25;
    const perBridge = 20;
    let bridge = await startFuzzedBridge();
    let used = 0;
    const property = fc.asyncProperty(fc.array(line, { minLength: batch, maxLength: batch }), async (list) => {
      used += 1;
      if (used % perBridge === 0) {
        await bridge.close();
        bridge = await startFuzzedBridge();
      }
      for (const text of list) bridge[side](text);
      await bridge.alive();
    });
    await fc.assert(property, { numRuns: Math.ceil(inputs / batch), seed, endOnFailure: true });
    await bridge.close();
    assertUnpolluted();
  },
});

const textOf = (value: unknown): string => JSON.stringify(value).replaceAll("\n", " ");

/** The thread of the session that is open. */
const knownThread = recorded(requests.threadStart).thread.id;

/** What stands beside right params here and there, with something that is nested deeply where the text breaks off. */
const besides = ['"_meta":', '"x":', '"prompt":[{"type":"image","data":"","mimeType":"x","_meta":{"a":'];

/**
 * Calls whose params are right, or have one member put wrong, and that are about the session that is open as often as
 * not.
 */
const callsOf = (
  table: Table,
  params: Readonly<Record<string, () => fc.Arbitrary<object>>>,
  session: string,
): fc.Arbitrary<Call> => {
  const rights = Object.entries(params).flatMap(([key, make]) => {
    const method = table[key]?.method;
    return method === undefined ? [] : [make().map((value) => [method, value] as const)];
  });
  return fc
    .tuple(
      fc.oneof(...rights),
      fc.boolean(),
      fc.option(fc.tuple(fc.nat(), anyValue), { freq: 2 }),
      fc.option(fc.tuple(fc.constantFrom(...besides), deep), { freq: 8 }),
    )
    .map(([[method, value], known, fault, more]) => {
      const names = Object.keys(value);
      const name = fault === null ? undefined : names[fault[0] % Math.max(1, names.length)];
      const text = textOf({
        ...value,
        ...(known && session in value ? { [session]: knownThread } : {}),
        ...(name === undefined ? {} : { [name]: fault?.[1] }),
      });
      if (more === null || text === "{}") return [method, text];
      const [before, nested] = more;
      return [method, `${text.slice(0, -1)},${before}${nested}${before.includes("[") ? "}}]" : ""}}`];
    });
};

const hostCalls = callsOf({ ...hostRequests, ...hostNotifications }, contractParams, "sessionId");
const codexCalls = callsOf(
  { ...notifications, ...serverRequests },
  { ...codexNotifications, ...codexServerRequests },
  "threadId",
);

export const targets: readonly Target[] = [
  lines,
  members,
  contract,
  texts,
  receipts,
  connection,
  wholeBridge("a bridge and its host", 3, messageText(hostCalls), "fromHost"),
  wholeBridge("a bridge and its Codex", 3, messageText(codexCalls), "fromCodex"),
];

/** Spreads `inputs` over all targets; tells of each when it is done. */
export async function fuzz(inputs: number, seed: number, done: (name: string, inputs: number) => void): Promise<void> {
  const shares = targets.reduce((sum, { share }) => sum + share, 0);
  for (const target of targets) {
    const part = Math.ceil((inputs * target.share) / shares);
    try {
      await target.run(part, seed);
    } catch (cause) {
      const why = cause instanceof Error && cause.cause instanceof Error ? cause.cause.stack : "";
      throw new Error(`${target.name} does not hold (seed ${seed}): ${why}\n${String(cause)}`, { cause });
    }
    done(target.name, part);
  }
}
