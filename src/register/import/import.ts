import type { App } from '../../app.ts'
import { onlyRow } from '../../lib/db/db.ts'
import { rebuildSearchIndex } from '../search/search-index.ts'
import type { SnapshotFile } from './file.ts'
import { loadSnapshot } from './load.ts'
import type { ImportProgress } from './progress.ts'
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
export async function importSnapshot(app: App, file: SnapshotFile, progress: ImportProgress): Promise<ImportReport> {
  const snapshotId = await openSnapshot(app, file)
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
    await app.db.query(`update register_stream set gap_since = null where name = 'companies' and gap_since < $1`, [
      file.asOf ?? app.clock.now(),
    ])
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

/** Continues an import of the same file that did not finish, or begins one. */
async function openSnapshot(app: App, file: SnapshotFile): Promise<number> {
  const source = `${file.name} ${file.bytes}`
  const [unfinished] = await app.db.query<{ id: number }>(
    `update register_snapshot set state = 'running'
     where id = (select id from register_snapshot where source = $1 and state <> 'finished' order by id desc limit 1)
     returning id`,
    [source],
  )
  if (unfinished) return unfinished.id
  const rows = await app.db.query<{ id: number }>(
    `insert into register_snapshot (source, as_of, state, started_at) values ($1, $2, 'running', $3) returning id`,
    [source, file.asOf, app.clock.now()],
  )
  return onlyRow(rows).id
}

const NOTHING_READ = { rowsRead: 0, rowsBad: 0, added: 0, changed: 0, removed: 0 }

async function closeSnapshot(
  app: App,
  id: number,
  state: 'finished' | 'failed',
  { rowsRead, rowsBad, added, changed, removed }: typeof NOTHING_READ,
): Promise<void> {
  await app.db.query(
    `update register_snapshot set state = $2, finished_at = $3, rows_read = $4, rows_bad = $5, added = $6, changed = $7, removed = $8
     where id = $1`,
    [id, state, app.clock.now(), rowsRead, rowsBad, added, changed, removed],
  )
}
