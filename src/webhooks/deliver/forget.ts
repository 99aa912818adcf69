import type { App } from '../../app.ts'
import { addSeconds } from '../../lib/clock.ts'
import type { Db } from '../../lib/db/db.ts'
import { makePartitions } from '../../lib/db/partitions.ts'
import { forgetFreeSlots } from '../../lib/web/outgoing-slot.ts'

const KEPT_DAYS = 30
const DELETED_MAX = 20_000
const BATCHES_MAX = 100

/**
 * Drops the weeks of which every event is older than 30 days; deletes deleted destinations, ended listeners, old secrets and
 * free host slots.
 */
export async function forgetEvents({ db, clock }: App): Promise<void> {
  const at = clock.now()
  await makePartitions(db, at)
  const before = addSeconds(at, -KEPT_DAYS * 86_400)
  await db.query('select drop_old_events($1)', [before])
  await repeat(db, FORGET_FIRST, before)
  await db.query(
    `update webhook_destination set previous_secret_sealed = null, previous_secret_until = null
     where previous_secret_until <= $1`,
    [at],
  )
  await forgetFreeSlots(db)
  await repeat(db, FORGET_DEAD, at)
}

async function repeat(db: Db, statements: readonly string[], at: Date): Promise<void> {
  for (const statement of statements) {
    for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
      if ((await db.query(statement, [at])).length < DELETED_MAX) break
    }
  }
}

/** Numbers of weeks are larger. */
const FIRST_NUMBERS = 1_000_000_000_000
const OLD_FIRST = `select id from webhook_event where id < ${FIRST_NUMBERS} and created_at <= $1 order by created_at limit ${DELETED_MAX}`

/** Events that are older than the weeks share one partition, which would keep the oldest as long as the newest. */
const FORGET_FIRST = [
  `delete from webhook_attempt where (id, event_number) in (
     select id, event_number from webhook_attempt where event_number < ${FIRST_NUMBERS} and started_at <= $1 limit ${DELETED_MAX})
   returning 1`,
  `delete from webhook_delivery where (destination_id, event_number) in (
     select destination_id, event_number from webhook_delivery
     where event_number < ${FIRST_NUMBERS} and event_number in (${OLD_FIRST}) limit ${DELETED_MAX})
   returning 1`,
  `delete from webhook_event where id in (
     select event.id from (${OLD_FIRST}) as event
     where not exists (select from webhook_delivery where event_number = event.id)) returning 1`,
]

const DEAD = `select id from webhook_destination where deleted_at <= $1 or listens_until <= $1`

/** In their order: rows that refer to others are deleted first. */
const FORGET_DEAD = [
  `delete from webhook_attempt where (id, event_number) in (
     select id, event_number from webhook_attempt where destination_id in (${DEAD}) limit ${DELETED_MAX}) returning 1`,
  `delete from webhook_delivery where (destination_id, event_number) in (
     select destination_id, event_number from webhook_delivery where destination_id in (${DEAD}) limit ${DELETED_MAX})
   returning 1`,
  `delete from webhook_destination as destination where id in (${DEAD} limit ${DELETED_MAX})
     and not exists (select from webhook_delivery where destination_id = destination.id)
     and not exists (select from webhook_attempt where destination_id = destination.id) returning 1`,
]
