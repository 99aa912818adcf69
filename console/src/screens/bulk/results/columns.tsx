import { columnVisibilityFeature, createColumnHelper, rowSortingFeature, tableFeatures } from '@tanstack/react-table'
import type { ReactNode } from 'react'
import type { Bulk, BulkRow } from '../../../api/bodies.ts'
import { showShare } from '../../../ui/words.ts'
import { Outcome } from './outcome.tsx'
import type { Sort } from './row-filter.ts'
import { describeCost } from './row-words.ts'

/** How a column looks: its width in rem, and whether the rest of the screen's width goes to it. */
interface ColumnLook {
  width: number
  grows?: true
  isNumber?: true
  /** Its text may be wider than the column. */
  isLong?: true
  show: (row: BulkRow) => ReactNode
}

export const FEATURES = tableFeatures({
  columnVisibilityFeature,
  rowSortingFeature,
  columnMeta: {} as ColumnLook,
})

const helper = createColumnHelper<typeof FEATURES, BulkRow>()
const soft = <span className="soft">–</span>

function column(id: string, header: string, meta: ColumnLook, sort?: Sort) {
  // The service sorts. Without a value of its own a column could not be sorted at all.
  return helper.accessor(({ row }): unknown => row, { id, header, meta, enableSorting: sort !== undefined })
}

/** The company that the row would get if it were accepted. */
const bestOf = ({ state, candidates }: BulkRow) => (state === 'needs_review' ? candidates[0] : undefined)

function nameOfCompany(row: BulkRow): ReactNode {
  if (row.company) return row.company.name ?? row.company.number
  const best = bestOf(row)
  return best ? <span className="soft">Perhaps {best.company_name}</span> : soft
}

/** The person's own columns have this before their number. */
export const OWN = 'own:'

const OURS = [
  column('input', 'Used', { width: 13, isLong: true, show: ({ input }) => input || soft }, 'input'),
  column('state', 'Outcome', { width: 10.75, show: (row) => <Outcome row={row} /> }, 'state'),
  column('company', 'Company', { width: 13, grows: true, isLong: true, show: (row) => nameOfCompany(row) }, 'company'),
  column('number', 'Number', {
    width: 6.25,
    show: (row) => {
      const number = row.company?.number ?? bestOf(row)?.company_number
      return number ? <span className={row.company ? 'mono' : 'mono soft'}>{number}</span> : soft
    },
  }),
  column('status', 'Status', {
    width: 8,
    isLong: true,
    show: ({ company }) => company?.status_text ?? company?.status ?? soft,
  }),
  column('postcode', 'Postcode', { width: 7, show: ({ company }) => company?.postcode ?? soft }),
  column(
    'confidence',
    'Confidence',
    { width: 6.75, isNumber: true, show: ({ confidence }) => (confidence === null ? soft : showShare(confidence)) },
    'confidence',
  ),
  column('reason', 'Why', { width: 10, grows: true, isLong: true, show: ({ reason }) => reason ?? soft }),
  column('cost', 'Cost', { width: 9, show: (row) => describeCost(row) }),
  column('decided', 'Decided by', { width: 10, isLong: true, show: ({ decision }) => decision?.by ?? soft }),
] as const

/** As the table has them: the row's number, the person's columns in their order, then ours. */
export function columnsOf({ source }: Bulk) {
  const own = (source?.columns ?? []).map((name, index) =>
    column(`${OWN}${index}`, name, {
      width: 8.5,
      isLong: true,
      show: (row) => row.own[index] ?? '',
    }),
  )
  const [input, state, company, ...others] = OURS
  const row = column('row', 'Row', { width: 4, isNumber: true, show: ({ row }) => row }, 'row')
  // A phone shows two or three columns at a time: the answer comes first there.
  return isNarrow ? [row, state, company, ...own, input, ...others] : [row, ...own, ...OURS]
}

const isNarrow = window.matchMedia('(max-width: 48rem)').matches

const SHOWN = new Set(['row', 'state', 'company', 'number', 'confidence', 'reason'])
const OWN_SHOWN = 2

/** The columns that a person sees before any choice: without own columns, what we read in each row. */
export function isShownAtFirst(id: string, bulk: Bulk): boolean {
  if (id.startsWith(OWN)) return Number(id.slice(OWN.length)) < OWN_SHOWN
  return SHOWN.has(id) || (id === 'input' && (bulk.source?.columns.length ?? 0) === 0)
}
