import { setTimeout as sleep } from 'node:timers/promises'
import { signText } from '../../../packages/evidence-check/index.ts'
import { assertOpenAccount, findAccount, type Origin, recordAudit } from '../../accounts/index.ts'
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Tx } from '../../lib/db/db.ts'
import { newId } from '../../lib/ids.ts'
import { keepLonger, keptSealedUntil } from '../../page-archive/index.ts'
import { readEvidencePack } from '../../resolution/index.ts'
import { getEvidenceKey } from '../keys.ts'
import { hashContent, toCanonical } from './canonical.ts'
import { composeContent } from './content.ts'
import { readRegisterContent } from './register-content.ts'
import { findRecord, type StoredRecord } from './stored-record.ts'

type Requester = Parameters<typeof readRegisterContent>[1]

export interface MadeRecord {
  record: StoredRecord
  /** False where the same content had a record already. */
  isNew: boolean
}

export const STAMP_RECORD_JOB = 'evidence.stamp_record'

/**
 * Makes the record of an answer for an account, or returns the one that it has with the same content. Returns null where
 * there is no such answer; throws `not_found` where the account got its credit back, or is not in use any more.
 */
export async function makeRecord(
  app: App,
  { resolutionId, origin, ...requester }: Requester & { resolutionId: string; origin: Origin },
): Promise<MadeRecord | null> {
  const { accountId, mode } = requester
  const fixed = mode === 'test' ? { ...app, clock: startOfDay(app.clock) } : app
  const pack = await readEvidencePack(fixed, { resolutionId, accountId, mode, whyNot: null })
  if (!pack) return null
  const register = await readRegisterContent(fixed, requester, pack)
  const content = composeContent(app, { pack, register, accountId, mode })
  const key = { accountId, mode, resolutionId, contentHash: hashContent(content) }
  const known = await findRecord(app.db, key)
  if (known) {
    if (mode === 'live') await app.db.transaction((tx) => keepPagesOf(tx, key, app.clock.now()))
    return { record: known, isNew: false }
  }
  const isNew = await storeRecord(app, { ...key, content, origin })
  if (app.config.timeStamp) await waitForStamp(app, key)
  const record = await findRecord(app.db, key)
  if (!record) throw new DomainError('not_found', 'The record was erased with its account.')
  return { record, isNew }
}

/** Test mode gives answers of this very moment. With the day's first one, their record is the same all day. */
function startOfDay(clock: Clock): Clock {
  return { now: () => new Date(`${clock.now().toISOString().slice(0, 10)}T00:00:00.000Z`) }
}

/** Signs and stores the record. Returns false where another request stored the same content first. */
async function storeRecord(
  app: App,
  of: {
    accountId: string
    mode: 'live' | 'test'
    resolutionId: string
    contentHash: Buffer
    content: object
    origin: Origin
  },
): Promise<boolean> {
  return app.db.transaction(async (tx) => {
    await assertOpenAccount(tx, of.accountId)
    if (of.mode === 'live') await keepPagesOf(tx, of, app.clock.now())
    const signer = await getEvidenceKey(app, tx)
    const [id, at] = [newId('evd'), app.clock.now()]
    const record = toCanonical({ ...of.content, id, made_at: at.toISOString() })
    const jws = signText(record, signer)
    // The unique index decides between requests for the same content: all but the first wait here until it has committed.
    const [stored] = await tx.query(
      `insert into evidence_record (id, account_id, mode, resolution_id, content_hash, record, jws, made_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (account_id, resolution_id, content_hash) do nothing returning id`,
      [id, of.accountId, of.mode, of.resolutionId, of.contentHash, record, jws, at],
    )
    if (!stored) return false
    const { accountId, mode, origin } = of
    const details = { evidence_id: id, resolution_id: of.resolutionId }
    await recordAudit(tx, { at, accountId, action: 'evidence_sealed', origin, mode, details })
    if (app.config.timeStamp) await app.jobs.enqueueAll(tx, { name: STAMP_RECORD_JOB }, [{ payload: { recordId: id } }])
    return true
  })
}

/** The document of a record has the pages attached whenever it is made. */
async function keepPagesOf(tx: Tx, of: { accountId: string; resolutionId: string }, at: Date): Promise<void> {
  const account = await findAccount(tx, of.accountId)
  if (!account) throw new Error(`the account ${of.accountId} that seals is not there`)
  await keepLonger(tx, [{ resolutionId: of.resolutionId, keptUntil: keptSealedUntil(at, account.plan) }])
}

const WAIT_MS = 3_000
const LOOK_EVERY_MS = 100

/** A worker asks the authority. Most stamps come at once; a record without one says so and gets it later. */
async function waitForStamp(app: App, key: Parameters<typeof findRecord>[1]): Promise<void> {
  const until = performance.now() + WAIT_MS
  while (performance.now() < until) {
    if ((await findRecord(app.db, key))?.stamp) return
    await sleep(LOOK_EVERY_MS)
  }
}
