import { requests } from "../../../src/generated/codex/methods.js";
import type { Model, SandboxPolicy } from "../../../src/generated/codex/types.js";
import { hostRequests } from "../../../src/generated/contract/methods.js";
import { recorded } from "../../../src/testing/scripted-codex/recorded.js";
import type { Bridge } from "../../support/bridge.js";
import { startBridge } from "../../support/bridge-agent.js";

const [sample] = recorded(requests.modelList).data;
if (!sample) throw new Error("the recording has no model");

/** A model of the catalog, with what a test needs of it. */
export const model = (fields: Partial<Model> & { readonly id: string }): Model => ({
  ...sample,
  model: fields.id,
  displayName: fields.id,
  hidden: false,
  isDefault: false,
  serviceTiers: [],
  additionalSpeedTiers: [],
  ...fields,
});

export const efforts = (...names: string[]): Model["supportedReasoningEfforts"] =>
  names.map((reasoningEffort) => ({ reasoningEffort, description: reasoningEffort }));

export const fast: NonNullable<Model["serviceTiers"]> = [{ id: "priority", name: "Fast", description: "Faster" }];

export const workspace: SandboxPolicy = {
  type: "workspaceWrite",
  writableRoots: [],
  networkAccess: false,
  excludeTmpdirEnvVar: false,
  excludeSlashTmp: false,
};

export interface ConfigRig {
  readonly bridge: Bridge;
  /** Opens a session that Codex starts on `current`. */
  open(current: string, effort?: string | null): Promise<{ sessionId: string; options: Option[] }>;
  set(sessionId: string, configId: string, value: string | boolean): Promise<Option[]>;
}

/** A config option as far as the tests read it. */
export interface Option {
  readonly configId: string;
  readonly category?: string;
  readonly type: string;
  readonly currentValue: unknown;
  readonly options?: readonly { readonly value: string }[];
}

export const option = (options: readonly Option[], configId: string): Option | undefined =>
  options.find((it) => it.configId === configId);

export const values = (it: Option | undefined): string[] => (it?.options ?? []).map(({ value }) => value);

export async function startConfig(models: readonly Model[]): Promise<ConfigRig> {
  const bridge = startBridge();
  const { host, codex } = bridge;
  codex.on(requests.modelList, () => ({ data: [...models], nextCursor: null }));
  await host.request(hostRequests.initialize, {
    protocolVersion: 2,
    info: { name: "test", version: "0" },
    capabilities: {},
  });
  let opened = 0;
  return {
    bridge,
    async open(current, effort = null) {
      opened += 1;
      const id = `thread-${opened}`;
      codex.on(requests.threadStart, () => {
        const answer = recorded(requests.threadStart);
        return {
          ...answer,
          model: current,
          reasoningEffort: effort,
          approvalPolicy: "on-request" as const,
          sandbox: workspace,
          thread: { ...answer.thread, id, sessionId: id },
        };
      });
      const result = await host.request(hostRequests.sessionNew, { cwd: "/home/user/project", mcpServers: [] });
      return { sessionId: result.sessionId, options: (result.configOptions ?? []) as Option[] };
    },
    async set(sessionId, configId, value) {
      const params =
        typeof value === "boolean"
          ? { sessionId, configId, type: "boolean" as const, value }
          : { sessionId, configId, type: "id" as const, value };
      const result = await host.request(hostRequests.sessionSetConfigOption, params);
      return result.configOptions as Option[];
    },
  };
}
