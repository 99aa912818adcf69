import { useState } from 'react'
import { useEnvironment } from '../../account.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Card } from '../../ui/parts.tsx'
import { Snippet } from '../../ui/snippet.tsx'
import { Tabs } from '../../ui/tabs.tsx'

export function AgentSetup() {
  const environment = useEnvironment()
  return (
    <Card title="Connect an agent">
      <Loaded query={environment} what="the agent address">
        {({ mcp_url: mcpUrl }) => (
          <div className="stack">
            <p className="soft">
              Add this address as an MCP connector. The program sends you here to approve it, and you set how many
              credits it can spend per day. It does not need an API key.
            </p>
            <Snippet text={mcpUrl} what="the agent address" />
            <AgentTabs mcpUrl={mcpUrl} />
          </div>
        )}
      </Loaded>
    </Card>
  )
}

function AgentTabs({ mcpUrl }: { mcpUrl: string }) {
  const [chosen, setChosen] = useState(0)
  const tabs = AGENTS.map((agent) => ({ name: agent.name, content: <AgentSteps agent={agent} mcpUrl={mcpUrl} /> }))
  return <Tabs label="Programs" tabs={tabs} chosen={chosen} onChoose={setChosen} />
}

function AgentSteps({ agent, mcpUrl }: { agent: Agent; mcpUrl: string }) {
  return (
    <div className="stack-small">
      <p>{agent.says}</p>
      <Snippet text={agent.textFor(mcpUrl)} what={agent.what} />
    </div>
  )
}

/** The setup instructions for one program. */
interface Agent {
  name: string
  says: string
  /** Completes "Copy …". */
  what: string
  textFor: (mcpUrl: string) => string
}

const asJson = (value: object) => JSON.stringify(value, null, 2)

const AGENTS: readonly Agent[] = [
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
