import { useEffect, useEffectEvent, useRef, useState } from 'react'

const PAUSE_MS = 250

/** Debounces typed text; `settle` acts at once. A new `value` from the owner, for example from the URL, replaces the text. */
export function useTyped(value: string, onSettled: (text: string) => void) {
  const [typed, setTyped] = useState(value)
  const agreed = useRef(value)
  const settle = () => {
    if (typed === agreed.current) return
    agreed.current = typed
    onSettled(typed)
  }
  const settleLater = useEffectEvent(settle)
  useEffect(() => {
    if (value === agreed.current) return
    agreed.current = value
    setTyped(value)
  }, [value])
  useEffect(() => {
    const timer = setTimeout(settleLater, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return { typed, setTyped, settle }
}
