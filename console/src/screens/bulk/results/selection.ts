import { useCallback, useRef, useState } from 'react'

export interface Selection {
  rows: ReadonlySet<number>
  has: (row: number) => boolean
  /** Selects or clears one row; with Shift all between the last one and this. */
  pick: (row: number, index: number, withShift: boolean) => void
  set: (rows: Iterable<number>) => void
}

/** The selected rows, by their number. `listBetween` returns those of a range that can be selected. */
export function useSelection(listBetween: (from: number, to: number) => Promise<number[]>): Selection {
  const [rows, setRows] = useState<ReadonlySet<number>>(new Set())
  const lastIndex = useRef<number | null>(null)
  const set = useCallback((next: Iterable<number>) => setRows(new Set(next)), [])
  const pick = (row: number, index: number, withShift: boolean) => {
    const from = lastIndex.current
    lastIndex.current = index
    if (withShift && from !== null && from !== index) {
      void listBetween(Math.min(from, index), Math.max(from, index)).then((between) =>
        setRows((before) => new Set([...before, ...between])),
      )
      return
    }
    setRows((before) => {
      const next = new Set(before)
      if (!next.delete(row)) next.add(row)
      return next
    })
  }
  return { rows, has: (row) => rows.has(row), pick, set }
}
