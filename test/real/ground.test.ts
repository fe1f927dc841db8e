import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { installedCodex } from "../../codegen/capture/native-binary.js";
import { startCodexProcess } from "../../src/codex/process-transport.js";
import { createFrameLog } from "../../src/testing/frames.js";
import { loggedTransport } from "../../src/testing/logged-transport.js";
import { type CodexHome, makeCodexHome } from "../../src/testing/real-codex.js";
import { type ScriptedModel, startScriptedModel } from "../../src/testing/scripted-model/server.js";
import { applyPatch, execCommand, httpError, message, reasoning } from "../../src/testing/scripted-model/steps.js";
import { createStrictChecker } from "../../src/testing/strict.js";
import { createWaits } from "../../src/testing/waits.js";
import { type CodexUser, connectUser, handshake } from "../support/codex-rig.js";
import { scratch } from "../support/places.js";
import { schemas } from "../support/schemas.js";

const ends: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function start(scripts: Parameters<typeof startScriptedModel>[0]["scripts"]) {
  const model: ScriptedModel = await startScriptedModel({ scripts });
  ends.push(() => model.close());
  const home: CodexHome = await makeCodexHome({
    under: scratch,
    modelUrl: model.url,
    git: true,
    files: { "old.txt": "old\n" },
  });
  ends.push(() => home.remove());
  const log = createFrameLog();
  const waits = createWaits(log, 20_000);
  const checker = createStrictChecker({ log, schemas, onFault: (fault) => waits.fail(fault) });
  const transport = startCodexProcess({ command: installedCodex(), args: ["app-server"], env: home.env });
  const user: CodexUser = connectUser(loggedTransport(transport, log));
  ends.push(() => user.connection.stop());
  await handshake(user);
  const { thread } = await user.client.threadStart({
    cwd: home.workspace,
    approvalPolicy: "never",
    sandbox: "danger-full-access",
  });
  const turn = async (text: string): Promise<unknown> => {
    const before = user.told.filter(({ method }) => method === "turn/completed").length;
    await user.client.turnStart({ threadId: thread.id, input: [{ type: "text", text, text_elements: [] }] });
    return waits.until(
      "turn/completed",
      () => user.told.filter(({ method }) => method === "turn/completed")[before]?.params,
    );
  };
  return { model, home, user, checker, turn };
}

test("a real turn runs on the scripted model, with every frame on schema", async () => {
  const patch = ["*** Begin Patch", "*** Add File: new.txt", "+new", "*** Delete File: old.txt", "*** End Patch"];
  const { model, home, user, checker, turn } = await start([
    {
      key: "WORK",
      steps: [
        [reasoning(["I think."]), message({ text: "First a command.", phase: "commentary" }), execCommand("echo one")],
        applyPatch(patch.join("\n")),
        message("All done."),
      ],
    },
  ]);
  expect(await turn("WORK")).toMatchObject({ turn: { status: "completed", items: [{ text: "All done." }] } });
  expect(await readFile(join(home.workspace, "new.txt"), "utf8")).toBe("new\n");
  expect(existsSync(join(home.workspace, "old.txt"))).toBe(false);
  expect(model.requests.map(({ key, step }) => `${key} ${step}`)).toEqual(["WORK 0", "WORK 1", "WORK 2"]);
  const items = user.told
    .filter(({ method }) => method === "item/completed")
    .map(({ params }) => (params as { item: { type: string } }).item.type);
  expect(items).toEqual(["userMessage", "reasoning", "agentMessage", "commandExecution", "fileChange", "agentMessage"]);
  checker.assertClean();
}, 60_000);

test("an error of the model ends the turn as failed", async () => {
  const { checker, turn } = await start([
    { key: "FAIL", steps: [httpError(400, { error: { code: "context_length_exceeded", message: "too long" } })] },
  ]);
  expect(await turn("FAIL")).toMatchObject({
    turn: { status: "failed", error: { codexErrorInfo: "contextWindowExceeded" } },
  });
  checker.assertClean();
}, 60_000);
