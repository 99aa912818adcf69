import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { useAccount } from '../account.ts'
import { useTyped } from '../ui/typed.ts'
import type { Found } from './found.ts'
import { addFind, readFinds } from './recent-finds.ts'
import { SOURCES } from './sources.ts'
import './palette.css'

const TEXT_LENGTH_MAX = 100

interface Group {
  name: string
  items: Found[]
}

/** “Find anything”: one field over screens, views, domains, companies, reviews, bulk jobs, the watchlist and the documentation. */
export function Palette({ onClose }: { onClose: () => void }) {
  const { data: account } = useAccount()
  const [, go] = useLocation()
  const [text, setText] = useState('')
  const { typed, setTyped } = useTyped(text, setText)
  const { groups, isSearching, isPartial } = useFound(text, account?.account_id ?? '')
  const items = groups.flatMap((group) => group.items)
  const [at, setAt] = useState(0)
  const active = Math.min(at, items.length - 1)
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = dialog.current
    if (element && !element.open) element.showModal()
    return () => element?.close()
  }, [])
  useEffect(() => {
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, active])
  const open = (found: Found | undefined) => {
    if (!found) return
    if (account) addFind(account.account_id, found)
    onClose()
    if (found.isOutside) location.assign(found.href)
    else go(found.href)
  }
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && items.length > 0) setAt((active + step + items.length) % items.length)
    else if (event.key === 'Enter') open(items[active])
    else return
    event.preventDefault()
  }
  return (
    <dialog
      ref={dialog}
      className="palette"
      aria-label="Find anything"
      onClose={() => dialog.current?.open || onClose()}
      // A click on the ground behind the dialog is one on the dialog itself.
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <div className="palette-inner">
        <input
          type="text"
          role="combobox"
          aria-label="Find anything"
          aria-expanded={items.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={items.length > 0 ? `${id}-${active}` : undefined}
          autoComplete="off"
          spellCheck={false}
          maxLength={TEXT_LENGTH_MAX}
          placeholder="A domain, a company, a view, a screen …"
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setAt(0)
          }}
          onKeyDown={press}
        />
        <div id={`${id}-list`} className="palette-list" role="listbox" aria-label="Results">
          {groups.map((group, index) => {
            const before = groups.slice(0, index).reduce((sum, one) => sum + one.items.length, 0)
            return (
              <div key={group.name} role="group" aria-label={group.name}>
                <p className="palette-group" aria-hidden="true">
                  {group.name}
                </p>
                {group.items.map((found, offset) => (
                  // The field has the focus and the keys; a pointer can click.
                  // biome-ignore lint/a11y/useFocusableInteractive: the field names the active option
                  // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys
                  <div
                    key={found.href + found.title}
                    id={`${id}-${before + offset}`}
                    className="palette-option"
                    role="option"
                    aria-selected={before + offset === active}
                    onClick={() => open(found)}
                    onMouseMove={() => setAt(before + offset)}
                  >
                    <span>{found.title}</span>
                    {found.detail && <span className="small soft">{found.detail}</span>}
                  </div>
                ))}
              </div>
            )
          })}
        </div>
        <p className="small soft" role="status">
          {describe({ isSearching, isPartial, count: items.length, text })}
        </p>
      </div>
    </dialog>
  )
}

function describe(state: { isSearching: boolean; isPartial: boolean; count: number; text: string }): string {
  if (state.isPartial) return 'Some results could not be loaded. Type again to retry.'
  if (state.isSearching) return 'Searching …'
  if (state.count === 0) return `Nothing found for “${state.text}”.`
  return '↑ ↓ choose, Enter opens, Esc closes'
}

/** Each source answers by itself: a slow or failing one keeps the others from nothing. */
function useFound(text: string, accountId: string) {
  const letters = text.trim().length
  const asked = SOURCES.filter(({ lettersMin }) => letters >= lettersMin)
  const answers = useQueries({
    queries: asked.map(({ name, find }) => ({
      queryKey: ['palette', name, text],
      queryFn: async ({ signal }: { signal: AbortSignal }) => find(text, signal),
      retry: false,
      placeholderData: keepPreviousData,
    })),
  })
  const recents: Group[] = letters === 0 ? [{ name: 'Recent', items: readFinds(accountId) }] : []
  const found = asked.map(({ name }, index): Group => ({ name, items: answers[index]?.data ?? [] }))
  return {
    groups: [...recents, ...found].filter(({ items }) => items.length > 0),
    isSearching: answers.some(({ isFetching }) => isFetching),
    isPartial: answers.some(({ isError }) => isError),
  }
}
