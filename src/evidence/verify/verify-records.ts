/**
 * Checks everything that is stored: each record against its signature, its stamp and the entry of its making in the audit log. A
 * record that was removed is missed by that entry, and a planted one has none. It reads in batches, so any number of records
 * takes little memory.
 */
import { parsePublishedKeys } from '../../../packages/evidence-check/index.ts'
import type { App } from '../../app.ts'
import { listDocumentCertificates } from '../document/certificates.ts'
import { listEvidenceKeys, readPublishedKeys } from '../keys.ts'
import { type Checking, checkRecord, type Making, type StoredRow } from './check-record.ts'

export interface RecordsReport {
  ok: boolean
  records: number
  /** Records that were erased with their account. */
  erased: number
  problems: Array<{ kind: string; where: string; says: string }>
  problems_total: number
}

const BATCH_RECORDS = 500
/** Many problems of one kind must not hide another kind. */
const PROBLEMS_OF_KIND_MAX = 20
/** A job asks for late stamps every ten minutes. */
const STAMP_WITHIN_MS = 86_400_000

export async function verifyRecords(app: App, onProgress: (records: number) => void): Promise<RecordsReport> {
  const published = parsePublishedKeys(await readPublishedKeys(app))
  const report: RecordsReport = { ok: true, records: 0, erased: 0, problems: [], problems_total: 0 }
  const say: Checking['say'] = (kind, where, says) => {
    report.ok = false
    report.problems_total += 1
    const same = report.problems.filter((problem) => problem.kind === kind).length
    if (same < PROBLEMS_OF_KIND_MAX) report.problems.push({ kind, where, says })
  }
  const stampedBefore = app.config.timeStamp && new Date(app.clock.now().getTime() - STAMP_WITHIN_MS)
  await checkKeys(app, say)
  await app.db.transaction(async (tx) => {
    await tx.query(`set local statement_timeout = '1h'`)
    await tx.query(`declare compared no scroll cursor for ${RECORDS_AND_MAKINGS}`)
    for (;;) {
      const pairs = await tx.query<Pair>(`fetch ${BATCH_RECORDS} from compared`)
      for (const pair of pairs) {
        if (pair.id !== null) report.records += 1
        else if (pair.isErased) report.erased += 1
        comparePair(app, pair, { published, say, stampedBefore })
      }
      onProgress(report.records)
      if (pairs.length < BATCH_RECORDS) break
    }
    await tx.query('close compared')
  })
  return report
}

/** A record and the entry of its making; the members of one that is not there are null. */
type Pair = (StoredRow | { id: null }) &
  (Making | { auditedAt: null }) & {
    /** As the audit log names it; null where that was erased with the account. */
    auditedId: string | null
    /** Whether the account was erased since, as its audit log says too: a time in its row alone is easily written. */
    isErased: boolean
  }

function comparePair(app: App, pair: Pair, checking: Checking): void {
  const { say } = checking
  if (pair.id !== null && pair.auditedAt !== null) return checkRecord(app, pair, pair, checking)
  if (pair.id !== null) return say('record_not_audited', pair.id, 'No audit log has the making of this record.')
  if (pair.auditedAt === null || pair.isErased) return
  say('record_removed', pair.auditedId ?? pair.auditedAccountId, 'The audit log has its making, and it is not there.')
}

const RECORDS_AND_MAKINGS = `select record.id, record.account_id as "accountId", record.mode,
    record.resolution_id as "resolutionId", record.record, record.jws, record.stamp, record.made_at as "madeAt",
    making.id as "auditedId", making.account_id as "auditedAccountId", making.at as "auditedAt",
    record.id is null and exists (
      select from audit_event erased where erased.account_id = making.account_id and erased.seq > making.seq
        and erased.action = 'account_erased') as "isErased"
  from (
    select details ->> 'evidence_id' as id, account_id, at, seq from audit_event where action = 'evidence_sealed'
  ) making full join evidence_record record on record.id = making.id`

async function checkKeys(app: App, say: Checking['say']): Promise<void> {
  for (const { id, isOurs } of await listEvidenceKeys(app)) {
    if (!isOurs) say('key_planted', `key ${id}`, 'Its sealed private half does not prove that we made it.')
  }
  for (const { id, isOurs } of await listDocumentCertificates(app)) {
    if (!isOurs) say('certificate_planted', `certificate ${id}`, 'Its sealed key does not prove that it signed for us.')
  }
}
