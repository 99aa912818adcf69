/**
 * A later file as a difference: every line is compared by its hash with those that our rows were made from, and only what
 * differs is parsed and written, in one transaction. What the stream sent since the file's day stays.
 */
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { to as copyTo } from 'pg-copy-streams'
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import type { Tx } from '../../lib/db/db.ts'
import type { ImportProgress } from '../import/progress.ts'
import { applyPscs, type IncomingPsc, type KnownPsc } from './apply-pscs.ts'
import { KnownLines } from './known-lines.ts'
import { readSnapshot, type SnapshotRead } from './read-snapshot.ts'
import type { PscSnapshot } from './snapshot-parts.ts'

const BATCH = 1_000
const GONE_BATCH = 50_000
/** A month ends far fewer; a file without a fifth of our rows was cut off. */
const REMOVED_SHARE_MAX = 0.2
const REMOVED_ALWAYS = 100

export interface PscImported extends SnapshotRead {
  added: number
  changed: number
  removed: number
}

export async function applyDifference(
  app: App,
  file: PscSnapshot,
  snapshotId: number,
  progress: ImportProgress,
): Promise<PscImported> {
  const reference = String(snapshotId)
  const dayOfFile = new Date(`${file.asOf}T00:00:00Z`)
  // Changes of the file's own day may be in it or not; what the stream sent is at least as new.
  const isStale = (row: KnownPsc) => row.row_hash === null && row.changed_at >= dayOfFile
  return app.db.transaction(async (tx) => {
    // The transaction waits while pieces are compared, and there may be nothing to write for long.
    await tx.query('set local idle_in_transaction_session_timeout = 0')
    await tx.query(`set local statement_timeout = '1h'`)
    progress.say('reading what we have')
    await listUnhashed(tx, dayOfFile)
    const known = await readKnownLines(app)
    const result = { added: 0, changed: 0, removed: 0 }
    let batch = new Map<string, IncomingPsc>()
    const flush = async () => {
      const applied = await applyPscs(tx, [...batch.values()], { source: 'snapshot', isStale })
      result.added += applied.added
      result.changed += applied.changed
      batch = new Map()
    }
    const task = { kind: 'compare', known: known.memory } as const
    const read = await readSnapshot(app, {
      snapshotId,
      pieces: file.pieces(),
      task,
      progress,
      onChanged: async (changed) => {
        for (const { row, hash } of changed) {
          // Of records with the same id the last one stays.
          batch.set(`${row.company_number}/${row.psc_id}`, {
            row,
            isDeletion: false,
            rowHash: hash,
            timepoint: 0,
            at: dayOfFile,
            reference,
          })
          if (batch.size >= BATCH) await flush()
        }
      },
    })
    await flush()
    progress.say('removing what the register has removed')
    result.removed = await removeGone(tx, known, dayOfFile, read.rowsRead)
    return { ...read, ...result }
  })
}

/** Reads the hashes of the lines that our rows were made from; rows that the stream wrote have none. */
async function readKnownLines(app: App): Promise<KnownLines> {
  const client = await app.db.pool.connect()
  try {
    await client.query('begin')
    await client.query(`set local statement_timeout = '10min'`)
    const { rows: counted } = await client.query<{ count: number }>(
      'select count(*)::int as count from psc where row_hash is not null',
    )
    const known = KnownLines.forCount(counted[0]?.count ?? 0)
    const rows = client.query(copyTo('copy (select row_hash from psc where row_hash is not null) to stdout'))
    await pipeline(
      rows,
      collectNumbers((hash) => known.add(hash)),
    )
    await client.query('commit')
    return known
  } finally {
    client.release(true)
  }
}

function collectNumbers(add: (value: number) => void): Writable {
  let rest = ''
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      const lines = (rest + chunk.toString('latin1')).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) add(Number(line))
      done()
    },
  })
}

/** Lists the rows that no file has made, as they are now: one that an event writes meanwhile may be in the file. */
async function listUnhashed(tx: Tx, dayOfFile: Date): Promise<void> {
  await tx.query('create temporary table psc_unhashed (company_number text, psc_id text) on commit drop')
  await tx.query(
    'insert into psc_unhashed select company_number, psc_id from psc where row_hash is null and changed_at < $1',
    [dayOfFile],
  )
}

/** Names of removed people leave earlier signals; see people/removals.ts. */
const QUEUE_NAMES = `insert into person_removal (company_number, name, reason)
  select distinct company_number, name, 'deleted' from removed where name is not null and kind like 'individual%'
  on conflict do nothing`

/** Deletes rows whose line the file no longer has, and rows of before that it does not have either. Removed people make no signal. */
async function removeGone(tx: Tx, known: KnownLines, dayOfFile: Date, rowsRead: number): Promise<number> {
  await tx.query('create temporary table psc_gone (row_hash bigint) on commit drop')
  let batch: number[] = []
  const flush = async () => {
    await tx.query('insert into psc_gone select * from unnest($1::bigint[])', [batch])
    batch = []
  }
  for (const hash of known.unseen()) {
    batch.push(hash)
    if (batch.length >= GONE_BATCH) await flush()
  }
  await flush()
  // A changed row has its new line's hash by now.
  const gone = await tx.query(
    `with removed as (
       delete from psc using psc_gone where psc.row_hash = psc_gone.row_hash returning company_number, name, kind
     ), names as (${QUEUE_NAMES}) select count(*)::int as count from removed`,
  )
  const older = await tx.query(
    `with removed as (
       delete from psc using psc_unhashed as older
       where psc.company_number = older.company_number and psc.psc_id = older.psc_id
         and psc.row_hash is null and psc.changed_at < $1
       returning is_deleted, psc.company_number, name, kind
     ), names as (${QUEUE_NAMES}) select count(*) filter (where not is_deleted)::int as count from removed`,
    [dayOfFile],
  )
  const removed = Number(gone[0]?.['count'] ?? 0) + Number(older[0]?.['count'] ?? 0)
  if (removed > Math.max(REMOVED_ALWAYS, rowsRead * REMOVED_SHARE_MAX)) {
    throw new DomainError(
      'invalid_request',
      `This file lacks ${removed} records that we have, too many for its day. It may be cut off; nothing was changed.`,
    )
  }
  return removed
}
