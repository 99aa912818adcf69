/** A short word at the bottom of the screen that something is done; read out to those who listen. */
import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useState } from 'react'

const SHOWN_MS = 5_000

const Say = createContext<(text: string) => void>(() => undefined)

export const useSay = () => useContext(Say)

export function SaidProvider({ children }: { children: ReactNode }) {
  const [said, setSaid] = useState<string | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const say = useCallback((text: string) => {
    clearTimeout(timer.current)
    setSaid(text)
    timer.current = setTimeout(() => setSaid(null), SHOWN_MS)
  }, [])
  const value = useMemo(() => say, [say])
  return (
    <Say value={value}>
      {children}
      <div role="status">{said !== null && <div className="said">{said}</div>}</div>
    </Say>
  )
}
