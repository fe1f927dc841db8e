// Type-checked against the installed package, with the checks of declaration files on: each export must stand alone.
import { type AgentOptions, createAgent, defaultPolicies, type Policies, startCodexAhead } from "codex-acp-kit";
import {
  type CodexClient,
  type CodexTypes,
  type ReadyCodex,
  type StartCodexOptions,
  startCodex,
} from "codex-acp-kit/codex";
import { type ContractTypes, errorCodes, hostRequests, type Parsed, parsers } from "codex-acp-kit/contract";
import {
  createVirtualClock,
  type hostDriver,
  modelSteps,
  type ScriptedModel,
  startScriptedModel,
} from "codex-acp-kit/testing";

const options: StartCodexOptions = { onNotification: ({ method }) => void method.length };
export const models = async (): Promise<CodexTypes.ModelListResponse> => {
  const codex: ReadyCodex = await startCodex(options);
  const client: CodexClient = codex.client;
  return client.modelList({ limit: 1 });
};
// @ts-expect-error A misspelt member of a Codex request does not compile.
export const misspelt = (client: CodexClient) => client.modelList({ limits: 1 });

export const parsed: Parsed<ContractTypes.SessionPromptParams> = parsers.sessionPrompt({});
export const code: -32000 = errorCodes.auth_required;
export const method: string = hostRequests.sessionNew.method;

export const now: number = createVirtualClock().now();
export const seen: hostDriver.Instructions["prompt"]["result"] = { accepted: true };
export const model = (): Promise<ScriptedModel> =>
  startScriptedModel({ scripts: [{ key: "", steps: [modelSteps.message("Hello")] }] });

const policies: Partial<Policies> = {
  prompt: (services, find) => {
    const prompt = defaultPolicies.prompt(services, find);
    return { ...prompt, sessionPrompt: (params, context) => prompt.sessionPrompt(params, context) };
  },
};
export const agentOptions = (): AgentOptions => ({ codex: startCodexAhead().start, policies });
export const agent = () => createAgent(agentOptions());
// @ts-expect-error A module for an area that the contract does not have does not compile.
export const strange: Partial<Policies> = { weather: defaultPolicies.prompt };
