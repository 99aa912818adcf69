import type { App } from '../../app.ts'
import { addSeconds } from '../../lib/clock.ts'
import { forgetFreeSlots } from '../../lib/web/outgoing-slot.ts'

const KEPT_DAYS = 30
const DELETED_MAX = 20_000
const BATCHES_MAX = 100

/** Deletes events and attempts older than 30 days, deleted destinations, ended listeners, old secrets and free host slots. */
export async function forgetEvents({ db, clock }: App): Promise<void> {
  const at = clock.now()
  await db.query(
    `update webhook_destination set previous_secret_sealed = null, previous_secret_until = null
     where previous_secret_until <= $1`,
    [at],
  )
  await forgetFreeSlots(db)
  for (const [text, before] of toForget(at)) {
    for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
      if ((await db.query(text, [before])).length < DELETED_MAX) break
    }
  }
}

/** Returns the statements in their order: rows that refer to others are deleted first. */
function toForget(at: Date): Array<[string, Date]> {
  const old = addSeconds(at, -KEPT_DAYS * 86_400)
  const dead = `select id from webhook_destination where deleted_at <= $1 or listens_until <= $1`
  const oldEvents = `select id from webhook_event where created_at <= $1 order by created_at`
  return [
    [
      `delete from webhook_attempt where id in (
        select id from webhook_attempt where started_at <= $1 limit ${DELETED_MAX}) returning 1`,
      old,
    ],
    [
      `delete from webhook_attempt where id in (
        select id from webhook_attempt where destination_id in (${dead}) limit ${DELETED_MAX}) returning 1`,
      at,
    ],
    [
      `delete from webhook_delivery where (destination_id, event_number) in (
        select destination_id, event_number from webhook_delivery where destination_id in (${dead}) limit ${DELETED_MAX}) returning 1`,
      at,
    ],
    [
      `delete from webhook_delivery where (destination_id, event_number) in (
        select destination_id, event_number from webhook_delivery where event_number in (${oldEvents} limit ${DELETED_MAX}) limit ${DELETED_MAX})
      returning 1`,
      old,
    ],
    [
      `delete from webhook_event where id in (
        select event.id from (${oldEvents} limit ${DELETED_MAX}) as event
        where not exists (select from webhook_delivery where event_number = event.id)) returning 1`,
      old,
    ],
    [
      `delete from webhook_destination as destination where id in (${dead} limit ${DELETED_MAX})
        and not exists (select from webhook_delivery where destination_id = destination.id)
        and not exists (select from webhook_attempt where destination_id = destination.id) returning 1`,
      at,
    ],
  ]
}
