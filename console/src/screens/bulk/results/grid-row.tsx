import { memo } from 'react'
import type { BulkRow } from '../../../api/bodies.ts'
import type { columnsOf } from './columns.tsx'
import { isDecidable } from './row-words.ts'

export type ColumnLooks = ReadonlyArray<{
  id: string
  look: NonNullable<ReturnType<typeof columnsOf>[number]['meta']>
}>

interface GridRowProps {
  id: string
  index: number
  top: number
  /** Absent while it is on its way. */
  row: BulkRow | undefined
  columns: ColumnLooks
  isSelected: boolean
  isActive: boolean
  isOpen: boolean
}

/** One line. It is drawn again only when its own values change; the grid listens to its clicks. */
export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { id, index, top, row, columns, isSelected, isActive, isOpen } = props
  return (
    <div
      id={id}
      role="row"
      className="result-row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      aria-busy={row === undefined}
      data-index={index}
      data-active={isActive}
      data-open={isOpen}
      style={{ top }}
    >
      {row ? (
        <Cells row={row} columns={columns} isSelected={isSelected} />
      ) : (
        // One cell: a dragged scroll bar passes thousands of lines that are never loaded.
        <div role="gridcell" className="coming" aria-colspan={columns.length + 1}>
          …
        </div>
      )}
    </div>
  )
})

function Cells({
  row,
  columns,
  isSelected,
}: Required<Pick<GridRowProps, 'columns' | 'isSelected'>> & { row: BulkRow }) {
  return (
    <>
      <div role="gridcell" className="pick">
        {isDecidable(row) && (
          <input type="checkbox" tabIndex={-1} aria-label={`Select row ${row.row}`} checked={isSelected} readOnly />
        )}
      </div>
      {columns.map(({ id, look }) => (
        <div key={id} role="gridcell" className={look.isNumber ? 'number' : look.isLong ? 'long' : undefined}>
          {look.show(row)}
        </div>
      ))}
    </>
  )
}
