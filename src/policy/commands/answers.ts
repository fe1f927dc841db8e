import type { RateLimitWindow, SkillMetadata } from "../../generated/codex/types.js";
import type { SlashCommandName } from "../../generated/contract/tables.js";
import type { OpenSession, Services } from "../services.js";

type Answer = (services: Services, session: OpenSession) => Promise<string>;

const list = (title: string, rows: readonly string[], none: string): string =>
  rows.length === 0 ? none : [`**${title}**`, "", ...rows.map((row) => `- ${row}`)].join("\n");

/** What the bridge says to a command by itself, as Markdown. Codex's history does not have it (R-19). */
const answers: { readonly [Name in SlashCommandName]?: Answer } = {
  async status(services, session) {
    const { wanted } = session.settings;
    const client = await services.codex.ready();
    const { account } = await client.accountRead({ refreshToken: false });
    // Limits exist for ChatGPT accounts only; for all others Codex refuses.
    const limits = await client.accountRateLimitsRead().catch(() => null);
    const windows = limits === null ? [] : [limits.rateLimits.primary, limits.rateLimits.secondary];
    return list(
      "Status",
      [
        `Session: ${session.id}`,
        `Folder: ${session.state.cwd}`,
        `Model: ${wanted.model}${wanted.effort === null ? "" : ` (${wanted.effort})`}${wanted.fast ? ", fast" : ""}`,
        `Mode: ${wanted.mode}${wanted.collaboration === "plan" ? ", planning" : ""}`,
        `Account: ${account == null ? "none" : account.type}`,
        ...windows.flatMap((window) => (window == null ? [] : [limit(window)])),
      ],
      "",
    );
  },
  async mcp(services, session) {
    const client = await services.codex.ready();
    const { data } = await client.mcpServerStatusList({ threadId: session.id });
    const rows = data.map(({ name, tools }) => `${name}: ${Object.keys(tools).sort().join(", ") || "no tools"}`);
    return list("MCP servers", rows, "No MCP servers are configured.");
  },
  async skills(services, session) {
    const skills: readonly SkillMetadata[] = await services.skills.list(session.state.cwd);
    const rows = skills.map((skill) => `\`$${skill.name}\`: ${skill.shortDescription ?? skill.description}`);
    return list("Skills", rows, "There are no skills here.");
  },
  async logout(services) {
    const client = await services.codex.ready();
    await client.accountLogout();
    return "Signed out of Codex.";
  },
  plan: async () => "Plan mode is on. The next prompt makes a plan; nothing is changed before it is approved.",
  "review-branch": async () => "Which branch should the changes be compared with? For example `/review-branch main`.",
  "review-commit": async () => "Which commit should be reviewed? For example `/review-commit HEAD`.",
};

const limit = ({ usedPercent, windowDurationMins }: RateLimitWindow): string =>
  `Limit${windowDurationMins == null ? "" : ` of ${Math.round(windowDurationMins / 60)} h`}: ${Math.round(usedPercent)} % used`;

export function answerCommand(services: Services, session: OpenSession, command: SlashCommandName): Promise<string> {
  const answer = answers[command];
  return answer ? answer(services, session) : Promise.reject(new Error(`/${command} is carried out by Codex`));
}
