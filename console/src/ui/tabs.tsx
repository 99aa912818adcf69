import { type KeyboardEvent, type ReactNode, useId, useState } from 'react'

export interface Tab {
  name: string
  /** Beside the name: how many there are. */
  note?: ReactNode
  content: ReactNode
}

/** Tabs with the keys that people expect: arrows between them, Home and End. A panel that was opened keeps its state. */
export function Tabs({ label, tabs, chosen, onChoose }: TabsProps) {
  const id = useId()
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set())
  if (!opened.has(chosen)) setOpened(new Set([...opened, chosen]))
  const step = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const next = nextOf(event.key, chosen, tabs.length)
    if (next === null) return
    event.preventDefault()
    onChoose(next)
    event.currentTarget.querySelectorAll('button')[next]?.focus()
  }
  return (
    <div className="stack">
      <div className="tabs" role="tablist" aria-label={label} onKeyDown={step}>
        {tabs.map(({ name, note }, index) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-tab-${index}`}
            aria-selected={index === chosen}
            aria-controls={opened.has(index) ? `${id}-panel-${index}` : undefined}
            tabIndex={index === chosen ? 0 : -1}
            onClick={() => onChoose(index)}
          >
            {name}
            {note !== undefined && <span className="tab-note">{note}</span>}
          </button>
        ))}
      </div>
      {tabs.map(
        ({ name, content }, index) =>
          opened.has(index) && (
            <div
              key={name}
              id={`${id}-panel-${index}`}
              role="tabpanel"
              aria-labelledby={`${id}-tab-${index}`}
              hidden={index !== chosen}
            >
              {content}
            </div>
          ),
      )}
    </div>
  )
}

function nextOf(key: string, chosen: number, count: number): number | null {
  if (key === 'ArrowRight') return (chosen + 1) % count
  if (key === 'ArrowLeft') return (chosen - 1 + count) % count
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : null
}

interface TabsProps {
  label: string
  tabs: readonly Tab[]
  chosen: number
  onChoose: (index: number) => void
}
