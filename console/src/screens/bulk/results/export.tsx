import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Bulk, BulkRows } from '../../../api/bodies.ts'
import { callApi } from '../../../api/client.ts'
import { Chips } from '../../../ui/chips.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Button, Problem } from '../../../ui/parts.tsx'
import { saveFile } from '../../../ui/save-file.ts'
import { Segments } from '../../../ui/segments.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { plural, showNumber } from '../../../ui/words.ts'
import { isActive } from '../bulk-jobs.ts'
import { fileNameOf } from '../bulk-words.ts'
import { showBytes } from '../file-in/pasted.ts'
import { EXPORT_COLUMNS, type ExportColumn, USUAL_COLUMNS } from './export-columns.ts'
import { useKeptChoice } from './kept-choice.ts'
import { isFiltered, type RowFilter, toQuery } from './row-filter.ts'
import { type ExportFormat, loadExport } from './save-export.ts'

const FORMATS = [
  ['xlsx', 'Excel'],
  ['csv', 'CSV'],
  ['jsonl', 'JSON lines'],
] as const

/** Which columns were chosen last, in this browser. */
const KEPT = 'nameplate-bulk-export-columns'

interface ExportProps {
  bulk: Bulk
  filter: RowFilter
  /** Rows that fit the filter. */
  total: number | null
  onClose: () => void
}

/** Saves the rows as a file: the person's own columns first, then the chosen ones. */
export function Export({ bulk, filter, total, onClose }: ExportProps) {
  const canFilter = isFiltered(filter)
  const [format, setFormat] = useState<ExportFormat>('xlsx')
  const [scope, setScope] = useState<'filtered' | 'all'>(canFilter ? 'filtered' : 'all')
  const { kept, keep } = useKeptChoice(KEPT)
  const isChosen = (id: ExportColumn) => kept[id] ?? USUAL_COLUMNS.includes(id)
  const rows = scope === 'filtered' ? (total ?? 0) : bulk.counts.total
  const ownColumns = bulk.source?.columns.length ?? 0
  const saving = useSaveExport(bulk, filter, onClose)
  const columns = EXPORT_COLUMNS.map(([id]) => id).filter(isChosen)
  return (
    <Dialog title="Export the results" onClose={onClose}>
      <Segments label="Format" choices={FORMATS} value={format} onChange={setFormat} />
      {canFilter && (
        <Segments
          label="Rows"
          choices={[
            ['filtered', `Only what is filtered (${showNumber(total ?? 0)})`],
            ['all', `All rows (${showNumber(bulk.counts.total)})`],
          ]}
          value={scope}
          onChange={setScope}
        />
      )}
      <Columns isChosen={isChosen} onChange={(id, isOn) => keep({ ...kept, [id]: isOn })} ownColumns={ownColumns} />
      {isActive(bulk) && <p className="small soft">The job still runs. Rows without an answer yet are marked.</p>}
      {saving.isError && <Problem error={saving.error} />}
      <div className="row">
        <Button
          busy={saving.isPending}
          disabled={columns.length === 0 && ownColumns === 0}
          onClick={() => saving.mutate({ format, columns, isFiltered: scope === 'filtered' })}
        >
          Save {plural(rows, 'row')}
        </Button>
        <Button look="quiet" onClick={saving.isPending ? saving.stop : onClose}>
          {saving.isPending ? 'Stop' : 'Cancel'}
        </Button>
        {saving.isPending && <Progress format={format} rows={rows} progress={saving.progress} />}
      </div>
    </Dialog>
  )
}

function Progress(props: { format: ExportFormat; rows: number; progress: { bytes: number; lines: number } }) {
  const { format, rows, progress } = props
  const words =
    format === 'xlsx'
      ? showBytes(progress.bytes)
      : `${showNumber(Math.min(progress.lines, rows))} of ${plural(rows, 'row')}`
  return <span className="small soft">{progress.bytes === 0 ? 'Preparing the file' : `${words} loaded`}</span>
}

function Columns(props: {
  isChosen: (id: ExportColumn) => boolean
  onChange: (id: ExportColumn, isChosen: boolean) => void
  ownColumns: number
}) {
  const { isChosen, onChange, ownColumns } = props
  return (
    <Chips label="Columns" choices={EXPORT_COLUMNS} isChosen={isChosen} onChange={onChange}>
      {ownColumns > 0 && (
        <p className="small soft">Your own {plural(ownColumns, 'column')} always come first, as you sent them.</p>
      )}
    </Chips>
  )
}

interface ExportChoice {
  format: ExportFormat
  columns: ExportColumn[]
  isFiltered: boolean
}

function useSaveExport(bulk: Bulk, filter: RowFilter, onSaved: () => void) {
  const [progress, setProgress] = useState({ bytes: 0, lines: 0 })
  const showToast = useToast()
  const controller = useRef<AbortController | null>(null)
  const saving = useMutation({
    mutationFn: async (choice: ExportChoice) => {
      controller.current = new AbortController()
      setProgress({ bytes: 0, lines: 0 })
      const filters = choice.isFiltered ? toQuery(filter) : {}
      const file = await loadExport({
        path: bulk.results_url,
        format: choice.format,
        query: { ...filters, layout: 'sheet', columns: choice.columns.join(',') },
        rowAt: (n) => findRow(bulk, choice.isFiltered ? filters : null, n),
        onProgress: setProgress,
        signal: controller.current.signal,
      })
      saveFile(file, `${fileNameOf(bulk)}.${choice.format}`)
    },
    onSuccess: () => {
      showToast('Results saved.')
      onSaved()
    },
  })
  const isStopped = saving.error instanceof DOMException && saving.error.name === 'AbortError'
  return { ...saving, isError: saving.isError && !isStopped, progress, stop: () => controller.current?.abort() }
}

/** Without a filter the n-th row is row n. With one the service knows it, as long as the job rests. */
async function findRow(bulk: Bulk, filters: Record<string, string | undefined> | null, n: number) {
  if (filters === null) return n
  if (isActive(bulk)) return null
  const query = { ...filters, sort: 'row', order: 'asc', offset: n - 1, limit: 1 }
  const { data } = await callApi<BulkRows>('GET', `/v1/bulk/${bulk.id}/rows`, { query })
  return data[0]?.row ?? null
}
