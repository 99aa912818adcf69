import { useEffect, useEffectEvent, useRef, useState } from 'react'

const PAUSE_MS = 250

/**
 * Text that is acted on when the typing pauses, or at once with `settle`. When its owner has another value, from the
 * address for instance, that takes the place of what was typed.
 */
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
