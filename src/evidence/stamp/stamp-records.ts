import { sealOf } from '../../../packages/evidence-check/index.ts'
import type { App } from '../../app.ts'
import { type AuditAnchor, anchorText } from '../anchor/anchor-audit.ts'
import { requestStamp } from './authority.ts'

const RECORDS_MAX = 200
/** In a row: the authority is away, and the next run of the job asks again. */
const FAILURES_MAX = 3
const RUN_EVERY_MS = 600_000

type UnstampedAnchor = Pick<AuditAnchor, 'number' | 'digest' | 'madeAt' | 'jws'>

/** Has one record stamped. Returns false, with a line in the log, where the authority gave no stamp that holds. */
export async function stampRecord(app: App, recordId: string): Promise<boolean> {
  const [row] = await app.db.query<{ record: string; jws: string }>(
    'select record, jws from evidence_record where id = $1 and stamp is null',
    [recordId],
  )
  if (!row) return true
  return storeStamp(app, sealOf(row.record, row.jws), (token) =>
    app.db.query('update evidence_record set stamp = $2 where id = $1 and stamp is null', [recordId, token]),
  )
}

async function stampAnchor(app: App, anchor: UnstampedAnchor): Promise<boolean> {
  return storeStamp(app, sealOf(anchorText(anchor), anchor.jws), (token) =>
    app.db.query('update audit_anchor set stamp = $2 where number = $1 and stamp is null', [anchor.number, token]),
  )
}

async function storeStamp(app: App, hash: Buffer, store: (token: Buffer) => Promise<unknown>): Promise<boolean> {
  try {
    await store(await requestStamp(app, hash))
    return true
  } catch (error) {
    app.log.warn({ event: 'evidence.stamp_failed', error })
    return false
  }
}

/** Stamps what has no stamp yet: anchors of the audit log, and the oldest records. */
export async function stampLate(app: App): Promise<{ stamped: number; failed: number }> {
  const count = { stamped: 0, failed: 0 }
  if (!app.config.timeStamp) return count
  const anchors = await app.db.query<UnstampedAnchor>(
    `select number::float8 as number, digest, made_at as "madeAt", jws from audit_anchor
     where stamp is null order by number limit $1`,
    [RECORDS_MAX],
  )
  const records = await app.db.query<{ id: string }>(
    'select id from evidence_record where stamp is null order by made_at limit $1',
    [RECORDS_MAX],
  )
  const tries = [
    anchors.map((anchor) => () => stampAnchor(app, anchor)),
    records.map(
      ({ id }) =>
        () =>
          stampRecord(app, id),
    ),
  ]
  for (const each of tries) {
    const { done, failed } = await tryAll(each, Math.floor(app.clock.now().getTime() / RUN_EVERY_MS))
    count.stamped += done
    count.failed += failed
  }
  return count
}

/**
 * Tries each once, and gives up after some failures in a row. Each run begins at the next one: those that the authority always
 * refuses do not keep the others from their stamps.
 */
export async function tryAll(
  tries: ReadonlyArray<() => Promise<boolean>>,
  run: number,
): Promise<{ done: number; failed: number }> {
  const count = { done: 0, failed: 0 }
  const first = tries.length === 0 ? 0 : run % tries.length
  let failedInRow = 0
  for (const one of [...tries.slice(first), ...tries.slice(0, first)]) {
    if (await one()) {
      count.done += 1
      failedInRow = 0
      continue
    }
    count.failed += 1
    failedInRow += 1
    if (failedInRow === FAILURES_MAX) break
  }
  return count
}
