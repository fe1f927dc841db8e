import { afterEach, describe, expect } from "vitest";
import { hostRequests } from "../../src/generated/contract/methods.js";
import { message } from "../../src/testing/scripted-model/steps.js";
import { clause } from "../support/clause.js";
import { codexes } from "../support/codexes.js";
import { isUpdate } from "../support/host.js";
import { type RealBridge, startRealBridge } from "../support/real-bridge.js";

let bridge: RealBridge;

afterEach(() => bridge.close());

const ids = (result: unknown): string[] =>
  Object(result).sessions.map(({ sessionId }: { sessionId: string }) => sessionId);

describe.each(codexes)("Codex $version", (codex) => {
  clause(
    [
      "LIST-01",
      "LIST-02",
      "LIST-05",
      "LIST-06",
      "LIST-07",
      "LIST-08",
      "LIST-09",
      "LIST-10",
      "LIST-11",
      "SESS-17",
      "SESS-18",
      "SESS-19",
      "SESS-20",
      "SESS-21",
    ],
    "the real Codex lists, names, hides, shows and deletes sessions",
    async () => {
      bridge = await startRealBridge({ codex, git: true, scripts: [{ key: "TELL", steps: [message("Told.")] }] });
      const { host, home } = bridge;
      await host.request(hostRequests.initialize, {
        protocolVersion: 2,
        info: { name: "test", version: "0" },
        capabilities: {},
      });
      const told = async (cwd: string): Promise<string> => {
        const { sessionId } = await host.request(hostRequests.sessionNew, { cwd, mcpServers: [] });
        await host.request(hostRequests.sessionPrompt, { sessionId, prompt: [{ type: "text", text: "TELL me" }] });
        await host.idle(sessionId);
        return sessionId;
      };
      const one = await told(home.workspace);
      const two = await told(home.workspace);
      const other = await told(home.home);
      const list = (params: object = {}) => host.request(hostRequests.sessionList, params);
      const all = (params?: unknown) => host.call(hostRequests.codexSessionList.method, params);

      const here = await list({ cwd: home.workspace });
      expect(ids(here).sort()).toEqual([one, two].sort());
      expect(here.sessions.map(({ cwd }) => cwd)).toEqual([home.workspace, home.workspace]);
      expect(here.sessions[0]).toMatchObject({
        title: "TELL me",
        _meta: { codex: { archived: false, forkedFromId: null } },
      });
      for (const params of [undefined, null, {}]) {
        const result = await all(params);
        expect(ids(result).sort()).toEqual([one, two, other].sort());
        expect(result).not.toHaveProperty("nextCursor");
      }
      expect(Object(await all()).sessions).toEqual((await list()).sessions);
      expect(await all({ cursor: null })).toEqual(await list());
      expect(ids(await all({ cwd: home.home }))).toEqual([other]);

      await host.request(hostRequests.codexSessionRename, { sessionId: one, name: "Named" });
      await host.update(one, (it) => isUpdate("session_info_update")(it) && it.title === "Named");
      await host.request(hostRequests.sessionClose, { sessionId: two });
      const before = host.updates(two).length;
      await host.request(hostRequests.codexSessionRename, { sessionId: two, name: "Also named" });
      const titles = (await list({ cwd: home.workspace })).sessions.map(({ sessionId, title }) => [sessionId, title]);
      expect(new Map(titles as [string, string][])).toEqual(
        new Map([
          [one, "Named"],
          [two, "Also named"],
        ]),
      );
      expect(host.updates(two)).toHaveLength(before);

      expect(await host.request(hostRequests.codexSessionArchive, { sessionId: one })).toEqual({});
      expect(ids(await all()).sort()).toEqual([two, other].sort());
      const archived = await all({ _meta: { codex: { archived: true } } });
      expect(ids(archived)).toEqual([one]);
      expect(Object(archived).sessions[0]._meta.codex.archived).toBe(true);
      expect(await host.request(hostRequests.codexSessionUnarchive, { sessionId: one })).toEqual({});
      expect(ids(await all()).sort()).toEqual([one, two, other].sort());
      expect(ids(await all({ _meta: { codex: { archived: true } } }))).toEqual([]);

      for (const sessionId of [one, two, one])
        expect(await host.request(hostRequests.sessionDelete, { sessionId })).toEqual({});
      expect(ids(await all())).toEqual([other]);
      const resume = host.request(hostRequests.sessionResume, { sessionId: one, cwd: home.workspace, mcpServers: [] });
      await expect(resume).rejects.toMatchObject({ code: -32002 });
    },
  );
});
