import { useCallback, useRef, useState } from 'react'
import type { Selected } from './decisions.ts'

type Rows = ReadonlyMap<number, Selected>

export interface Selection {
  rows: Rows
  has: (row: number) => boolean
  /** Selects or clears one row; with Shift all between the last one and this. */
  pick: (row: Selected, index: number, withShift: boolean) => void
  set: (rows: readonly Selected[]) => void
}

/** The selected rows, by their number. `listBetween` returns those of a range that can be selected. */
export function useSelection(listBetween: (from: number, to: number) => Promise<Selected[]>): Selection {
  const [rows, setRows] = useState<Rows>(new Map())
  const lastIndex = useRef<number | null>(null)
  const set = useCallback((next: readonly Selected[]) => setRows(byNumber(next)), [])
  const pick = (row: Selected, index: number, withShift: boolean) => {
    const from = lastIndex.current
    lastIndex.current = index
    if (withShift && from !== null && from !== index) {
      void listBetween(Math.min(from, index), Math.max(from, index)).then((between) =>
        setRows((before) => new Map([...before, ...byNumber(between)])),
      )
      return
    }
    setRows((before) => {
      const next = new Map(before)
      if (!next.delete(row.row)) next.set(row.row, row)
      return next
    })
  }
  return { rows, has: (row) => rows.has(row), pick, set }
}

function byNumber(rows: readonly Selected[]): Rows {
  return new Map(rows.map((row) => [row.row, row]))
}
