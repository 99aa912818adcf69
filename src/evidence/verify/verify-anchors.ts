/**
 * Compares the audit logs with their anchors: each anchor with its signature, its stamp and the rows it covers, then these rows with
 * the chains as they are. A chain that was made again in full fits itself, and not its anchor.
 */
import {
  findKeyId,
  findStamp,
  isActiveAt,
  isSignatureOf,
  type PublishedKeys,
  parsePublishedKeys,
  sealOf,
} from '../../../packages/evidence-check/index.ts'
import {
  type ChainProblem,
  compareHeads,
  digestHeads,
  hasEntriesBefore,
  hasEntriesBetween,
} from '../../accounts/index.ts'
import type { App } from '../../app.ts'
import type { Tx } from '../../lib/db/db.ts'
import { type AuditAnchor, anchorText, FIRST_DIGEST, listAnchors } from '../anchor/anchor-audit.ts'
import { readPublishedKeys } from '../keys.ts'

export interface VerifiedAnchors {
  anchors: number
  /** The digest of the newest one in hex; null where there is none. */
  newest: string | null
  /** Days without an anchor that are no problem, in words: without an entry too, or known to the person who asks. */
  gaps: string[]
  problems: ChainProblem[]
}

interface Asked {
  accountId: string | null
  /** A digest that must be among the anchors. */
  kept: string | null
  /** Digests, in hex, of anchors before which none was made for days, as the operator knows. */
  knownGaps: readonly string[]
}

interface Checking extends Pick<Asked, 'kept' | 'knownGaps'> {
  published: PublishedKeys
  say: (where: string, says: string) => void
  /** Older ones have a stamp. Null where no authority is asked for stamps. */
  stampedBefore: Date | null
  gaps: string[]
}

const BATCH_ANCHORS = 100
/** A job makes one every day. */
const ANCHOR_WITHIN_MS = 2 * 86_400_000
const STAMP_WITHIN_MS = 86_400_000
/** From one night to the next, with time for the job. */
const NIGHT_MS = 26 * 3_600_000

/** Verifies all anchors, and the chains of all accounts or of one against them. */
export async function verifyAnchors(app: App, { accountId, kept, knownGaps }: Asked): Promise<VerifiedAnchors> {
  const published = parsePublishedKeys(await readPublishedKeys(app))
  const at = app.clock.now().getTime()
  return app.db.transaction(async (tx) => {
    await tx.query('set transaction isolation level repeatable read, read only')
    const problems: ChainProblem[] = []
    const gaps: string[] = []
    const say = (where: string, says: string) =>
      problems.push({ accountId: null, kind: 'anchor', seq: null, id: null, words: `${where}: ${says}` })
    const stampedBefore = app.config.timeStamp && new Date(at - STAMP_WITHIN_MS)
    const { last, isKept } = await walkAnchors(tx, { published, say, stampedBefore, kept, knownGaps, gaps })
    const neededBy = new Date(at - ANCHOR_WITHIN_MS)
    if (last ? last.madeAt < neededBy : await hasEntriesBefore(tx, neededBy)) {
      say('anchors', last ? `The newest is of ${last.madeAt.toISOString()}, and a job makes one every day.` : NONE)
    }
    if (kept !== null && !isKept) say('anchors', `None has the digest ${kept}: those that were signed are gone.`)
    problems.push(...(await compareHeads(tx, accountId)))
    return { anchors: last?.number ?? 0, newest: last?.digest.toString('hex') ?? null, gaps, problems }
  })
}

const NONE = 'There is none, though there are entries older than two days, and a job makes one every day.'

async function walkAnchors(tx: Tx, checking: Checking) {
  let last: AuditAnchor | null = null
  let isKept = false
  for (;;) {
    const anchors = await listAnchors(tx, { after: last?.number ?? 0, limit: BATCH_ANCHORS })
    for (const anchor of anchors) {
      await checkAnchor(tx, anchor, last, checking)
      if (anchor.digest.toString('hex') === checking.kept) isKept = true
      last = anchor
    }
    if (anchors.length < BATCH_ANCHORS) return { last, isKept }
  }
}

/** The signature decides what the anchor says; then the stored rows must lead to it. */
async function checkAnchor(tx: Tx, anchor: AuditAnchor, before: AuditAnchor | null, checking: Checking): Promise<void> {
  const { published, say } = checking
  const { number, digest, madeAt, jws } = anchor
  const where = `anchor ${number}`
  if (number !== (before?.number ?? 0) + 1) return say(where, 'The one before it is missing.')
  const text = anchorText(anchor)
  const key = published.keys.find(({ id }) => id === findKeyId(jws))
  if (!key || !isSignatureOf(text, jws, key.key) || !isActiveAt(key, madeAt)) {
    return say(where, 'It is not the one that was signed.')
  }
  const stampProblem = findStampProblem(anchor, sealOf(text, jws), checking)
  if (stampProblem) say(where, stampProblem)
  if (before) await checkGap(tx, anchor, before, checking)
  const found = await digestHeads(tx, { anchor: number, previous: before?.digest ?? FIRST_DIGEST })
  if (!found.digest.equals(digest))
    say(where, 'The ends of chains that are stored for it are not those that were signed.')
}

function findStampProblem(
  { stamp, madeAt }: AuditAnchor,
  seal: Buffer,
  { published: { authorities }, stampedBefore }: Checking,
): string | null {
  if (!stamp) {
    const isLate = stampedBefore !== null && madeAt < stampedBefore
    return isLate ? 'It has no time stamp a day later: removed, or the authority gave none.' : null
  }
  const found = findStamp(stamp, authorities)
  if (typeof found === 'string') return `Its time stamp does not hold: ${found}.`
  if (!found.imprint.equals(seal)) return 'Its time stamp is about something else.'
  if (found.isTrusted || authorities.length === 0) return null
  return `Its time stamp is of ${found.authority}, which is not among TIME_STAMP_CA_FILE.`
}

/**
 * Newest anchors that were removed leave a gap once the job makes the next. One night may fail; and a service that was switched off
 * has entries up to the night after its last anchor and from the night before its next one, and none in the days between.
 */
async function checkGap(
  tx: Tx,
  { number, madeAt, digest: signed }: AuditAnchor,
  before: AuditAnchor,
  { say, knownGaps, gaps }: Checking,
): Promise<void> {
  const where = `anchor ${number}`
  const [from, to] = [before.madeAt.getTime(), madeAt.getTime()]
  if (to <= from) return say(where, 'It is not later than the one before it.')
  if (to - from <= 2 * NIGHT_MS) return
  const gap = `None was made between ${before.madeAt.toISOString()} and ${madeAt.toISOString()}`
  const between = { after: new Date(from + NIGHT_MS), before: new Date(to - NIGHT_MS) }
  const digest = signed.toString('hex')
  if (knownGaps.includes(digest)) gaps.push(`${where}: ${gap}, as you know.`)
  else if (await hasEntriesBetween(tx, between)) {
    const why = 'either no job ran in these days, or anchors were removed'
    say(where, `${gap}, though entries were: ${why}. The anchor after them has the digest ${digest}.`)
  } else gaps.push(`${where}: ${gap}, and no entry in the days between: the service was off, or both were removed.`)
}
