/** Heads of the log and proofs against them. */
import { type LoggedProof, signHead } from '../../../packages/evidence-check/index.ts'
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import { type Db, onlyRow } from '../../lib/db/db.ts'
import { getEvidenceKey, logOrigin } from '../keys.ts'
import { readNodes } from './nodes.ts'
import { consistencyRanges, coveredBy, hashRange, inclusionRanges, type Range } from './tree.ts'

export interface LogHead {
  size: number
  root: Buffer
  madeAt: Date
  checkpoint: string
  stamp: Buffer | null
}

const HEAD = 'size, root, made_at as "madeAt", checkpoint, stamp'

export async function readSize(db: Db): Promise<number> {
  return onlyRow(await db.query<{ size: number }>('select size from evidence_log')).size
}

/** Returns published heads, newest first. */
export async function listHeads(db: Db, page: { before: number | null; limit: number }): Promise<LogHead[]> {
  return db.query<LogHead>(
    `select ${HEAD} from evidence_head where $1::bigint is null or size < $1 order by size desc limit $2`,
    [page.before, page.limit],
  )
}

async function hashRanges(db: Db, ranges: readonly Range[]): Promise<Buffer[]> {
  const find = await readNodes(db, ranges.flatMap(coveredBy))
  return ranges.map((range) => hashRange(range, find))
}

/** Signs the head of the log as it is now. It is published only by `publishHead`. */
async function signCurrentHead(app: App): Promise<LogHead & { keyId: string }> {
  return app.db.transaction(async (tx) => {
    const signer = await getEvidenceKey(app, tx)
    const size = await readSize(tx)
    const [root] = await hashRanges(tx, [{ start: 0, end: size }])
    if (!root) throw new Error('a range has one hash')
    const head = { size, root, madeAt: app.clock.now() }
    const checkpoint = signHead({ origin: logOrigin(app), ...head }, signer)
    return { ...head, checkpoint, stamp: null, keyId: signer.id }
  })
}

/** Publishes the head of the log. Returns its size; null where nothing was added since the last one. */
export async function publishHead(app: App): Promise<number | null> {
  if ((await readSize(app.db)) === 0) return null
  const { size, root, madeAt, keyId, checkpoint } = await signCurrentHead(app)
  const added = await app.db.query(
    `insert into evidence_head (size, root, made_at, key_id, checkpoint) values ($1, $2, $3, $4, $5)
     on conflict do nothing returning size`,
    [size, root, madeAt, keyId, checkpoint],
  )
  return added.length > 0 ? size : null
}

/**
 * Proves that a record is in the log: against the first published head that has it, so that the proof stays the same from then on;
 * or against one signed now, if no published one has it yet.
 */
export async function proveInclusion(app: App, recordId: string): Promise<LoggedProof | null> {
  const [leaf] = await app.db.query<{ index: number; hash: Buffer }>(
    'select index, hash from evidence_leaf where record_id = $1',
    [recordId],
  )
  if (!leaf) return null
  const [published] = await app.db.query<LogHead>(
    `select ${HEAD} from evidence_head where size > $1 order by size limit 1`,
    [leaf.index],
  )
  const head = published ?? (await signCurrentHead(app))
  const path = await hashRanges(app.db, inclusionRanges(leaf.index, head.size))
  return {
    index: leaf.index,
    leaf_hash: leaf.hash.toString('hex'),
    inclusion: path.map((hash) => hash.toString('hex')),
    head: presentHead(head),
  }
}

/** Returns where a record is in the log, and the root that the log has at this size; that is null where it is not so large. */
export async function findLogged(
  db: Db,
  { recordId, size }: { recordId: string; size: number },
): Promise<{ index: number; hash: Buffer; root: Buffer | null } | null> {
  const [leaf] = await db.query<{ index: number; hash: Buffer }>(
    'select index, hash from evidence_leaf where record_id = $1',
    [recordId],
  )
  if (!leaf) return null
  if (size > (await readSize(db))) return { ...leaf, root: null }
  const [root] = await hashRanges(db, [{ start: 0, end: size }])
  return { ...leaf, root: root ?? null }
}

export function presentHead({ size, root, madeAt, checkpoint, stamp }: LogHead): LoggedProof['head'] {
  return {
    size,
    root: root.toString('hex'),
    made_at: madeAt.toISOString(),
    checkpoint,
    time_stamp: stamp && stamp.toString('base64'),
  }
}

/** Proves that the log of `second` entries begins with the log of `first`. */
export async function proveConsistency(db: Db, sizes: { first: number; second: number }): Promise<string[]> {
  const { first, second } = sizes
  const size = await readSize(db)
  if (first > second || second > size) {
    throw new DomainError('invalid_request', `Give two sizes in order, up to ${size}: the log has so many entries.`)
  }
  return (await hashRanges(db, consistencyRanges(first, second))).map((hash) => hash.toString('hex'))
}
