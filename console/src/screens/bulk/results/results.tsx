import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Bulk } from '../../../api/bodies.ts'
import { isActive } from '../bulk-jobs.ts'
import { useColumnChoice } from './column-choice.ts'
import { ColumnChooser } from './column-chooser.tsx'
import { DecideBar } from './decide-bar.tsx'
import { type Decided, toSelected } from './decisions.ts'
import { Drawer } from './drawer.tsx'
import { Export } from './export.tsx'
import { Filters } from './filters.tsx'
import { Grid } from './grid.tsx'
import { useRowFilter } from './row-filter.ts'
import { isDecidable } from './row-words.ts'
import { collectRows, ROWS_OF } from './rows.ts'
import { useSelection } from './selection.ts'
import { WatchMatches } from './watch-matches.tsx'
import './results.css'

/** The rows of a job: filters, the table, the open row, decisions on many rows, matches for a watchlist, and the export. */
export function Results({ bulk }: { bulk: Bulk }) {
  const { filter, openRow, change } = useRowFilter(bulk.id)
  const choice = useColumnChoice(bulk)
  const [total, setTotal] = useState<number | null>(null)
  const [shown, setShown] = useState<'columns' | 'watch' | 'export' | null>(null)
  const [last, setLast] = useState<Decided | null>(null)
  const selection = useSelection(async (from, to) =>
    (await collectRows(bulk.id, filter, [from, to])).filter(isDecidable).map(toSelected),
  )
  const step = useRef<(by: 1 | -1) => void>(() => undefined)
  const queries = useQueryClient()
  const isLive = isActive(bulk)
  // The last rows may have ended after they were loaded.
  useEffect(() => {
    if (!isLive) void queries.invalidateQueries(ROWS_OF(bulk.id))
  }, [isLive, queries, bulk.id])
  const close = () => setShown(null)
  const keepTotal = useCallback((count: number) => setTotal(count), [])
  return (
    <section className="card results" aria-label="Results">
      <Filters
        filter={filter}
        total={total}
        all={bulk.counts.total}
        hasDuplicates={bulk.counts.duplicate > 0}
        change={change}
        onColumns={() => setShown('columns')}
        onWatch={bulk.counts.matched > 0 ? () => setShown('watch') : null}
        onExport={() => setShown('export')}
      />
      <DecideBar bulk={bulk} filter={filter} selection={selection} last={last} onDecided={setLast} />
      <div className="results-split" data-open={openRow !== null}>
        <div className="results-rows">
          <Grid
            bulk={bulk}
            filter={filter}
            openRow={openRow}
            change={change}
            selection={selection}
            visibility={choice.visibility}
            isLive={isLive}
            onTotal={keepTotal}
            step={step}
          />
        </div>
        {openRow !== null && (
          <Drawer
            bulk={bulk}
            row={openRow}
            isLive={isLive}
            onStep={(by) => step.current(by)}
            onClose={() => change({ row: '' })}
            onDecided={setLast}
          />
        )}
      </div>
      {shown === 'columns' && <ColumnChooser bulk={bulk} choice={choice} onClose={close} />}
      {shown === 'watch' && <WatchMatches bulk={bulk} onClose={close} />}
      {shown === 'export' && <Export bulk={bulk} filter={filter} total={total} onClose={close} />}
    </section>
  )
}
