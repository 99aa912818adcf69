/** The setup instructions for one program. */
export interface Agent {
  name: string
  says: string
  /** Completes "Copy …". */
  what: string
  textFor: (mcpUrl: string) => string
}

const asJson = (value: object) => JSON.stringify(value, null, 2)

export const AGENTS: readonly Agent[] = [
  {
    name: 'Claude Code',
    says: 'Run this once, then type /mcp in Claude Code to sign in and approve it.',
    what: 'the Claude Code command',
    textFor: (url) => `claude mcp add --transport http nameplate ${url}`,
  },
  {
    name: 'Claude',
    says: 'Settings, Connectors, Add custom connector. Give it the name Nameplate and this address, then Connect.',
    what: 'the address for Claude',
    textFor: (url) => url,
  },
  {
    name: 'ChatGPT',
    says: 'Turn on developer mode in the settings of connectors, then create one with this address and OAuth.',
    what: 'the address for ChatGPT',
    textFor: (url) => url,
  },
  {
    name: 'Cursor',
    says: 'Put this into .cursor/mcp.json of a project, or ~/.cursor/mcp.json for all, then press Connect in its settings.',
    what: 'the Cursor configuration',
    textFor: (url) => asJson({ mcpServers: { nameplate: { url } } }),
  },
  {
    name: 'VS Code',
    says: 'Put this into .vscode/mcp.json and press Start above it.',
    what: 'the VS Code configuration',
    textFor: (url) => asJson({ servers: { nameplate: { type: 'http', url } } }),
  },
  {
    name: 'With a key',
    says: 'A program that cannot sign in sends your API key instead. It then has no daily cap.',
    what: 'the command with a key',
    textFor: (url) => `claude mcp add --transport http nameplate ${url} --header "X-API-Key: $NAMEPLATE_API_KEY"`,
  },
]
