import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect } from "vitest";
import { installedCodex } from "../../codegen/capture/native-binary.js";
import { createAgent } from "../../src/agent/create-agent.js";
import { settingsFromEnv } from "../../src/agent/settings.js";
import { startCodexProcess } from "../../src/codex/process-transport.js";
import type { CodexTransport } from "../../src/codex/transport.js";
import { requests } from "../../src/generated/codex/methods.js";
import { hostRequests } from "../../src/generated/contract/methods.js";
import { systemClock } from "../../src/runtime/clock.js";
import { createFrameLog } from "../../src/testing/frames.js";
import { type CodexHome, makeCodexHome } from "../../src/testing/real-codex.js";
import { type ScriptedModel, startScriptedModel } from "../../src/testing/scripted-model/server.js";
import { applyPatch, execCommand, message } from "../../src/testing/scripted-model/steps.js";
import { createStrictChecker } from "../../src/testing/strict.js";
import { createWaits } from "../../src/testing/waits.js";
import { clause } from "../support/clause.js";
import { createHost, isUpdate } from "../support/host.js";
import { createHostPipe } from "../support/host-pipe.js";
import { scratch } from "../support/places.js";
import { schemas } from "../support/schemas.js";
import { greet } from "../support/second-agent.js";

type Mode = "paginated" | "legacy";

let home: CodexHome;
let model: ScriptedModel;

afterEach(async () => {
  await model.close();
  await home.remove();
});

/** The real Codex, which starts its threads in `mode` whatever the bridge asks for. */
const inMode = (mode: Mode, codex: CodexTransport): CodexTransport => ({
  ...codex,
  send(frame) {
    const { method, params } = frame as { readonly method?: string; readonly params?: object };
    codex.send(method === requests.threadStart.method ? { ...frame, params: { ...params, historyMode: mode } } : frame);
  },
});

/** Ids by the order in which they come, and no times: what two runs have in common. */
function comparable(value: unknown): unknown {
  const ids = new Map<string, string>();
  const named = (id: string): string => {
    const name = ids.get(id) ?? `id-${ids.size}`;
    ids.set(id, name);
    return name;
  };
  const text = JSON.stringify(value)
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, named)
    .replaceAll(/\b(?:call|msg|resp|rs|ctc|fc)_\d+/g, named)
    .replaceAll(/"([A-Za-z]*(?:At|Ms)|turnDurationMs)":\d+/g, '"$1":0')
    .replaceAll(/(?:Chunk ID: \w+|Wall time: [\d.]+)/g, "");
  return JSON.parse(text);
}

/** One turn through the bridge: what the host is told, and what the model is asked. */
async function turnIn(mode: Mode) {
  await writeFile(join(home.workspace, "old.txt"), "one\ntwo\n");
  const log = createFrameLog();
  const waits = createWaits(log, 20_000);
  const checker = createStrictChecker({ log, schemas, onFault: (fault) => waits.fail(fault) });
  const { transport, wire } = createHostPipe(systemClock);
  const host = createHost(wire, log, waits);
  const codex = () =>
    inMode(mode, startCodexProcess({ command: installedCodex(), args: ["app-server"], env: home.env }));
  const settings = settingsFromEnv({ INITIAL_AGENT_MODE: "agent-full-access" });
  const { closed } = createAgent({ codex, settings, clock: systemClock }).connect(transport);
  const asked = model.requests.length;
  await greet(host);
  const { sessionId } = await host.request(hostRequests.sessionNew, { cwd: home.workspace, mcpServers: [] });
  // They come when the skills have been read, which is no matter of the turn.
  await host.update(sessionId, isUpdate("available_commands_update"));
  await host.request(hostRequests.sessionPrompt, { sessionId, prompt: [{ type: "text", text: "CLEAN up" }] });
  await host.idle(sessionId);
  const updates = host.updates(sessionId);
  host.close();
  await closed;
  checker.assertClean();
  const [file] = (await readdir(join(home.codexHome, "sessions"), { recursive: true })).filter((name) =>
    name.endsWith(`${sessionId}.jsonl`),
  );
  const [header = ""] = (await readFile(join(home.codexHome, "sessions", file ?? ""), "utf8")).split("\n");
  return {
    header: JSON.parse(header),
    updates: comparable(updates),
    inputs: comparable(model.requests.slice(asked).map(({ body }) => Object(body).input)),
  };
}

clause(
  ["ROLL-05"],
  "how Codex keeps a thread changes neither what the host is told nor what the model sees",
  async () => {
    const steps = [
      [message({ text: "First this.", phase: "commentary" }), execCommand("echo words")],
      applyPatch("*** Begin Patch\n*** Delete File: old.txt\n*** End Patch\n"),
      message({ text: "Cleaned.", phase: "final_answer" }),
    ];
    model = await startScriptedModel({ scripts: [{ key: "CLEAN", steps }] });
    home = await makeCodexHome({ under: scratch, modelUrl: model.url, git: true });
    const paginated = await turnIn("paginated");
    const legacy = await turnIn("legacy");
    // The two are kept in different ways.
    expect(paginated.header).toHaveProperty("ordinal");
    expect(legacy.header).not.toHaveProperty("ordinal");
    expect(legacy.updates).toEqual(paginated.updates);
    expect(legacy.inputs).toEqual(paginated.inputs);
    expect(JSON.stringify(paginated.updates)).toContain("-two");
    expect(JSON.stringify(paginated.inputs)).toContain("Exit code: 0");
  },
  60_000,
);
