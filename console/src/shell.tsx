import { Fragment, type ReactNode, useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useAccount, useEnvironment } from './account.ts'
import { forgetRecents } from './screens/resolve/recents.ts'
import { isWithin, SCREENS, type Screen } from './screens.tsx'
import { Dialog } from './ui/dialog.tsx'
import { Icon } from './ui/icon.tsx'
import { isTyping } from './ui/is-typing.ts'
import { Button } from './ui/parts.tsx'
import { showNumber } from './ui/words.ts'
import './shell.css'

/** The frame around every screen: the menu, the account with its credits and, in development, links to the simulated services. */
export function Shell({ children }: { children: ReactNode }) {
  const [path] = useLocation()
  const { isHelpOpen, closeHelp } = useShortcuts()
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
      <Side key={path} here={here} />
      <div className="content">
        <main id="main" ref={main} tabIndex={-1}>
          {children}
        </main>
        <DevelopmentPages />
      </div>
      {isHelpOpen && <ShortcutHelp onClose={closeHelp} />}
    </div>
  )
}

function Side({ here }: { here: Screen | undefined }) {
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
      <nav aria-label="Screens">
        {SCREENS.map((screen, index) => (
          <Fragment key={screen.path}>
            {screen.group !== SCREENS[index - 1]?.group && <span className="group">{screen.group}</span>}
            <Link href={screen.path} aria-current={screen === here ? 'page' : undefined}>
              <Icon name={screen.icon} />
              {screen.name}
            </Link>
          </Fragment>
        ))}
      </nav>
      <AccountFoot />
    </header>
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
      <form method="post" action="/sign-out" onSubmit={forgetRecents}>
        <Button type="submit" look="quiet" small>
          Sign out
        </Button>
      </form>
    </div>
  )
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

const SECOND_KEY_MS = 1_200

/** `g` and a letter opens a screen, `/` goes to its first field, `?` lists the shortcuts. */
function useShortcuts() {
  const [, go] = useLocation()
  const [isHelpOpen, setHelpOpen] = useState(false)
  useEffect(() => {
    let goUntil = 0
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const screen = Date.now() < goUntil && SCREENS.find(({ key }) => key === event.key)
      goUntil = event.key === 'g' ? Date.now() + SECOND_KEY_MS : 0
      if (screen) go(screen.path)
      else if (event.key === '?') setHelpOpen(true)
      else if (event.key === '/') document.querySelector<HTMLElement>('main input, main textarea')?.focus()
      else return
      event.preventDefault()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [go])
  return { isHelpOpen, closeHelp: () => setHelpOpen(false) }
}

function ShortcutHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <table>
        <tbody>
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
            <td>Go to the first field</td>
          </tr>
        </tbody>
      </table>
      <Button look="quiet" onClick={onClose}>
        Close
      </Button>
    </Dialog>
  )
}
