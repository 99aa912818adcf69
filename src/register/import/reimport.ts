import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { to as copyTo } from 'pg-copy-streams'
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import type { Tx } from '../../lib/db/db.ts'
import { type Applied, type ApplyOptions, applyCompanies, type IncomingCompany } from '../apply-companies.ts'
import { COMPANY_COLUMNS, type Company, type CompanyRow, isUkEstablishment, toCompany } from '../company.ts'
import { updateSearchIndex } from '../search/search-index.ts'
import { OFF_REGISTER } from '../vocabulary.ts'
import type { SnapshotFile } from './file.ts'
import { KnownRows } from './known-rows.ts'
import type { LoadResult } from './load.ts'
import { cutPieces } from './pieces.ts'
import type { ImportProgress } from './progress.ts'
import type { PieceResult, ThreadTask } from './thread.ts'
import { runInThreads } from './threads.ts'

const IMPORT_THREADS = { url: new URL('./thread.ts', import.meta.url), threadCount: 2 }
const BATCH = 1_000
const SEARCH_BATCH = 10_000
/** A month removes about one company in a hundred; a file without a fifth of the register was cut off. */
const REMOVED_SHARE_MAX = 0.2

/**
 * A later snapshot as a difference: every line is compared by its hash with what we have, and only what differs is
 * parsed and written, in one transaction. What a stream sent after the snapshot's day stays.
 */
export async function reimportSnapshot(
  app: App,
  file: SnapshotFile,
  snapshotId: number,
  progress: ImportProgress,
): Promise<Omit<LoadResult, 'indexSeconds'> & Applied & { removed: number; searchIndexSeconds: number }> {
  progress.say('reading what we have')
  const known = await readKnownRows(app)
  const result = {
    rowsRead: 0,
    rowsBad: 0,
    badLines: [] as string[],
    added: 0,
    changed: 0,
    removed: 0,
    searchIndexSeconds: 0,
  }
  const at = app.clock.now()
  // Changes of the snapshot's own day may be in it or not; ours are at least as new.
  const asOf = file.asOf ? new Date(`${file.asOf}T00:00:00Z`) : at
  const isStale = (company: Company) => company.source !== 'snapshot' && company.changedAt >= asOf
  const searchLater: string[] = []
  const options = { source: 'snapshot', reference: String(snapshotId), at, isStale, searchLater } as const

  await app.db.transaction(async (tx) => {
    // The transaction waits while pieces are compared, and there may be nothing to write for long.
    await tx.query('set local idle_in_transaction_session_timeout = 0')
    let batch: IncomingCompany[] = []
    const flush = async () => {
      const applied = await applyCompanies(tx, batch, options)
      result.added += applied.added
      result.changed += applied.changed
      batch = []
    }
    const pieces = cutPieces(await file.open())
    const task: ThreadTask = { kind: 'compare', known: known.memory }
    for await (const piece of runInThreads<PieceResult>(pieces, { ...IMPORT_THREADS, task })) {
      result.rowsRead += piece.rows
      result.rowsBad += piece.bad
      result.badLines.push(...piece.badLines.slice(0, Math.max(0, 5 - result.badLines.length)))
      progress.advance(piece.bytes, piece.rows)
      for (const { facts, rowHash } of piece.changed) {
        batch.push({ facts, rowHash, timepoint: 0 })
        if (batch.length >= BATCH) await flush()
      }
    }
    await flush()
    progress.say('marking companies that left the register')
    const gone = [...known.unseen()].filter((number) => !isUkEstablishment(number))
    result.removed = await markRemoved(tx, gone, options, result.rowsRead)
    progress.say('updating the search')
    const startedAt = performance.now()
    await updateInBatches(tx, searchLater)
    result.searchIndexSeconds = (performance.now() - startedAt) / 1_000
  })
  return result
}

/** Reads the companies on the live register, which are all that a snapshot holds, with the hash of their line; 0 for rows that a stream has changed since. */
async function readKnownRows(app: App): Promise<KnownRows> {
  const live = `status <> all('{${OFF_REGISTER.join(',')}}')`
  const [{ count } = { count: 0 }] = await app.db.query<{ count: number }>(
    `select count(*)::int as count from company where ${live}`,
  )
  const known = KnownRows.forCount(count)
  const client = await app.db.pool.connect()
  try {
    await client.query('begin')
    await client.query(`set local statement_timeout = '10min'`)
    const rows = client.query(
      copyTo(`copy (select number, coalesce(row_hash, 0) from company where ${live}) to stdout`),
    )
    await pipeline(
      rows,
      collectRows((number, rowHash) => known.add(number, rowHash)),
    )
    await client.query('commit')
  } finally {
    client.release(true)
  }
  return known
}

function collectRows(add: (number: string, rowHash: number) => void): Writable {
  let rest = ''
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      const lines = (rest + chunk.toString('latin1')).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) add(line.slice(0, 8), Number(line.slice(9)))
      done()
    },
  })
}

async function updateInBatches(tx: Tx, numbers: readonly string[]): Promise<void> {
  for (let start = 0; start < numbers.length; start += SEARCH_BATCH) {
    await updateSearchIndex(tx, numbers.slice(start, start + SEARCH_BATCH))
  }
}

/**
 * The snapshot holds all live companies, establishments aside, and only those: one that is missing has been dissolved or
 * closed. When, it does not say; the date stays empty until a stream or REST has it.
 */
async function markRemoved(tx: Tx, numbers: readonly string[], options: ApplyOptions, known: number): Promise<number> {
  if (numbers.length > Math.max(100, known * REMOVED_SHARE_MAX)) {
    throw new DomainError(
      'invalid_request',
      `This snapshot lacks ${numbers.length} companies that we have, too many for a month. It may be cut off; nothing was changed.`,
    )
  }
  let removed = 0
  for (let start = 0; start < numbers.length; start += BATCH) {
    const rows = await tx.query<CompanyRow>(`select ${COMPANY_COLUMNS} from company where number = any($1)`, [
      numbers.slice(start, start + BATCH),
    ])
    const gone = rows.map((row) => ({
      facts: { ...toCompany(row), status: 'dissolved', statusDetail: null },
      rowHash: null,
      timepoint: 0,
    }))
    removed += (await applyCompanies(tx, gone, options)).changed
  }
  return removed
}
