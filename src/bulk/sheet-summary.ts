/** The sheet of sums of a workbook. It counts the rows that were written, so that it adds up inside the file. */
import type { Cell } from '../lib/sheets/cell.ts'
import { formatPercent } from '../lib/text/wording.ts'
import type { BulkJob, RowState } from './bulk.ts'
import type { BulkResult, ResultsAsk } from './results.ts'
import { describeState } from './sheet.ts'

export class SheetCounts {
  readonly states = new Map<RowState, number>()
  rows = 0
  credits = 0

  add({ state, charged }: Pick<BulkResult, 'state' | 'charged'>): void {
    this.rows += 1
    if (charged) this.credits += 1
    this.states.set(state, (this.states.get(state) ?? 0) + 1)
  }
}

/** How many rows of each kind the file has, and what they cost; where it has only some, also the sums of the whole job. */
export function summarise(bulk: BulkJob, counts: SheetCounts, ask: Pick<ResultsAsk, 'filter' | 'afterRow'>): Cell[][] {
  const { source } = bulk
  const filter = describeFilter(ask)
  const order = Object.keys(bulk.counts) as RowState[]
  return [
    ['Bulk job', bulk.name ?? bulk.id],
    ...(source?.fileName ? [['File', source.fileName]] : []),
    ...(source?.sheet ? [['Sheet', source.sheet]] : []),
    ['Started', { date: bulk.createdAt.toISOString().slice(0, 19) }],
    ['State of the job', `${bulk.status.charAt(0).toUpperCase()}${bulk.status.slice(1)}`],
    ...(filter === null ? [] : [['Filter', filter]]),
    [null, null],
    ...order.flatMap((state): Cell[][] => {
      const count = counts.states.get(state) ?? 0
      return count === 0 ? [] : [[describeState(state), count]]
    }),
    ['Rows', counts.rows],
    [null, null],
    ['Credits spent', counts.credits],
    ...(filter === null
      ? []
      : [
          [null, null],
          ['Rows of the whole job', bulk.rowCount],
          ['Credits spent by the whole job', bulk.creditsSpent],
        ]),
  ]
}

/** Null where every row is wanted. */
function describeFilter({ filter = {}, afterRow = 0 }: Pick<ResultsAsk, 'filter' | 'afterRow'>): string | null {
  const { states = [], withDuplicates = false, confidenceFrom, confidenceTo, text = '' } = filter
  const parts = [
    states.length > 0 && states.map(describeState).join(', '),
    states.length > 0 && withDuplicates && 'with the rows that repeat them',
    confidenceFrom !== undefined && `confidence from ${formatPercent(confidenceFrom)}`,
    confidenceTo !== undefined && `confidence up to ${formatPercent(confidenceTo)}`,
    text !== '' && `with “${text}”`,
    afterRow > 0 && `after row ${afterRow}`,
  ].filter((part) => part !== false)
  return parts.length === 0 ? null : parts.join('; ')
}
