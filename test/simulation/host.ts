import type fc from "fast-check";
import { passThrough } from "../../src/generated/agent/pass-through.js";
import { agentRequests, hostNotifications, hostRequests } from "../../src/generated/contract/methods.js";
import { contractParams } from "../../src/generated/testing/arbitraries.js";
import { contractDefinitions } from "../../src/generated/testing/contract-schemas.js";
import { hostileJson, mutationsOf } from "../../src/testing/schema/index.js";
import { send, type World } from "./world.js";

type Step = (world: World) => void | Promise<void>;

const cwd = "/home/user/project";

/** Somebody who answers, or does not; in time or late; with what was asked, with something else, or twice. */
export function answerQuestions(world: World): void {
  const { host } = world.bridge;
  const give = <T>(id: string | number, value: T): T | Promise<T> => {
    const { dice, later } = world;
    switch (world.calm ? 9 : dice.choose(10)) {
      case 0:
        return new Promise<T>(() => undefined);
      case 1:
      case 2:
        return new Promise<T>((resolve) => later.push(() => resolve(value)));
      case 3:
        host.rawFrames({ jsonrpc: "2.0", id, result: dice.draw(hostileJson) });
        return new Promise<T>(() => undefined);
      case 4:
        later.push(() => host.rawFrames({ jsonrpc: "2.0", id, result: value }));
        return value;
      default:
        return value;
    }
  };
  host.on(agentRequests.requestPermission, ({ options }, id) => {
    const { dice } = world;
    const option = dice.pick(options);
    if (option === undefined || dice.oneIn(5)) return give(id, { outcome: { outcome: "cancelled" } });
    return give(id, { outcome: { outcome: "selected", optionId: dice.oneIn(8) ? "nonsense" : option.optionId } });
  });
  host.on(agentRequests.elicitationCreate, (_params, id) => {
    const action = world.dice.pick(["accept", "decline", "cancel"] as const);
    return give(id, action === "accept" ? { action, content: {} } : { action });
  });
  host.on(agentRequests.toolCall, (_params, id) =>
    give(id, { success: world.dice.oneIn(2), contentItems: [{ type: "text" as const, text: "done" }] }),
  );
}

const session = ({ dice, sessions }: World): string => dice.pick([...sessions]) ?? "nobody";

async function opening(world: World, method: string, params: object): Promise<void> {
  const result = await send(world, method, { cwd, mcpServers: [], ...params });
  const { sessionId } = { sessionId: null, ...Object(result) };
  if (typeof sessionId === "string") world.sessions.add(sessionId);
}

export const openSession: Step = (world) => {
  if (world.sessions.size < 4) void opening(world, hostRequests.sessionNew.method, {});
};

const blocks = [
  { type: "text", text: "go" },
  { type: "image", data: "AAAA", mimeType: "image/png" },
  { type: "resource_link", name: "notes.md", uri: "file:///home/user/project/notes.md" },
  { type: "resource", resource: { uri: "file:///home/user/a.txt", text: "some text" } },
] as const;

const words = ["go", "/compact", "/review", "/plan think", "/status", "/nothing", "two\nlines"] as const;

export const prompt: Step = (world) => {
  const { dice } = world;
  const first = { type: "text", text: dice.oneIn(3) ? dice.pick(words) : "go" } as const;
  const content = dice.oneIn(4) ? [dice.pick(blocks), dice.pick(blocks)] : [first];
  void send(world, hostRequests.sessionPrompt.method, { sessionId: session(world), prompt: content });
};

export const cancel: Step = (world) =>
  world.bridge.host.notify(hostNotifications.sessionCancel, { sessionId: session(world) });

export const close: Step = (world) => {
  void send(world, hostRequests.sessionClose.method, { sessionId: session(world) });
};

/** Opens what is open already, or was: the session is made anew. */
export const reopen: Step = (world) => {
  const { dice } = world;
  const sessionId = session(world);
  if (dice.oneIn(3)) void opening(world, hostRequests.sessionFork.method, { sessionId });
  else {
    const replayFrom = dice.oneIn(2) ? { replayFrom: { type: "start" } } : {};
    void opening(world, hostRequests.sessionResume.method, { sessionId, ...replayFrom });
  }
};

/** Made once: an arbitrary of a large schema is slow to build. */
const made = new Map<Name, fc.Arbitrary<object>>();
function paramsOf(name: Name): fc.Arbitrary<object> {
  const arbitrary = made.get(name) ?? (contractParams[name] as () => fc.Arbitrary<object>)();
  made.set(name, arbitrary);
  return arbitrary;
}

type Name = keyof typeof contractParams & keyof typeof hostRequests;
/** Those go to Codex as they are, right or wrong (PASS-01): its own answer is all there would be to see. */
const passedOn = Object.keys(passThrough({ request: () => Promise.reject(new Error("nobody")) }, () => undefined));
const names = Object.keys(hostRequests).filter(
  (name): name is Name => Object.hasOwn(contractParams, name) && !passedOn.includes(name),
) as [Name];
/** A prompt is shown again as the host wrote it, with members that nobody knows: `prompt` sends those on schema. */
const asked = names.filter((name) => name !== "sessionPrompt") as [Name];

const aimAt = (world: World, params: object): object =>
  "sessionId" in params && !world.dice.oneIn(5) ? { ...params, sessionId: session(world) } : params;

/** Any request of the contract, on schema. */
export const anyRequest: Step = (world) => {
  const name = world.dice.pick(asked);
  const params = world.dice.draw(paramsOf(name));
  void send(world, hostRequests[name].method, aimAt(world, JSON.parse(JSON.stringify(params))));
};

/** Any request with one fault in its params, or with anything at all for params. */
export const badRequest: Step = (world) => {
  const { dice } = world;
  const name = dice.pick(names);
  const { method } = hostRequests[name];
  if (dice.oneIn(3)) {
    void send(world, dice.oneIn(2) ? method : "session/nothing", dice.draw(hostileJson));
    return;
  }
  const definition = `${name.charAt(0).toUpperCase()}${name.slice(1)}Params`;
  const document = { schema: { $ref: `#/definitions/${definition}` }, definitions: contractDefinitions };
  const right: unknown = JSON.parse(JSON.stringify(dice.draw(paramsOf(name))));
  const mutation = dice.pick(mutationsOf(document, right));
  void send(world, method, mutation === undefined ? right : mutation.value);
};

const lines = ["", "{", "[]", "null", '"text"', "{}", '{"jsonrpc":"2.0"}', '{"jsonrpc":"1.0","method":"x"}'] as const;

/** A line that is no frame. */
export const badLine: Step = (world) => {
  world.garbage.host += 1;
  world.bridge.host.raw(world.dice.pick(lines));
};

/** Takes a request back, open or not. */
export const takeBack: Step = (world) => {
  const requestId = world.dice.pick([...world.open.keys()]) ?? 4711;
  world.bridge.host.rawFrames({
    jsonrpc: "2.0",
    method: hostNotifications.cancelRequest.method,
    params: { requestId },
  });
};

export const stopReading: Step = (world) => world.bridge.hostReads(false);
export const readOn: Step = (world) => world.bridge.hostReads(true);
