/** Which of several things a person chose, by their names, kept in this browser. */
import { useState } from 'react'

export type Choice = Readonly<Record<string, boolean>>

export function useKeptChoice(key: string) {
  const [kept, setKept] = useState(() => readKept(key))
  const keep = (next: Choice) => {
    setKept(next)
    localStorage.setItem(key, JSON.stringify(next))
  }
  return { kept, keep }
}

function readKept(key: string): Choice {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '{}')
    return kept !== null && typeof kept === 'object' ? (kept as Choice) : {}
  } catch {
    return {}
  }
}
