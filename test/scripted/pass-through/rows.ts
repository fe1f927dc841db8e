import { requests } from "../../../src/generated/codex/methods.js";
import { hostRequests } from "../../../src/generated/contract/methods.js";
import type { RequestDescriptor, ResultOf } from "../../../src/runtime/index.js";
import { recorded } from "../../../src/testing/scripted-codex/recorded.js";

type AnyRequest = RequestDescriptor<unknown, unknown>;

/** One pass-through as the contract has it (PASS-03 to PASS-14). */
export interface Row {
  readonly host: { readonly method: string };
  readonly codex: AnyRequest;
  readonly params: Readonly<Record<string, unknown>>;
  /** What Codex gets, where that is not `params`. */
  readonly forwarded?: unknown;
  /** Codex's answer. */
  readonly result: unknown;
  /** What the host gets, where that is not Codex's answer. */
  readonly returned?: unknown;
  /** True when a success tells of changed skills (PASS-09). */
  readonly changes: boolean;
}

/** Holds the answer of a row to the type of Codex's method. */
const row = <D extends AnyRequest>(
  host: Row["host"],
  codex: D,
  fields: { readonly result: ResultOf<D> } & Omit<Row, "host" | "codex" | "result">,
): Row => ({ host, codex, ...fields });

const market = { marketplaceName: "m", installedRoot: "/home/user/m" };
export const rows: readonly Row[] = [
  row(hostRequests.codexSkillsList, requests.skillsList, {
    params: { cwds: ["/home/user"], forceReload: true },
    result: recorded(requests.skillsList),
    changes: false,
  }),
  row(hostRequests.codexSkillsConfigWrite, requests.skillsConfigWrite, {
    params: { enabled: false, name: "s" },
    result: { effectiveEnabled: false },
    changes: true,
  }),
  row(hostRequests.codexPluginList, requests.pluginList, {
    params: { cwds: ["/home/user"] },
    result: { marketplaces: [] },
    changes: false,
  }),
  row(hostRequests.codexPluginInstalled, requests.pluginInstalled, {
    params: {},
    result: { marketplaces: [], marketplaceLoadErrors: [] },
    changes: false,
  }),
  row(hostRequests.codexPluginInstall, requests.pluginInstall, {
    params: { pluginName: "p", marketplacePath: "/home/user/m" },
    result: { appsNeedingAuth: [], authPolicy: "ON_INSTALL" },
    changes: true,
  }),
  row(hostRequests.codexPluginUninstall, requests.pluginUninstall, {
    params: { pluginId: "p@m" },
    result: {},
    returned: {},
    changes: true,
  }),
  row(hostRequests.codexMarketplaceAdd, requests.marketplaceAdd, {
    params: { source: "./m" },
    result: { ...market, alreadyAdded: false },
    changes: true,
  }),
  row(hostRequests.codexMarketplaceRemove, requests.marketplaceRemove, {
    params: { marketplaceName: "m" },
    result: market,
    returned: {},
    changes: true,
  }),
  row(hostRequests.codexMarketplaceUpgrade, requests.marketplaceUpgrade, {
    params: { marketplaceName: "m" },
    result: { errors: [], selectedMarketplaces: ["m"], upgradedRoots: ["/home/user/m"] },
    changes: true,
  }),
  row(hostRequests.codexAccountRead, requests.accountRead, {
    params: { refreshToken: true },
    forwarded: { refreshToken: false },
    result: recorded(requests.accountRead),
    changes: false,
  }),
  row(hostRequests.codexFuzzyFileSearch, requests.fuzzyFileSearch, {
    params: { query: "q", roots: ["/home/user"] },
    forwarded: { query: "q", roots: ["/home/user"], cancellationToken: null },
    result: {
      files: [
        { file_name: "q.ts", path: "q.ts", root: "/home/user", score: 3, indices: [0], match_type: "file" as const },
      ],
    },
    changes: false,
  }),
  row(hostRequests.codexRateLimits, requests.accountRateLimitsRead, {
    params: { anything: "else" },
    forwarded: undefined,
    result: {
      rateLimits: { limitId: "codex", primary: { usedPercent: 3, windowDurationMins: 300, resetsAt: 1_800_000_000 } },
    },
    changes: false,
  }),
  row(hostRequests.codexPluginRead, requests.pluginRead, {
    params: { pluginName: "p", marketplacePath: "/home/user/m" },
    result: {
      plugin: {
        appTemplates: [],
        apps: [],
        hooks: [],
        marketplaceName: "m",
        mcpServers: ["one"],
        skills: [],
        summary: {
          id: "p@m",
          name: "p",
          enabled: true,
          installed: true,
          authPolicy: "ON_USE",
          installPolicy: "AVAILABLE",
          source: { type: "remote" },
        },
      },
    },
    changes: false,
  }),
];
