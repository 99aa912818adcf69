/**
 * Compares the audit logs with their anchors: each anchor with its signature, its stamp and the rows it covers, then these rows with
 * the chains as they are. A chain that was made again in full fits itself, and not its anchor.
 */
import { type ChainProblem, compareHeads, digestHeads, hasEntriesBefore } from '../../accounts/index.ts'
import type { App } from '../../app.ts'
import type { Tx } from '../../lib/db/db.ts'
import { type AuditAnchor, FIRST_ROOT, isAnchorOrigin, listAnchors } from '../anchor/anchor-audit.ts'
import { sealOfHead } from '../check/check-bundle.ts'
import { openHead } from '../check/checkpoint.ts'
import { isActiveAt, parsePublishedKeys } from '../check/published-keys.ts'
import { readPublishedKeys } from '../keys.ts'
import { type Checking, checkStampOf } from './check-entry.ts'

export interface VerifiedAnchors {
  anchors: number
  /** The digest of the newest one in hex; null where there is none. */
  newest: string | null
  problems: ChainProblem[]
}

const BATCH_ANCHORS = 100
/** A job makes one every day. */
const ANCHOR_WITHIN_MS = 2 * 86_400_000
const STAMP_WITHIN_MS = 86_400_000

/** Verifies all anchors, and the chains of all accounts or of one against them. `kept` is a digest that must be among them. */
export async function verifyAnchors(
  app: App,
  { accountId, kept }: { accountId: string | null; kept: string | null },
): Promise<VerifiedAnchors> {
  const published = parsePublishedKeys(await readPublishedKeys(app))
  const at = app.clock.now().getTime()
  return app.db.transaction(async (tx) => {
    await tx.query('set transaction isolation level repeatable read, read only')
    const problems: ChainProblem[] = []
    const say = (_kind: string, where: string, says: string) =>
      problems.push({ accountId: null, kind: 'anchor', seq: null, id: null, words: `${where}: ${says}` })
    const stampedBefore = app.config.timeStamp && new Date(at - STAMP_WITHIN_MS)
    const { last, isKept } = await walkAnchors(tx, { published, say, stampedBefore, kept })
    const neededBy = new Date(at - ANCHOR_WITHIN_MS)
    if (last ? last.madeAt < neededBy : await hasEntriesBefore(tx, neededBy)) {
      say('', 'anchors', last ? `The newest is of ${last.madeAt.toISOString()}, and a job makes one every day.` : NONE)
    }
    if (kept !== null && !isKept) say('', 'anchors', `None has the digest ${kept}: those that were signed are gone.`)
    problems.push(...(await compareHeads(tx, accountId)))
    return { anchors: last?.number ?? 0, newest: last?.root.toString('hex') ?? null, problems }
  })
}

const NONE = 'There is none, though there are entries older than two days, and a job makes one every day.'

async function walkAnchors(tx: Tx, checking: Checking & { kept: string | null }) {
  let last: AuditAnchor | null = null
  let isKept = false
  for (;;) {
    const anchors = await listAnchors(tx, { after: last?.number ?? 0, limit: BATCH_ANCHORS })
    for (const anchor of anchors) {
      await checkAnchor(tx, anchor, last, checking)
      if (anchor.root.toString('hex') === checking.kept) isKept = true
      last = anchor
    }
    if (anchors.length < BATCH_ANCHORS) return { last, isKept }
  }
}

/** The signature decides what the anchor says; then the stored rows must lead to it. */
async function checkAnchor(tx: Tx, anchor: AuditAnchor, before: AuditAnchor | null, checking: Checking): Promise<void> {
  const { published, say } = checking
  const { number, root, madeAt, checkpoint, stamp } = anchor
  const where = `anchor ${number}`
  if (number !== (before?.number ?? 0) + 1) return say('', where, 'The one before it is missing.')
  const opened = openHead(checkpoint, published.keys)
  const isAsSigned = opened && isAnchorOrigin(opened.origin) && opened.size === number && opened.root.equals(root)
  if (!isAsSigned || opened.madeAt.getTime() !== madeAt.getTime() || !isActiveAt(opened.by, madeAt)) {
    return say('', where, 'It is not the one that was signed.')
  }
  checkStampOf(stamp, { ...checking, seal: sealOfHead(checkpoint), where, at: madeAt })
  const { digest } = await digestHeads(tx, { anchor: number, previous: before?.root ?? FIRST_ROOT })
  if (!digest.equals(root)) say('', where, 'The ends of chains that are stored for it are not those that were signed.')
}
