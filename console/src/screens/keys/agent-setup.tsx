import { type KeyboardEvent, useId, useState } from 'react'
import { useSurroundings } from '../../account.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Card } from '../../ui/parts.tsx'
import { Snippet } from '../../ui/snippet.tsx'
import { AGENTS, type Agent } from './agents.ts'

export function AgentSetup() {
  const surroundings = useSurroundings()
  return (
    <Card title="Use it from an agent">
      <Loaded query={surroundings} what="the agent address">
        {({ mcp_url: mcpUrl }) => (
          <div className="stack">
            <p className="soft">
              Add this address as a connector (MCP). The program sends you here to allow it, and you set what it may
              spend in a day. No key is handed out.
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
        {AGENTS.map(({ name }, place) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-tab-${place}`}
            aria-selected={place === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={place === chosen ? 0 : -1}
            onClick={() => setChosen(place)}
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
