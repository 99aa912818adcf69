/** The state of sealed evidence for metrics: late stamps, the daily anchor, and keys that are not published. */
import type { App } from '../app.ts'
import { listDocumentCertificates } from './document/certificates.ts'
import { listEvidenceKeys } from './keys.ts'

export interface EvidenceState {
  /** Records and anchors of the audit log without a stamp an hour later, at most. 0 without an authority. */
  lateStamps: number
  /** When the audit logs were anchored last; null where they never were. */
  anchoredAt: Date | null
  /** Keys and certificates that no sealing key opens. */
  unpublishedKeys: number
}

const STAMP_WITHIN_MS = 3_600_000
const LATE_MAX = 10_000

export async function readEvidenceState(app: Pick<App, 'db' | 'secrets' | 'config' | 'clock'>): Promise<EvidenceState> {
  const [row] = await app.db.query<{ late: number; anchoredAt: Date | null }>(
    `select (select count(*) from (
         (select 1 from evidence_record where stamp is null and made_at < $1 limit $2)
         union all (select 1 from audit_anchor where stamp is null and made_at < $1 limit $2)
       ) unstamped)::integer as late,
       (select made_at from audit_anchor order by number desc limit 1) as "anchoredAt"`,
    [new Date(app.clock.now().getTime() - STAMP_WITHIN_MS), LATE_MAX],
  )
  const keys = [...(await listEvidenceKeys(app)), ...(await listDocumentCertificates(app))]
  return {
    lateStamps: app.config.timeStamp ? (row?.late ?? 0) : 0,
    anchoredAt: row?.anchoredAt ?? null,
    unpublishedKeys: keys.filter(({ isOurs }) => !isOurs).length,
  }
}
