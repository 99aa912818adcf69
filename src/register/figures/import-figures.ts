import type { App } from '../../app.ts'
import { toLondonDate } from '../../lib/clock.ts'
import type { ImportProgress } from '../import/progress.ts'
import { closeSnapshot, NOTHING_READ, openSnapshot } from '../import/record.ts'
import { runInThreads } from '../import/threads.ts'
import type { AccountsFile } from './accounts-file.ts'
import { cutFilings } from './filing-pieces.ts'
import { storeFigures } from './store-figures.ts'
import type { FiguresRow, FilingsResult } from './thread.ts'

export interface FiguresReport {
  filings: number
  unreadable: number
  /** The names of the first of them. */
  unreadableFiles: string[]
  companies: number
  periods: number
  seconds: number
}

const THREADS = { url: new URL('./thread.ts', import.meta.url), threadCount: 2, task: null }
const BATCH = 1_000
const UNREADABLE_SHOWN = 5

/** Reads the figures of a file of accounts. Each batch is stored as it comes, so a run that was cut off is simply run again. */
export async function importFigures(app: App, file: AccountsFile, progress: ImportProgress): Promise<FiguresReport> {
  const startedAt = performance.now()
  const sourceOn = file.publishedOn ?? toLondonDate(app.clock.now())
  const { name, bytes } = file
  const id = await openSnapshot(app, { product: 'figures', name, bytes, asOf: sourceOn })
  const companies = new Set<string>()
  const report = { filings: 0, unreadable: 0, unreadableFiles: [] as string[], periods: 0 }
  let batch: FiguresRow[] = []
  const flush = async () => {
    const rows = batch
    batch = []
    await app.db.transaction((tx) => storeFigures(tx, rows, sourceOn))
    report.periods += rows.length
  }
  for await (const piece of runInThreads<FilingsResult>(cutFilings(file), THREADS)) {
    report.filings += piece.filings
    report.unreadable += piece.unreadable.length
    report.unreadableFiles.push(...piece.unreadable.slice(0, UNREADABLE_SHOWN - report.unreadableFiles.length))
    for (const row of piece.rows) companies.add(row.company_number)
    batch.push(...piece.rows)
    if (batch.length >= BATCH) await flush()
    progress.advance(piece.bytes, piece.filings)
  }
  await flush()
  await closeSnapshot(app, id, 'finished', {
    ...NOTHING_READ,
    rowsRead: report.filings,
    rowsBad: report.unreadable,
  })
  return { ...report, companies: companies.size, seconds: (performance.now() - startedAt) / 1_000 }
}
