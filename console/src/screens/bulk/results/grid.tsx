import { type Header, useTable } from '@tanstack/react-table'
import { type KeyboardEvent, type MouseEvent, type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react'
import type { Bulk, BulkRow } from '../../../api/bodies.ts'
import { Button, Empty, Problem, Skeleton } from '../../../ui/parts.tsx'
import { columnsOf, FEATURES } from './columns.tsx'
import { toSelected } from './decisions.ts'
import { GridBody, ROW_PX } from './grid-body.tsx'
import type { ColumnLooks } from './grid-row.tsx'
import { type AddressPart, isFiltered, NO_FILTER, type RowFilter } from './row-filter.ts'
import { isDecidable } from './row-words.ts'
import { type PageRange, useRowWindow } from './rows.ts'
import type { Selection } from './selection.ts'

const NO_DATA: BulkRow[] = []

interface GridProps {
  bulk: Bulk
  filter: RowFilter
  openRow: number | null
  change: (part: AddressPart) => void
  selection: Selection
  visibility: Record<string, boolean>
  isLive: boolean
  onTotal: (total: number) => void
  /** Set here: opens the row before or after the open one. */
  step: RefObject<(by: 1 | -1) => void>
}

/** The rows as a table of which only the visible part exists. One Tab reaches it, then arrows move through its rows. */
export function Grid(props: GridProps) {
  const { bulk, filter, openRow, change, selection, visibility, isLive, onTotal, step } = props
  const scroller = useRef<HTMLDivElement>(null)
  const [count, setCount] = useState(0)
  const [active, setActive] = useState<number | null>(null)
  const gridId = useId()
  const [pages, setPages] = useState<PageRange>([0, 0])
  const { total, rowAt, error, retry } = useRowWindow(bulk.id, filter, pages, isLive)
  if (total !== null && total !== count) setCount(total)
  useEffect(() => {
    if (total !== null) onTotal(total)
  }, [total, onTotal])
  const asked = JSON.stringify(filter)
  useEffect(() => {
    setActive(null)
    scroller.current?.scrollTo({ top: 0 })
  }, [asked])
  const { head, looks } = useColumns(bulk, filter, visibility, change)

  const open = (index: number) => {
    const row = rowAt(index)
    if (row) change({ row: String(row.row) })
  }
  const move = (index: number) => {
    const to = Math.min(Math.max(0, index), count - 1)
    setActive(to)
    if (scroller.current) showLine(scroller.current, to)
    if (openRow !== null) open(to)
  }
  /** A row that the address opened has no line yet that keys moved to. */
  const findOpen = () => {
    const first = Math.floor((scroller.current?.scrollTop ?? 0) / ROW_PX)
    for (let index = first; index < first + LINES_MAX; index += 1) if (rowAt(index)?.row === openRow) return index
    return -1
  }
  useEffect(() => {
    step.current = (by) => {
      const here = active ?? findOpen()
      // A row that was decided may have left the filter; the next one is then where it was.
      const isGone = active !== null && rowAt(active)?.row !== openRow
      move(here + (isGone && by === 1 ? 0 : by))
    }
  })
  const click = (event: MouseEvent) => {
    const target = event.target as HTMLElement
    const index = indexOf(target)
    if (index === null) return
    setActive(index)
    const row = rowAt(index)
    if (!row) return
    if (target.closest('.pick'))
      return void (isDecidable(row) && selection.pick(toSelected(row), index, event.shiftKey))
    change({ row: String(row.row) })
  }
  const press = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.altKey || event.ctrlKey || event.metaKey) return
    const here = active ?? -1
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / ROW_PX) - 2)
    const next = {
      ArrowDown: here + 1,
      ArrowUp: here - 1,
      PageDown: here + page,
      PageUp: here - page,
      Home: 0,
      End: count - 1,
    }[event.key]
    const row = active === null ? undefined : rowAt(active)
    if (next !== undefined) move(next)
    else if (event.key === 'Enter' && active !== null) open(active)
    else if (event.key === ' ' && row && isDecidable(row) && active !== null)
      selection.pick(toSelected(row), active, event.shiftKey)
    else if (event.key === 'Escape' && openRow !== null) change({ row: '' })
    else return
    event.preventDefault()
  }

  if (error && total === null) return <Problem title="Could not load the rows" error={error} onRetry={retry} />
  if (total === 0) return <NoRows filter={filter} onClear={() => change(NO_FILTER)} />
  return (
    <>
      {total === null && count === 0 && <Skeleton what="the rows" />}
      {error && <Problem title="Could not load these rows" error={error} onRetry={retry} />}
      <div
        ref={scroller}
        className="results-grid"
        role="grid"
        aria-label="Rows"
        aria-rowcount={count + 1}
        aria-colcount={looks.length + 1}
        aria-multiselectable
        aria-activedescendant={active === null ? undefined : `${gridId}-${active}`}
        tabIndex={0}
        hidden={count === 0}
        style={{ '--result-columns': widthsOf(looks), '--result-width': `${widthOf(looks)}rem` } as object}
        onClick={click}
        onKeyDown={press}
      >
        <div role="rowgroup" className="results-head">
          {head}
        </div>
        <GridBody
          gridId={gridId}
          scroller={scroller}
          count={count}
          rowAt={rowAt}
          columns={looks}
          selected={selection.rows}
          active={active}
          openRow={openRow}
          onRange={setPages}
        />
      </div>
    </>
  )
}

/** More than a screen shows. */
const LINES_MAX = 100

/** Scrolls so that a line is between the head and the lower edge. */
function showLine(scroller: HTMLElement, index: number): void {
  const top = index * ROW_PX
  const bottom = top + 2 * ROW_PX
  if (top < scroller.scrollTop) scroller.scrollTop = top
  else if (bottom > scroller.scrollTop + scroller.clientHeight) scroller.scrollTop = bottom - scroller.clientHeight
}

function indexOf(target: HTMLElement): number | null {
  const line = target.closest<HTMLElement>('[data-index]')
  return line ? Number(line.dataset['index']) : null
}

const PICK_REM = 2.25

const widthOf = (looks: ColumnLooks) => looks.reduce((sum, { look }) => sum + look.width, PICK_REM)

function widthsOf(looks: ColumnLooks): string {
  const widths = looks.map(({ look: { width, grows } }) => (grows ? `minmax(${width}rem, 1fr)` : `${width}rem`))
  return [`${PICK_REM}rem`, ...widths].join(' ')
}

/** The head of the table with its sort buttons, and how its visible columns look. */
function useColumns(
  bulk: Bulk,
  filter: RowFilter,
  visibility: Record<string, boolean>,
  change: (part: AddressPart) => void,
) {
  const { source } = bulk
  // The job is loaded every second; its source stays the same object.
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- only its source decides the columns
  const columns = useMemo(() => columnsOf(bulk), [source])
  const table = useTable({
    features: FEATURES,
    columns,
    data: NO_DATA,
    manualSorting: true,
    enableSortingRemoval: false,
    sortDescFirst: false,
    state: { columnVisibility: visibility, sorting: [{ id: filter.sort, desc: filter.isDescending }] },
    onSortingChange: (update) => {
      const before = [{ id: filter.sort as string, desc: filter.isDescending }]
      const [sorting] = typeof update === 'function' ? update(before) : update
      const isFirst = sorting === undefined || (sorting.id === 'row' && !sorting.desc)
      change({ sort: isFirst ? '' : sorting.id, order: sorting?.desc ? 'desc' : '' })
    },
  })
  const shown = table.getVisibleLeafColumns()
  const ids = shown.map(({ id }) => id).join('\n')
  const looks = useMemo(
    () => columns.flatMap(({ id = '', meta }) => (meta && ids.split('\n').includes(id) ? [{ id, look: meta }] : [])),
    [columns, ids],
  )
  const head = table.getHeaderGroups().map((group) => (
    <div key={group.id} role="row" className="result-row" aria-rowindex={1}>
      <div role="columnheader" className="pick">
        <span className="visually-hidden">Selected</span>
      </div>
      {group.headers.map((header) => (
        <HeadCell key={header.id} header={header} />
      ))}
    </div>
  ))
  return { head, looks }
}

function HeadCell({ header: { column } }: { header: Header<typeof FEATURES, BulkRow> }) {
  const name = String(column.columnDef.header)
  const sorted = column.getIsSorted()
  const isNumber = column.columnDef.meta?.isNumber
  if (!column.getCanSort()) {
    return (
      <div role="columnheader" className="long" title={name}>
        {name}
      </div>
    )
  }
  return (
    <div
      role="columnheader"
      className={isNumber ? 'number' : undefined}
      aria-sort={sorted === false ? 'none' : sorted === 'asc' ? 'ascending' : 'descending'}
    >
      <button type="button" className="sort" onClick={column.getToggleSortingHandler()}>
        {name}
        <span aria-hidden="true">{sorted === false ? '' : sorted === 'asc' ? ' ↑' : ' ↓'}</span>
      </button>
    </div>
  )
}

function NoRows({ filter, onClear }: { filter: RowFilter; onClear: () => void }) {
  if (!isFiltered(filter)) return <Empty title="No rows">This bulk job has no rows.</Empty>
  return (
    <Empty
      title="No rows fit these filters"
      action={
        <Button look="quiet" onClick={onClear}>
          Clear filters
        </Button>
      }
    >
      The search looks in your own columns, the value we used, and the company.
    </Empty>
  )
}
