/**
 * Brings persons with significant control to the register's own file of all of them: copied aside and put in place the first
 * time, compared after that. Safe while serving, and to run again after it was cut off.
 */
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import { readDonePieces, skipDone } from '../import/load.ts'
import type { ImportProgress } from '../import/progress.ts'
import { beginLoad, closeSnapshot, importAlone, NOTHING_READ, openSnapshot } from '../import/record.ts'
import { swapIn } from '../import/swap.ts'
import { removeWithheld } from '../people/sweep-withheld.ts'
import { applyDifference, type PscImported } from './difference.ts'
import { PSC_COLUMN_NAMES } from './psc-row.ts'
import { PSC_STREAM_NAMES } from './psc-streams.ts'
import { readSnapshot } from './read-snapshot.ts'
import type { PscSnapshot } from './snapshot-parts.ts'
import type { PscThreadTask } from './thread.ts'

export interface PscImportReport extends PscImported {
  kind: 'first load' | 'difference'
  seconds: number
}

const LOAD_TABLE = 'psc_load'

export function importPscs(app: App, file: PscSnapshot, progress: ImportProgress): Promise<PscImportReport> {
  return importAlone(app, 'pscs', () => importFile(app, file, progress))
}

async function importFile(app: App, file: PscSnapshot, progress: ImportProgress): Promise<PscImportReport> {
  await assertNewer(app, file)
  const snapshotId = await openSnapshot(app, { product: 'pscs', name: file.name, bytes: file.bytes, asOf: file.asOf })
  const startedAt = performance.now()
  try {
    const isFirst = (await readLastDay(app)) === null
    const report = isFirst
      ? { kind: 'first load' as const, ...(await firstLoad(app, file, snapshotId, progress)) }
      : { kind: 'difference' as const, ...(await applyDifference(app, file, snapshotId, progress)) }
    const finished = { ...report, seconds: (performance.now() - startedAt) / 1_000 }
    await closeSnapshot(app, snapshotId, 'finished', finished)
    // The file has what the streams missed before its day.
    await app.db.query(
      `update register_stream set gap_since = null, gap_until = null
       where name = any (${PSC_STREAM_NAMES}) and coalesce(gap_until, gap_since) < $1`,
      [file.asOf],
    )
    return finished
  } catch (error) {
    await closeSnapshot(app, snapshotId, 'failed', NOTHING_READ)
    throw error
  }
}

async function readLastDay({ db }: Pick<App, 'db'>): Promise<string | null> {
  const [last] = await db.query<{ asOf: string }>(
    `select as_of as "asOf" from register_snapshot where product = 'pscs' and state = 'finished' order by as_of desc limit 1`,
  )
  return last?.asOf ?? null
}

async function assertNewer(app: App, { asOf }: PscSnapshot): Promise<void> {
  const last = await readLastDay(app)
  if (last === null || asOf >= last) return
  throw new DomainError(
    'invalid_request',
    `We have the file of ${last}; one of ${asOf} would bring back what has ended since.`,
  )
}

async function firstLoad(
  app: App,
  file: PscSnapshot,
  snapshotId: number,
  progress: ImportProgress,
): Promise<PscImported> {
  const done = await readDonePieces(app, snapshotId)
  const isResumed = done.pieces.size > 0
  await beginLoad(app, { product: 'pscs', table: 'psc', loadTable: LOAD_TABLE, isResumed })
  const task: PscThreadTask = {
    kind: 'load',
    databaseUrl: app.config.databaseUrl,
    table: LOAD_TABLE,
    snapshotId,
    // Rows of the file are older than anything the stream sends on its day.
    changedAt: `${file.asOf}T00:00:00Z`,
  }
  const pieces = skipDone(file.pieces(), done.pieces, (bytes) => progress.advance(bytes, 0))
  const before = { ...done, badLines: [] }
  const read = await readSnapshot(app, { snapshotId, pieces, task, progress, before })
  progress.say('building indexes')
  await app.db.transaction((tx) =>
    swapIn(tx, {
      table: 'psc',
      loadTable: LOAD_TABLE,
      key: 'company_number, psc_id',
      beforeSwap: async () => {
        // What the stream and REST have written since the file's day is newer and stays.
        await tx.query('lock table psc in exclusive mode')
        await tx.query(KEEP_NEWER, [file.asOf])
      },
    }),
  )
  // The planner knows nothing of a new table until it is analysed.
  await app.db.transaction(async (tx) => {
    await tx.query(`set local statement_timeout = '1h'`)
    await tx.query('analyze psc')
  })
  await removeWithheld(app)
  return { ...read, added: read.rowsRead - read.rowsBad, changed: 0, removed: 0 }
}

const ALL_COLUMNS = [...PSC_COLUMN_NAMES, 'is_deleted', 'row_hash', 'timepoint', 'changed_at']
const KEEP_NEWER = `insert into ${LOAD_TABLE} (${ALL_COLUMNS.join(', ')})
  select ${ALL_COLUMNS.join(', ')} from psc where changed_at >= $1::date
  on conflict (company_number, psc_id) do update set ${ALL_COLUMNS.slice(2)
    .map((name) => `${name} = excluded.${name}`)
    .join(', ')}`
