/** A short message at the bottom of the screen that an action is done. Screen readers read it out. */
import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useState } from 'react'

const SHOWN_MS = 5_000

const ToastContext = createContext<(text: string) => void>(() => undefined)

export const useToast = () => useContext(ToastContext)

export function ToastProvider({ children }: { children: ReactNode }) {
  const [text, setText] = useState<string | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const show = useCallback((text: string) => {
    clearTimeout(timer.current)
    setText(text)
    timer.current = setTimeout(() => setText(null), SHOWN_MS)
  }, [])
  const value = useMemo(() => show, [show])
  return (
    <ToastContext value={value}>
      {children}
      <div role="status">{text !== null && <div className="toast">{text}</div>}</div>
    </ToastContext>
  )
}
