import { BUNDLE_FORMAT, type Bundle, parseRecord } from '../../../packages/evidence-check/index.ts'
import type { KeyMode } from '../../accounts/index.ts'
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import type { Db } from '../../lib/db/db.ts'
import { isRefunded } from '../../resolution/index.ts'

export interface StoredRecord {
  id: string
  resolutionId: string
  record: string
  jws: string
  stamp: Buffer | null
}

const COLUMNS = 'id, resolution_id as "resolutionId", record, jws, stamp'

export async function findRecord(
  db: Db,
  key: { accountId: string; mode: string; resolutionId: string; contentHash: Buffer },
): Promise<StoredRecord | null> {
  const [row] = await db.query<StoredRecord>(
    `select ${COLUMNS} from evidence_record
     where account_id = $1 and resolution_id = $2 and content_hash = $3 and mode = $4`,
    [key.accountId, key.resolutionId, key.contentHash, key.mode],
  )
  return row ?? null
}

export interface RecordEntry {
  id: string
  madeAt: Date
}

/** An answer has few: one for each content that it had when the account asked. */
const LISTED_MAX = 50

/** Returns the newest records that the account has of an answer, newest first. */
export async function listRecordsOf(
  db: Db,
  of: { accountId: string; mode: KeyMode; resolutionId: string },
): Promise<RecordEntry[]> {
  return db.query<RecordEntry>(
    `select id, made_at as "madeAt" from evidence_record where account_id = $1 and resolution_id = $2 and mode = $3
     order by made_at desc, id limit $4`,
    [of.accountId, of.resolutionId, of.mode, LISTED_MAX],
  )
}

/** Returns a record of the account in this mode. Throws `not_found` for any other, and where the match was refunded. */
export async function getRecord(
  app: App,
  { id, accountId, mode }: { id: string; accountId: string; mode: KeyMode },
): Promise<StoredRecord> {
  const [row] = await app.db.query<StoredRecord>(
    `select ${COLUMNS} from evidence_record where id = $1 and account_id = $2 and mode = $3`,
    [id, accountId, mode],
  )
  if (!row) throw new DomainError('not_found', 'There is no such evidence record. Its id begins with `evd_`.')
  if (await isClosed(app, row, accountId)) {
    throw new DomainError(
      'not_found',
      'Your account disputed this match and got a refund, so its evidence is closed. Withdraw the dispute and resolve the domain again to open it.',
    )
  }
  return row
}

export type RecordByAddress = { state: 'kept'; record: StoredRecord } | { state: 'closed' | 'erased' }

/**
 * Returns the record with an id, for people who have its document and no account. The id is the permission: it is on the document
 * and cannot be guessed. What they are shown of it is for the page to choose. Null for an id that never was.
 */
export async function findRecordByAddress(app: App, id: string): Promise<RecordByAddress | null> {
  const [row] = await app.db.query<StoredRecord & { accountId: string; mode: KeyMode }>(
    `select ${COLUMNS}, account_id as "accountId", mode from evidence_record where id = $1`,
    [id],
  )
  if (!row) return (await findErasedSeal(app.db, id)) ? { state: 'erased' } : null
  return (await isClosed(app, row, row.accountId)) ? { state: 'closed' } : { state: 'kept', record: row }
}

/** Returns the seal of a record that was erased with its account: the hash of what it said and of its signature. */
export async function findErasedSeal(db: Db, id: string): Promise<Buffer | null> {
  const [row] = await db.query<{ seal: Buffer }>('select seal from erased_evidence where id = $1', [id])
  return row?.seal ?? null
}

/** Whether the account disputed the match and got its credit back. */
async function isClosed(app: App, { record }: StoredRecord, accountId: string): Promise<boolean> {
  const about = parseRecord(record)
  const companyNumber = about?.answer.company_number
  if (!about || !companyNumber) return false
  const fact = { domain: about.question.domain, companyNumber }
  return isRefunded(app.db, { accountId, fact, at: app.clock.now() })
}

/** Returns the record with all that seals it. */
export function sealRecord({ config }: Pick<App, 'config'>, { id, record, jws, stamp }: StoredRecord): Bundle {
  const state = stamp ? 'stamped' : config.timeStamp ? 'pending' : 'off'
  const at = (path: string) => new URL(path, config.siteUrl).href
  return {
    format: BUNDLE_FORMAT,
    id,
    record,
    jws,
    time_stamp: { state, token: stamp && stamp.toString('base64') },
    keys_url: at(KEYS_PATH),
    verify_url: at('/verify'),
  }
}

export const KEYS_PATH = '/.well-known/nameplate-evidence-keys.json'
