import type { App } from '../app.ts'
import type { Tx } from '../lib/db.ts'
import { type Attempt, attemptDelivery, judge } from './attempt.ts'
import { writeAttempts } from './attempt-log.ts'
import { destinationNotFound, type Own } from './destinations.ts'
import { storeEvent } from './publish.ts'
import { revealSecrets, type SealedSecrets } from './secret.ts'
import { openWebhookSession } from './session.ts'

export interface Trial {
  eventId: string
  delivered: boolean
  status: number | null
  error: string | null
  durationMs: number
  response: string
}

interface TriedRow extends SealedSecrets {
  webhook_url: string
}

/**
 * Sends a test event now and says what came back. It is signed and logged like any other, tried once, and neither a
 * success nor a failure counts for the destination's health; a disabled one can be tried before it is enabled.
 */
export async function tryDestination(app: App, { accountId, id }: Own): Promise<Trial> {
  const at = app.clock.now()
  const [row] = await app.db.query<TriedRow>(
    `select id, webhook_url, secret_sealed, previous_secret_sealed, previous_secret_until from webhook_destination
     where account_id = $1 and id = $2 and deleted_at is null and webhook_url is not null`,
    [accountId, id],
  )
  if (!row) throw destinationNotFound()
  const data = { message: 'This is a test. Your receiver works when it answers with a 2xx status.' }
  const event = await app.db.transaction((tx) =>
    storeEvent(tx, { type: 'test', signalType: 'test', accountIds: [accountId], data, isTest: true }, at),
  )
  const session = openWebhookSession(app)
  try {
    const { timeoutSeconds } = app.config.webhooks
    const outgoing = { ...event, signalType: 'test', attempt: 1, isReplay: false }
    const secrets = revealSecrets(app, row, at)
    const attempt = await attemptDelivery(session, {
      url: row.webhook_url,
      secrets,
      event: outgoing,
      at,
      timeoutSeconds,
    })
    await app.db.transaction((tx) => keepTrial(tx, id, attempt))
    return toTrial(attempt)
  } finally {
    await session.close()
  }
}

async function keepTrial(tx: Tx, destinationId: number, attempt: Attempt): Promise<void> {
  await tx.query(
    `insert into webhook_delivery (destination_id, event_number, state, attempts, due_at, ended_at)
     values ($1, $2, $3, 1, $4, $4)`,
    [
      destinationId,
      attempt.event.eventNumber,
      judge(attempt) === 'delivered' ? 'delivered' : 'failed',
      attempt.startedAt,
    ],
  )
  await writeAttempts(tx, destinationId, [{ attempt }])
}

function toTrial(attempt: Attempt): Trial {
  const { event, status, error, durationMs, response } = attempt
  return { eventId: event.eventId, delivered: judge(attempt) === 'delivered', status, error, durationMs, response }
}
