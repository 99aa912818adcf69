import { type KeyboardEvent, useId, useState } from 'react'
import { useEnvironment } from '../../account.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Card } from '../../ui/parts.tsx'
import { Snippet } from '../../ui/snippet.tsx'
import { AGENTS, type Agent } from './agents.ts'

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
  const id = useId()
  const step = (event: KeyboardEvent<HTMLDivElement>) => {
    const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (way === undefined) return
    const next = (chosen + way + AGENTS.length) % AGENTS.length
    setChosen(next)
    event.currentTarget.querySelectorAll('button')[next]?.focus()
  }
  return (
    <div className="stack-small">
      <div className="tabs" role="tablist" aria-label="Programs" onKeyDown={step}>
        {AGENTS.map(({ name }, index) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-tab-${index}`}
            aria-selected={index === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={index === chosen ? 0 : -1}
            onClick={() => setChosen(index)}
          >
            {name}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-tab-${chosen}`}>
        {AGENTS[chosen] && <AgentSteps agent={AGENTS[chosen]} mcpUrl={mcpUrl} />}
      </div>
    </div>
  )
}

function AgentSteps({ agent, mcpUrl }: { agent: Agent; mcpUrl: string }) {
  return (
    <div className="stack-small">
      <p>{agent.says}</p>
      <Snippet text={agent.textFor(mcpUrl)} what={agent.what} />
    </div>
  )
}
