/**
 * Anchors of the audit log: once a day a digest over the ends of all chains is signed with the key of evidence records, and
 * time-stamped. Each covers the one before it, so the newest that anyone kept elsewhere proves all of them.
 */
import { signText } from '../../../packages/evidence-check/index.ts'
import { digestHeads, storeHeads } from '../../accounts/index.ts'
import type { App } from '../../app.ts'
import type { Db } from '../../lib/db/db.ts'
import { getEvidenceKey } from '../keys.ts'

export interface AuditAnchor {
  /** From 1 without gaps. */
  number: number
  /** Chains that grew since the anchor before. */
  chains: number
  digest: Buffer
  madeAt: Date
  jws: string
  stamp: Buffer | null
}

/** The first anchor covers it in place of an earlier one. */
export const FIRST_DIGEST = Buffer.alloc(32)

const ANCHOR_LOCK = 7_302_651_188

const ANCHOR = `number::float8 as number, chains::float8 as chains, digest, made_at as "madeAt", jws, stamp`

/** The text that is signed. No record has this kind, so neither can be shown as the other. */
export function anchorText({ number, digest, madeAt }: Pick<AuditAnchor, 'number' | 'digest' | 'madeAt'>): string {
  const made_at = madeAt.toISOString()
  return JSON.stringify({ digest: digest.toString('hex'), kind: 'nameplate.audit_anchor', made_at, number })
}

/** Makes the anchor of today, writes its digest to the log, and returns it; null where there is one. */
export async function anchorAudit(app: App): Promise<AuditAnchor | null> {
  const anchor = await makeAnchor(app)
  if (anchor) {
    const { number, chains, digest } = anchor
    // A copy of this line, kept elsewhere, proves that no anchor up to this one was exchanged.
    app.log.info({ event: 'evidence.audit_anchored', number, chains, digest: digest.toString('hex') })
  }
  return anchor
}

async function makeAnchor(app: App): Promise<AuditAnchor | null> {
  const madeAt = app.clock.now()
  return app.db.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [ANCHOR_LOCK])
    const [last] = await tx.query<AuditAnchor>(`select ${ANCHOR} from audit_anchor order by number desc limit 1`)
    if (last && dayOf(last.madeAt) >= dayOf(madeAt)) return null
    const number = (last?.number ?? 0) + 1
    const signer = await getEvidenceKey(app, tx)
    await storeHeads(tx, number)
    const { chains, digest } = await digestHeads(tx, { anchor: number, previous: last?.digest ?? FIRST_DIGEST })
    const jws = signText(anchorText({ number, digest, madeAt }), signer)
    await tx.query('insert into audit_anchor (number, chains, digest, made_at, jws) values ($1, $2, $3, $4, $5)', [
      number,
      chains,
      digest,
      madeAt,
      jws,
    ])
    return { number, chains, digest, madeAt, jws, stamp: null }
  })
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10)

/** Returns the next anchors after a number. */
export async function listAnchors(db: Db, { after, limit }: { after: number; limit: number }): Promise<AuditAnchor[]> {
  return db.query<AuditAnchor>(`select ${ANCHOR} from audit_anchor where number > $1 order by number limit $2`, [
    after,
    limit,
  ])
}
