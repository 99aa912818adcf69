import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useState } from 'react'
import type { BulkRow } from '../../../api/bodies.ts'
import { type ColumnLooks, GridRow } from './grid-row.tsx'
import { type PageRange, pageOf } from './rows.ts'

export const ROW_PX = 40
const OVERSCAN = 6
/** Rows beyond the screen that are loaded before they come into view. */
const AHEAD = 40

interface GridBodyProps {
  gridId: string
  scroller: RefObject<HTMLDivElement | null>
  count: number
  rowAt: (index: number) => BulkRow | undefined
  columns: ColumnLooks
  selected: ReadonlyMap<number, unknown>
  active: number | null
  openRow: number | null
  onRange: (pages: PageRange) => void
}

/** The lines in view. Scrolling draws only this, and only the lines that come into view change. */
export function GridBody(props: GridBodyProps) {
  const { gridId, scroller, count, rowAt, columns, selected, active, openRow, onRange } = props
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    useFlushSync: false,
  })
  const items = virtualizer.getVirtualItems()
  const low = pageOf(Math.max(0, (items[0]?.index ?? 0) - AHEAD))
  const high = pageOf(Math.min(Math.max(0, count - 1), (items.at(-1)?.index ?? 0) + AHEAD))
  useEffect(() => onRange([low, high]), [low, high, onRange])
  // A line that leaves the view becomes the one that enters it: changing cells costs less than making them.
  const [pool, setPool] = useState(1)
  if (items.length > pool) setPool(items.length)
  return (
    <div role="rowgroup" className="results-body" style={{ height: virtualizer.getTotalSize() }}>
      {items.map(({ index, start }) => {
        const row = rowAt(index)
        return (
          <GridRow
            key={index % pool}
            id={`${gridId}-${index}`}
            index={index}
            top={start}
            row={row}
            columns={columns}
            isSelected={row !== undefined && selected.has(row.row)}
            isActive={index === active}
            isOpen={row !== undefined && row.row === openRow}
          />
        )
      })}
    </div>
  )
}
