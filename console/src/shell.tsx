import { Fragment, lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useAccount, useEnvironment } from './account.ts'
import { forgetFinds } from './palette/recent-finds.ts'
import { forgetRecents } from './screens/resolve/recents.ts'
import { isWithin, SCREENS, type Screen } from './screens.tsx'
import { Dialog } from './ui/dialog.tsx'
import { Icon } from './ui/icon.tsx'
import { isTyping } from './ui/is-typing.ts'
import { Button } from './ui/parts.tsx'
import { showNumber } from './ui/words.ts'
import { findList } from './views/views.ts'
import { ViewsBar } from './views/views-bar.tsx'
import { useUnread } from './watching/read-state.ts'
import './shell.css'

const Palette = lazy(async () => ({ default: (await import('./palette/palette.tsx')).Palette }))

/** The frame around every screen: the menu, the account with its credits and, in development, links to the simulated services. */
export function Shell({ children }: { children: ReactNode }) {
  const [path] = useLocation()
  const { isHelpOpen, closeHelp, isFinding, find, closeFind } = useShortcuts()
  const list = findList(path)
  const main = useRef<HTMLElement>(null)
  const here = SCREENS.find((screen) => isWithin(screen, path))
  useEffect(() => {
    document.title = here ? `${here.name} · Nameplate` : 'Nameplate'
  }, [here])
  return (
    <div className="shell">
      <a className="skip" href="#main" onClick={() => main.current?.focus()}>
        Skip to content
      </a>
      <Side key={path} here={here} onFind={find} />
      <div className="content">
        <main id="main" ref={main} tabIndex={-1}>
          {list && <ViewsBar key={list} path={list} />}
          {children}
        </main>
        <DevelopmentPages />
      </div>
      {isHelpOpen && <ShortcutHelp here={here} onClose={closeHelp} />}
      {isFinding && (
        <Suspense fallback={null}>
          <Palette onClose={closeFind} />
        </Suspense>
      )}
    </div>
  )
}

function Side({ here, onFind }: { here: Screen | undefined; onFind: () => void }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <header className="side" data-open={isOpen}>
      <div className="bar">
        <Link href="/" className="brand">
          <svg viewBox="0 0 32 22" aria-hidden="true">
            <rect x="1" y="1" width="30" height="20" rx="4" fill="none" stroke="currentColor" strokeWidth="2" />
            <path d="M8 15V7l6 8V7M19 8h6M19 11h6M19 14h4" fill="none" stroke="currentColor" strokeWidth="2" />
          </svg>
          Nameplate
        </Link>
        <span className="menu-button">
          <Button look="quiet" small aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Close' : 'Menu'}
          </Button>
        </span>
      </div>
      <button type="button" className="find-button" aria-keyshortcuts="Control+K Meta+K" onClick={onFind}>
        <Icon name="search" />
        <span>Find anything</span>
        <kbd aria-hidden="true">Ctrl K</kbd>
      </button>
      <nav aria-label="Screens">
        {SCREENS.map((screen, index) => (
          <Fragment key={screen.path}>
            {screen.group !== SCREENS[index - 1]?.group && <span className="group">{screen.group}</span>}
            <Link href={screen.path} aria-current={screen === here ? 'page' : undefined}>
              <Icon name={screen.icon} />
              {screen.name}
              {screen.path === '/signals' && <Unread />}
            </Link>
          </Fragment>
        ))}
      </nav>
      <AccountFoot />
    </header>
  )
}

/** How many signals are not read, beside the name of their screen. */
function Unread() {
  const { data } = useUnread()
  if (!data || data.unread === 0) return null
  const count = data.unread > 99 ? '99+' : String(data.unread)
  return (
    <span className="unread" aria-label={`${count} unread`}>
      {count}
    </span>
  )
}

function AccountFoot() {
  const { data: account } = useAccount()
  return (
    <div className="foot">
      {account && (
        <>
          <span className="who" title={account.email}>
            {account.email}
          </span>
          <span>
            <strong>{showNumber(account.credits.available)}</strong> <span className="soft">credits available</span>
          </span>
        </>
      )}
      <form method="post" action="/sign-out" onSubmit={forgetKept}>
        <Button type="submit" look="quiet" small>
          Sign out
        </Button>
      </form>
    </div>
  )
}

/** Removes what this browser keeps of the account. */
function forgetKept(): void {
  forgetRecents()
  forgetFinds()
}

function DevelopmentPages() {
  const { data } = useEnvironment()
  if (!data || data.development_pages.length === 0) return null
  return (
    <aside className="development" aria-label="Development">
      Development mode. The outside world is simulated:{' '}
      {data.development_pages.map(({ name, url }, index) => (
        <Fragment key={url}>
          {index > 0 && ' · '}
          <a href={url} target="_blank" rel="noreferrer">
            {name}
          </a>
        </Fragment>
      ))}
    </aside>
  )
}

/** Returns the search of a screen, or its first field. */
const findField = () =>
  document.querySelector<HTMLElement>('main input[type="search"]') ??
  document.querySelector<HTMLElement>('main input:not([type="radio"]), main textarea')

const SECOND_KEY_MS = 1_200

/** Ctrl-K finds anything, `g` and a letter opens a screen, `/` goes to its search or first field, `?` lists the shortcuts. */
function useShortcuts() {
  const [, go] = useLocation()
  const [isHelpOpen, setHelpOpen] = useState(false)
  const [isFinding, setFinding] = useState(false)
  useEffect(() => {
    let goUntil = 0
    const listen = (event: KeyboardEvent) => {
      // Also from a field: it is no key of a field.
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        // Not above a dialog that waits for an answer.
        if (!document.querySelector('dialog[open]')) setFinding(true)
        return
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const screen = Date.now() < goUntil && SCREENS.find(({ key }) => key === event.key)
      goUntil = event.key === 'g' ? Date.now() + SECOND_KEY_MS : 0
      if (screen) go(screen.path)
      else if (event.key === '?') setHelpOpen(true)
      else if (event.key === '/') findField()?.focus()
      else return
      event.preventDefault()
      // The second key after G is none of the open screen's own keys.
      event.stopImmediatePropagation()
    }
    document.addEventListener('keydown', listen, { capture: true })
    return () => document.removeEventListener('keydown', listen, { capture: true })
  }, [go])
  return {
    isHelpOpen,
    closeHelp: () => setHelpOpen(false),
    isFinding,
    find: () => setFinding(true),
    closeFind: () => setFinding(false),
  }
}

function ShortcutHelp({ here, onClose }: { here: Screen | undefined; onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <table>
        <tbody>
          {here?.keys?.map(([key, does]) => (
            <tr key={key}>
              <td>
                <kbd>{key}</kbd>
              </td>
              <td>{does}</td>
            </tr>
          ))}
          {SCREENS.map(({ key, name }) => (
            <tr key={key}>
              <td>
                <kbd>g</kbd> <kbd>{key}</kbd>
              </td>
              <td>{name}</td>
            </tr>
          ))}
          <tr>
            <td>
              <kbd>/</kbd>
            </td>
            <td>Go to the first field or the search</td>
          </tr>
          <tr>
            <td>
              <kbd>Ctrl</kbd> <kbd>k</kbd>
            </td>
            <td>Find anything</td>
          </tr>
        </tbody>
      </table>
      <Button look="quiet" onClick={onClose}>
        Close
      </Button>
    </Dialog>
  )
}
