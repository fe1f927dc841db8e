/**
 * The agent as a host starts it, against a plugin service that means no good. Nothing hangs, and a scan of all that the
 * run produced finds no credentials.
 */

import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import { requests } from "../../../src/generated/codex/methods.js";
import { agentNotifications, hostRequests } from "../../../src/generated/contract/methods.js";
import { type BridgeProcess, bundledAgent, startBridgeProcess } from "../../support/bridge.js";
import { clause } from "../../support/clause.js";
import { scratch } from "../../support/places.js";
import { type PluginService, redirectModule, startPluginService } from "../../support/plugin-service.js";
import { findSecrets } from "../../support/secret-scan.js";
import { initialize } from "../handshake/rig.js";
import { hostileAnswers } from "./hostile.js";
import { confirming, installed, signIn, tokens } from "./rig.js";

let folder: string;
let service: PluginService;
let bridge: BridgeProcess;

beforeEach(async () => {
  await mkdir(scratch, { recursive: true });
  folder = await mkdtemp(join(scratch, "plugins-"));
  service = await startPluginService();
  bridge = await startBridgeProcess({
    command: { ...bundledAgent, args: ["--import", redirectModule, ...bundledAgent.args] },
    env: { STAND_IN_SERVICE: `${service.port}`, APP_SERVER_LOGS: join(folder, "logs"), XDG_STATE_HOME: folder },
  });
  signIn(bridge.codex);
});
afterEach(() => rm(folder, { recursive: true, force: true }));
afterEach(() => service.close());

clause(
  ["PLUG-18", "PLUG-23", "PLUG-24", "PLUG-27", "PLUG-29"],
  "nothing that the service answers hangs the agent, or brings the credentials out",
  async () => {
    const { host, codex, agent, log, waits } = bridge;
    const id = "plugin-1";
    const enable = { pluginId: "a@b", enabled: true, remotePluginId: id };
    const set = () => host.call(hostRequests.codexPluginSetEnabled.method, enable);
    try {
      await initialize(bridge);
      for (const { name, answer, message } of hostileAnswers(id)) {
        const nth = service.calls.length;
        service.serve((response) => answer(response, service.calls[nth]?.headers.authorization ?? ""));
        await expect(set(), name).rejects.toMatchObject({ code: -32603, message });
        const call = service.calls[nth];
        expect(call, name).toMatchObject({
          origin: "https://eu.chatgpt.com",
          headers: { authorization: `Bearer ${tokens[0]}` },
        });
        await waits.within(`the agent to be done with ${name}`, call?.over ?? Promise.reject(new Error(name)));
        expect(service.calls, name).toHaveLength(nth + 1);
      }
      const nth = service.calls.length;
      const begun = new Promise<void>((resolve) => {
        service.serve((response) => void response.writeHead(200).write("{", () => resolve()));
      });
      const cancelled = expect(set()).rejects.toMatchObject({ code: -32800 });
      await begun;
      host.rawFrames({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: host.lastId } });
      await cancelled;
      expect(host.notifications(agentNotifications.codexSkillsChanged)).toEqual([]);
      // It goes on as if nothing had been.
      service.serve((response) =>
        service.calls.length === nth + 2 ? response.writeHead(401).end() : confirming(id, true)(response),
      );
      codex.on(requests.pluginInstalled, () => installed([id, true]));
      expect(await set()).toEqual({ enabled: true });
      expect(service.calls.at(-1)?.headers.authorization).toBe(`Bearer ${tokens[1]}`);
    } finally {
      await bridge.close();
    }
    const produced = { log, stderr: agent.stderr, folders: [folder] };
    expect(await findSecrets({ ...produced, secrets: tokens })).toEqual([]);
    // The scan would find them: what is no secret is there.
    expect(await findSecrets({ ...produced, secrets: [id] })).not.toEqual([]);
  },
);
