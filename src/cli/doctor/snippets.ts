/** The command that starts the agent, as a host's settings need it: absolute paths, since editors often lack a PATH. */
export interface AgentCommand {
  readonly command: string;
  readonly args: readonly string[];
}

export interface Snippet {
  /** Where it goes. */
  readonly place: string;
  readonly text: string;
}

const name = "Codex (codex-acp-kit)";
const json = (value: unknown): string => JSON.stringify(value, null, 2);

/** A Lua string or list with the same text as the JSON one: JSON's escapes of these values are valid Lua. */
const lua = (value: string | readonly string[]): string =>
  typeof value === "string" ? JSON.stringify(value) : `{ ${value.map((one) => JSON.stringify(one)).join(", ")} }`;

const snippets = {
  zed: ({ command, args }: AgentCommand): Snippet => ({
    place: "Zed, settings.json",
    text: json({ agent_servers: { [name]: { type: "custom", command, args, env: {} } } }),
  }),
  jetbrains: ({ command, args }: AgentCommand): Snippet => ({
    place: "JetBrains AI Assistant, ~/.jetbrains/acp.json",
    text: json({ agent_servers: { [name]: { command, args, env: {} } } }),
  }),
  neovim: ({ command, args }: AgentCommand): Snippet => ({
    place: "Neovim, init.lua (one of the two plugins)",
    // Its Codex adapter signs in before each chat, which would open a page or ask for a key also where Codex is signed in.
    text: `-- codecompanion.nvim
require("codecompanion").setup({
  adapters = {
    acp = {
      codex_acp_kit = function()
        return require("codecompanion.adapters").extend("codex", {
          commands = { default = ${lua([command, ...args])} },
          -- sign in once with \`codex login\`
          handlers = { auth = function() return true end },
        })
      end,
    },
  },
})

-- avante.nvim
require("avante").setup({
  provider = "codex-acp-kit",
  acp_providers = {
    ["codex-acp-kit"] = { command = ${lua(command)}, args = ${lua(args)} },
  },
})`,
  }),
  json: ({ command, args }: AgentCommand): Snippet => ({
    place: "any other host",
    text: json({ name, command, args, env: {} }),
  }),
} as const;

export type HostName = keyof typeof snippets;

export const hostNames = Object.keys(snippets);

export const isHostName = (value: string): value is HostName => value in snippets;

/** The settings that make `host` run the agent. */
export const snippetFor = (host: HostName, agent: AgentCommand): Snippet => snippets[host](agent);
