import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { SCREENS } from './screens.tsx'
import { Dialog } from './ui/dialog.tsx'
import { isTyping } from './ui/is-typing.ts'
import { Button } from './ui/parts.tsx'

const SECOND_KEY_MS = 1_200

/** `g` and a letter opens a screen, `/` goes to its first field, `?` lists the shortcuts. */
export function useShortcuts() {
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

export function ShortcutHelp({ onClose }: { onClose: () => void }) {
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
