/**
 * Anchors of the audit log: once a day a digest over the ends of all chains is signed with the key of evidence records, and
 * time-stamped. Each covers the one before it, so the newest that anyone kept elsewhere proves all of them.
 */
import { signHead } from '../../../packages/evidence-check/index.ts'
import { digestHeads, storeHeads } from '../../accounts/index.ts'
import type { App } from '../../app.ts'
import type { Db } from '../../lib/db/db.ts'
import { getEvidenceKey } from '../keys.ts'

export interface AuditAnchor {
  /** From 1 without gaps. */
  number: number
  /** Chains that grew since the anchor before. */
  chains: number
  root: Buffer
  madeAt: Date
  checkpoint: string
  stamp: Buffer | null
}

/** The first anchor covers it in place of an earlier one. */
export const FIRST_ROOT = Buffer.alloc(32)

const ANCHOR_LOCK = 7_302_651_188

const ANCHOR = `number::float8 as number, chains::float8 as chains, root, made_at as "madeAt", checkpoint, stamp`

/** The name in signed anchors; it is not that of the evidence log, so neither can be shown as the other. */
export const anchorOrigin = ({ config }: Pick<App, 'config'>): string => `${config.siteUrl.host}${ORIGIN_END}`

/** Earlier ones stay valid under another host. */
export const isAnchorOrigin = (origin: string): boolean => origin.endsWith(ORIGIN_END)

const ORIGIN_END = '/audit-anchors'

/** Makes the anchor of today, writes its digest to the log, and returns it; null where there is one. */
export async function anchorAudit(app: App): Promise<AuditAnchor | null> {
  const anchor = await makeAnchor(app)
  if (anchor) {
    const { number, chains, root } = anchor
    // A copy of this line, kept elsewhere, proves that no anchor up to this one was exchanged.
    app.log.info({ event: 'evidence.audit_anchored', number, chains, digest: root.toString('hex') })
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
    const { chains, digest: root } = await digestHeads(tx, { anchor: number, previous: last?.root ?? FIRST_ROOT })
    const checkpoint = signHead({ origin: anchorOrigin(app), size: number, root, madeAt }, signer)
    await tx.query(
      `insert into audit_anchor (number, chains, root, made_at, key_id, checkpoint) values ($1, $2, $3, $4, $5, $6)`,
      [number, chains, root, madeAt, signer.id, checkpoint],
    )
    return { number, chains, root, madeAt, checkpoint, stamp: null }
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
