/** A short message at the bottom of the screen that an action is done, with a button that takes it back where it can be. */
import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from 'react'

const SHOWN_MS = 5_000
/** A person reads it, decides and reaches for the button. */
const SHOWN_WITH_BUTTON_MS = 12_000

interface ToastAction {
  text: string
  onClick: () => void
}

const ToastContext = createContext<(text: string, action?: ToastAction) => void>(() => undefined)

export const useToast = () => useContext(ToastContext)

export function ToastProvider({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<{ text: string; action: ToastAction | undefined } | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const show = useCallback((text: string, action?: ToastAction) => {
    clearTimeout(timer.current)
    setShown({ text, action })
    timer.current = setTimeout(() => setShown(null), action ? SHOWN_WITH_BUTTON_MS : SHOWN_MS)
  }, [])
  const act = ({ onClick }: ToastAction) => {
    setShown(null)
    onClick()
  }
  const action = shown?.action
  return (
    <ToastContext value={show}>
      {children}
      <div role="status">
        {shown !== null && (
          <div className="toast">
            <span>{shown.text}</span>
            {action && (
              <button type="button" onClick={() => act(action)}>
                {action.text}
              </button>
            )}
          </div>
        )}
      </div>
    </ToastContext>
  )
}
