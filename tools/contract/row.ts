import type { Stage } from './stage.ts'

/** A row of the contract, and how a deployment shows that it keeps it. */
export interface Row {
  id: string
  /** The contract's own words, with what they are said of. */
  words: string
  /** Answers how it was shown. Throws `Mismatch` when it is not kept, and `NotShown` when that could not be asked. */
  show: (stage: Stage) => Promise<string>
}

export interface Area {
  title: string
  rows: readonly Row[]
}

export interface RowResult {
  area: string
  id: string
  words: string
  outcome: 'passed' | 'failed' | 'not_shown'
  ok: boolean
  /** How it was shown; or what was expected and what came; or what was missing. */
  detail: string
  duration_ms: number
}

export function row(id: string, words: string, show: Row['show']): Row {
  return { id, words, show }
}
