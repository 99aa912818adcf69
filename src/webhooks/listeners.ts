/**
 * A listener is a destination without an address: a developer's machine that fetches its events and hands them to a
 * local port, signed like any delivery. It lives as long as it is asked, and five minutes more.
 */
import type { App } from '../app.ts'
import { DomainError } from '../errors.ts'
import { addSeconds } from '../lib/clock.ts'
import type { Db, Tx } from '../lib/db.ts'
import type { OutgoingEvent } from './attempt.ts'
import { listDue } from './due.ts'
import { newSecret, sealSecret } from './secret.ts'

const LIFE_SECONDS = 300
const LISTENERS_MAX = 5
const BATCH_EVENTS = 50

export async function openListener(
  app: App,
  wish: { accountId: string; signalType: string },
): Promise<{ id: number; secret: string; expiresAt: Date }> {
  const at = app.clock.now()
  const expiresAt = addSeconds(at, LIFE_SECONDS)
  const secret = newSecret()
  const id = await app.db.transaction(async (tx) => {
    await tx.query('select id from account where id = $1 for no key update', [wish.accountId])
    const [drawn = { count: 0, id: 0 }] = await tx.query<{ count: number; id: number }>(
      `select count(*) as count, nextval(pg_get_serial_sequence('webhook_destination', 'id')) as id
       from webhook_destination where account_id = $1 and deleted_at is null and listens_until > $2`,
      [wish.accountId, at],
    )
    if (drawn.count >= LISTENERS_MAX) {
      const message = `An account has at most ${LISTENERS_MAX} listeners. Stop one, or wait five minutes after its end.`
      throw new DomainError('destination_limit_reached', message)
    }
    await tx.query(
      `insert into webhook_destination (id, account_id, signal_type, secret_sealed, created_at, listens_until)
       overriding system value values ($1, $2, $3, $4, $5, $6)`,
      [drawn.id, wish.accountId, wish.signalType, sealSecret(app, drawn.id, secret), at, expiresAt],
    )
    return drawn.id
  })
  return { id, secret, expiresAt }
}

/** Notes what was handed on, and answers what came since. What is not noted comes again. */
export async function fetchEvents(
  app: App,
  ask: { accountId: string; id: number; received: readonly string[] },
): Promise<OutgoingEvent[]> {
  const at = app.clock.now()
  await app.db.transaction(async (tx) => {
    await keepListening(tx, ask, at)
    await noteReceived(tx, ask, at)
  })
  return listDue(app.db, { destinationId: ask.id, except: [], limit: BATCH_EVENTS, at })
}

export async function closeListener(
  db: Db,
  { accountId, id, at }: { accountId: string; id: number; at: Date },
): Promise<void> {
  const closed = await db.query(
    `update webhook_destination set deleted_at = $3
     where account_id = $1 and id = $2 and listens_until is not null and deleted_at is null returning id`,
    [accountId, id, at],
  )
  if (closed.length === 0) throw listenerNotFound()
}

function listenerNotFound(): DomainError {
  return new DomainError('not_found', 'There is no such listener, or it has ended. Start another.')
}

async function keepListening(tx: Tx, { accountId, id }: { accountId: string; id: number }, at: Date): Promise<void> {
  const alive = await tx.query(
    `update webhook_destination set listens_until = $4
     where account_id = $1 and id = $2 and listens_until > $3 and deleted_at is null returning id`,
    [accountId, id, at, addSeconds(at, LIFE_SECONDS)],
  )
  if (alive.length === 0) throw listenerNotFound()
}

async function noteReceived(
  tx: Tx,
  { id, received }: { id: number; received: readonly string[] },
  at: Date,
): Promise<void> {
  if (received.length === 0) return
  await tx.query(
    `update webhook_delivery as delivery set state = 'delivered', attempts = 1, ended_at = $3
     from webhook_event as event
     where event.event_id = any ($2) and delivery.destination_id = $1 and delivery.event_number = event.id
       and delivery.state = 'pending'`,
    [id, received, at],
  )
}
