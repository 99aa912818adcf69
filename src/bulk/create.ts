import { lockAccount, type Origin, recordAudit } from '../accounts/index.ts'
import type { App } from '../app.ts'
import { DomainError } from '../errors.ts'
import { addSeconds } from '../lib/clock.ts'
import { onlyRow, type Tx } from '../lib/db/db.ts'
import { newId } from '../lib/ids.ts'
import { type BulkJob, type BulkOwner, getBulk } from './bulk.ts'
import { type ClassifiedRow, type SentRow, toStorable } from './classify.ts'
import { queueFeed } from './lease.ts'
import { type Mapping, saveMapping } from './mapping.ts'
import { KEPT_DAYS, type Preflight, RUNNING_MAX, readPreflight, tooManyRunning } from './preflight.ts'
import type { BulkSource } from './source.ts'

export interface NewBulk extends BulkOwner {
  name: string | null
  sent: readonly SentRow[]
  /** The file that the rows come from. */
  source: BulkSource | null
  /** The columns to use for the next file with this header. */
  saved: { key: string; mapping: Mapping } | null
  origin?: Origin | undefined
}

/** One statement inserts no more of either: a row may hold millions of characters. */
const [ROWS_AT_ONCE, CELL_CHARS_AT_ONCE] = [5_000, 4_000_000]

/** Stores every row with its first state and queues the requests. */
export async function createBulk(app: App, request: NewBulk): Promise<BulkJob> {
  const preflight = await readPreflight(app, request)
  if (preflight.creditsMax > 0) assertCredits(preflight.creditsAvailable)
  const [id, at] = [newId('blk'), app.clock.now()]
  return app.db.transaction(async (tx) => {
    await assertRoom(tx, request.accountId)
    await insertBulk(tx, { id, ...request, ...preflight, at })
    for (const part of inParts(preflight.rows)) await insertRows(tx, id, part)
    await queueFeed(app, tx, [id], at)
    if (request.saved) await saveMapping(tx, { accountId: request.accountId, ...request.saved, at })
    const { accountId, origin = null } = request
    const details = { bulk_id: id, rows: preflight.rows.length, credits_max: preflight.creditsMax }
    await recordAudit(tx, { at, accountId, action: 'bulk_created', origin, details })
    return getBulk(tx, { ...request, id, at })
  })
}

/** Refuses to start where the first row would be refused. */
export function assertCredits(available: number): void {
  if (available >= 1) return
  throw new DomainError(
    'insufficient_credits',
    'A bulk job needs at least one available credit, which is spent only on a match. This account has none.',
  )
}

/** Until the transaction ends no other request can start a bulk job of this account. */
export async function assertRoom(tx: Tx, accountId: string): Promise<void> {
  await lockAccount(tx, accountId)
  const { count } = onlyRow(
    await tx.query<{ count: number }>(
      `select count(*) as count from bulk where account_id = $1 and status = 'running'`,
      [accountId],
    ),
  )
  if (count >= RUNNING_MAX) throw tooManyRunning()
}

async function insertBulk(tx: Tx, bulk: { id: string; at: Date } & NewBulk & Preflight): Promise<void> {
  const { id, accountId, name, rows, creditsMax, source, at } = bulk
  const until = addSeconds(at, KEPT_DAYS * 86_400)
  await tx.query(
    `insert into bulk (id, account_id, name, status, row_count, credits_max, source, created_at, running_since, expires_at, fed_until)
     values ($1, $2, $3, 'running', $4, $5, $6, $7, $7, $8, $7)`,
    [id, accountId, name && toStorable(name), rows.length, creditsMax, source && JSON.stringify(source), at, until],
  )
}

/** With its cells as they are stored. */
type StoredRow = ClassifiedRow & { stored: string | null }

function* inParts(rows: readonly ClassifiedRow[]): Generator<StoredRow[]> {
  let part: StoredRow[] = []
  let chars = 0
  for (const row of rows) {
    const stored = row.cells && JSON.stringify(row.cells)
    chars += stored?.length ?? 0
    if (part.length === ROWS_AT_ONCE || (chars > CELL_CHARS_AT_ONCE && part.length > 0)) {
      yield part
      part = []
      chars = stored?.length ?? 0
    }
    part.push({ ...row, stored })
  }
  if (part.length > 0) yield part
}

async function insertRows(tx: Tx, bulkId: string, rows: readonly StoredRow[]): Promise<void> {
  await tx.query(
    `insert into bulk_row (bulk_id, row, input, kind, domain, sought, state, duplicate_of, reason)
     select $1, sent.* from unnest($2::int[], $3::text[], $4::text[], $5::text[], $6::jsonb[], $7::text[], $8::int[], $9::text[]) sent`,
    [
      bulkId,
      rows.map(({ row }) => row),
      rows.map(({ input }) => input),
      rows.map(({ kind }) => kind),
      rows.map((row) => ('domain' in row ? row.domain : null)),
      rows.map((row) => ('sought' in row ? JSON.stringify(row.sought) : null)),
      rows.map(({ state }) => state),
      rows.map((row) => (row.state === 'duplicate' ? row.duplicateOf : null)),
      rows.map(reasonOf),
    ],
  )
  const withCells = rows.filter(({ stored }) => stored !== null)
  await tx.query(
    `insert into bulk_cells (bulk_id, row, cells) select $1, sent.* from unnest($2::int[], $3::text[]) sent`,
    [bulkId, withCells.map(({ row }) => row), withCells.map(({ stored }) => stored)],
  )
}

function reasonOf(row: ClassifiedRow): string | null {
  if (row.state === 'invalid') return row.reason
  if (row.state !== 'duplicate') return null
  return `The same ${row.kind === 'domain' ? 'domain' : 'company'} as row ${row.duplicateOf}.`
}
