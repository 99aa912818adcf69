import type { Cell } from '../lib/sheets/cell.ts'

/** The file that the rows of a bulk job come from, so that its results have the same table. */
export interface BulkSource {
  fileName: string | null
  format: 'csv' | 'xlsx'
  sheet: string
  /** The rows above the data, as they were; the last one names the columns. */
  header: Cell[][]
  /** The widest row of the file. */
  columnCount: number
}
