import { randomUUID } from 'node:crypto'
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import type { Tx } from '../../lib/db/db.ts'
import type { WebSession } from '../../lib/web/guarded-client.ts'
import { createRateLimitError } from '../../limits.ts'
import type { DestinationKind } from '../cards/address.ts'
import { composeMessage } from '../cards/message.ts'
import { type Attempt, attemptDelivery, attemptInSlot, openWebhookSession, takeHostSlot } from '../deliver/attempt.ts'
import { writeAttempts } from '../deliver/attempt-log.ts'
import { storeEvent } from '../publish/publish.ts'
import { destinationNotFound } from './destinations.ts'
import { auditChange, type Change, type DestinationOwner } from './owner.ts'
import { readSigningKeys, type SealedSecrets, unsealAddress } from './secret.ts'

export interface Trial extends Pick<Attempt, 'status' | 'error' | 'durationMs' | 'response'> {
  eventId: string
  delivered: boolean
}

interface TriedRow extends SealedSecrets {
  webhook_url: string
  kind: DestinationKind
  address_sealed: string | null
  is_proven: boolean
}

/**
 * Sends a test event now and returns the receiver's response. The event is signed and logged like any other and tried
 * once; the result does not count for the destination's health. A disabled destination can be tried before it is enabled.
 * Throws `rate_limited` when the host gets no request now.
 */
export async function tryDestination(app: App, { accountId, mode, id, origin }: Change): Promise<Trial> {
  const at = app.clock.now()
  const [row] = await app.db.query<TriedRow>(
    `select id, webhook_url, kind, address_sealed, (last_success_at is not null or kind <> 'webhook') as is_proven, secret_sealed,
       previous_secret_sealed, previous_secret_until
     from webhook_destination
     where account_id = $1 and mode = $2 and id = $3 and deleted_at is null and webhook_url is not null`,
    [accountId, mode, id],
  )
  if (!row) throw destinationNotFound()
  const session = openWebhookSession(app)
  try {
    const url = new URL(toAddress(app, row))
    const request = { url, isProven: row.is_proven, isFailing: false, holder: randomUUID() }
    const slot = await takeHostSlot(app, session, request)
    if (slot.kind === 'wait') throw hostIsBusy(row, slot.seconds)
    const attempt = await attemptInSlot(slot, () => sendTest(app, session, { owner: { accountId, mode }, row, at }))
    await app.db.transaction(async (tx) => {
      await recordTrial(tx, id, attempt)
      const details = { delivered: attempt.result === 'delivered' }
      await auditChange(tx, 'webhook_tested', { accountId, mode, id, origin, at, details })
    })
    return toTrial(attempt)
  } finally {
    await session.close()
  }
}

function hostIsBusy({ is_proven: isProven }: TriedRow, seconds: number): DomainError {
  const reason = isProven
    ? 'This host gets as many requests as we allow.'
    : 'No destination of yours at this address has returned 2xx yet, so it gets one request at a time and few a minute.'
  return createRateLimitError('webhook-host', reason, Math.ceil(seconds))
}

function toAddress(app: App, { id, webhook_url: url, address_sealed: sealed }: TriedRow): string {
  return sealed === null ? url : unsealAddress(app, id, sealed)
}

async function sendTest(
  app: App,
  session: WebSession,
  { owner, row, at }: { owner: DestinationOwner; row: TriedRow; at: Date },
): Promise<Attempt> {
  const data = { message: 'This is a test. Your receiver works when it answers with a 2xx status.' }
  const event = await app.db.transaction((tx) =>
    storeEvent(tx, { type: 'test', signalType: 'test', accountIds: [owner.accountId], mode: owner.mode, data }, at),
  )
  const outgoing = { ...event, signalType: 'test', attempt: 1, isReplay: false }
  const { kind } = row
  return attemptDelivery(session, {
    url: toAddress(app, row),
    keys: readSigningKeys(app, row, at),
    event: outgoing,
    message: kind === 'webhook' ? undefined : { kind, body: composeMessage(app, kind, [outgoing]).body },
    at,
    timeoutSeconds: app.config.webhooks.timeoutSeconds,
  })
}

async function recordTrial(tx: Tx, destinationId: number, attempt: Attempt): Promise<void> {
  const { event, result, startedAt } = attempt
  await tx.query(
    `insert into webhook_delivery (destination_id, event_number, state, attempts, due_at, ended_at)
     values ($1, $2, $3, 1, $4, $4)`,
    [destinationId, event.eventNumber, result === 'delivered' ? 'delivered' : 'failed', startedAt],
  )
  await writeAttempts(tx, destinationId, [attempt])
}

function toTrial({ event, result, status, error, durationMs, response }: Attempt): Trial {
  return { eventId: event.eventId, delivered: result === 'delivered', status, error, durationMs, response }
}
