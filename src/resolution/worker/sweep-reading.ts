/**
 * Readings of lists that claim no company: no answers yet, so no history, review or kept page knows them. The job of a
 * customer who asks for the domain takes a fresh one instead of reading the site.
 */
import { deserialize, serialize } from 'node:v8'
import type { Db, Tx } from '../../lib/db/db.ts'
import { type Resolution, WEIGHTS_VERSION } from '../../resolver/index.ts'
import { expiryOf } from '../answers/known.ts'

/** Keeps the newest reading of a domain. A domain with an answer has none: customers get the answer. */
export async function putReading(tx: Tx, reading: Resolution): Promise<void> {
  const { domain, resolvedAt, explanation } = reading
  await tx.query(
    `insert into sweep_reading (domain, model_version, resolved_at, expires_at, reading)
     select $1, $2, $3, $4, $5 where not exists (select from known_domain where domain = $1)
     on conflict (domain) do update set model_version = excluded.model_version, resolved_at = excluded.resolved_at,
       expires_at = excluded.expires_at, reading = excluded.reading`,
    [domain, explanation.version, resolvedAt, expiryOf(reading), serialize(reading)],
  )
}

/** Returns a reading that is as good as a new one for a caller who accepts none from before `readAfter`, and newer than any answer. */
export async function findReading(
  db: Db,
  { domain, readAfter, at }: { domain: string; readAfter: Date | null; at: Date },
): Promise<Resolution | null> {
  const [row] = await db.query<{ reading: Buffer }>(
    `select reading from sweep_reading kept
     where domain = $1 and model_version = $2 and expires_at > $3 and resolved_at >= coalesce($4, '-infinity'::timestamptz)
       and not exists (select from known_domain known where known.domain = $1 and known.resolved_at >= kept.resolved_at)`,
    [domain, WEIGHTS_VERSION, at, readAfter],
  )
  return row ? (deserialize(row.reading) as Resolution) : null
}

/** Deletes a domain's reading, with the pages that it quotes. */
export async function deleteReading(db: Db, domain: string): Promise<void> {
  await db.query('delete from sweep_reading where domain = $1', [domain])
}

const EXPIRED_MAX = 20_000

export async function deleteExpiredReadings(db: Db, at: Date): Promise<void> {
  await db.query(
    `delete from sweep_reading where domain in (
       select domain from sweep_reading where expires_at <= $1 order by expires_at limit $2)`,
    [at, EXPIRED_MAX],
  )
}
