import type { App } from '../../app.ts'
import { rebuildSearchIndex } from '../search/search-index.ts'
import type { SnapshotFile } from './file.ts'
import { loadSnapshot } from './load.ts'
import type { ImportProgress } from './progress.ts'
import { closeSnapshot, importAlone, NOTHING_READ, openSnapshot } from './record.ts'
import { reimportSnapshot } from './reimport.ts'

export interface ImportReport {
  kind: 'first load' | 'difference'
  rowsRead: number
  rowsBad: number
  badLines: string[]
  added: number
  changed: number
  removed: number
  /** Seconds for the rows with their primary key, and apart for all other indexes and the search. */
  loadSeconds: number
  searchIndexSeconds: number
}

/** Brings the register to a snapshot: all of it the first time, what differs after that. Safe while serving. */
export function importSnapshot(app: App, file: SnapshotFile, progress: ImportProgress): Promise<ImportReport> {
  return importAlone(app, 'companies', () => importFile(app, file, progress))
}

async function importFile(app: App, file: SnapshotFile, progress: ImportProgress): Promise<ImportReport> {
  const snapshotId = await openSnapshot(app, { product: 'companies', ...file })
  const startedAt = performance.now()
  try {
    const isFirst = (await app.db.query('select 1 from company limit 1')).length === 0
    const report = isFirst
      ? await firstLoad(app, file, snapshotId, progress)
      : await difference(app, file, snapshotId, progress)
    const finished: ImportReport = {
      ...report,
      loadSeconds: (performance.now() - startedAt) / 1_000 - report.searchIndexSeconds,
    }
    await closeSnapshot(app, snapshotId, 'finished', finished)
    // The snapshot has what the companies stream missed before its day.
    await app.db.query(
      `update register_stream set gap_since = null, gap_until = null
       where name = 'companies' and coalesce(gap_until, gap_since) < $1`,
      [file.asOf ?? app.clock.now()],
    )
    return finished
  } catch (error) {
    await closeSnapshot(app, snapshotId, 'failed', NOTHING_READ)
    throw error
  }
}

type Report = Omit<ImportReport, 'loadSeconds'>

async function firstLoad(app: App, file: SnapshotFile, snapshotId: number, progress: ImportProgress): Promise<Report> {
  const loaded = await loadSnapshot(app, file, snapshotId, progress)
  progress.say('building the search index')
  const startedAt = performance.now()
  await rebuildSearchIndex(app.db)
  const searchIndexSeconds = loaded.indexSeconds + (performance.now() - startedAt) / 1_000
  return {
    kind: 'first load',
    ...loaded,
    added: loaded.rowsRead - loaded.rowsBad,
    changed: 0,
    removed: 0,
    searchIndexSeconds,
  }
}

async function difference(app: App, file: SnapshotFile, snapshotId: number, progress: ImportProgress): Promise<Report> {
  return { kind: 'difference', ...(await reimportSnapshot(app, file, snapshotId, progress)) }
}
