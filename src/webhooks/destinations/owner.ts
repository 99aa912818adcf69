/** The owner of destinations and listeners: an account in one mode. Changes go to its audit trail, some also by e-mail. */
import {
  type AuditEvent,
  type KeyMode,
  type Origin,
  recordAudit,
  sendSecurityNotice,
  sendToAccount,
} from '../../accounts/index.ts'
import type { App } from '../../app.ts'
import type { Tx } from '../../lib/db/db.ts'
import { composeEmail, type EmailContent } from '../../lib/text/email.ts'
import type { DisabledReason } from '../deliver/health.ts'

/** An account has its live destinations and, apart from them, those of its test key. */
export interface DestinationOwner {
  accountId: string
  mode: KeyMode
}

/** One destination or listener of an owner. */
export interface Own extends DestinationOwner {
  id: number
}

/** A change of a destination, with the origin of the request for it. */
export interface Change extends Own {
  origin?: Origin | undefined
}

/** Writes a change of a destination or listener to the audit trail, in the transaction of the change. */
export async function auditChange(
  tx: Tx,
  action: Extract<AuditEvent['action'], `webhook_${string}` | `listener_${string}`>,
  change: Change & { at: Date; details?: Record<string, string | number> },
): Promise<void> {
  const { accountId, mode, id, origin, at, details } = change
  const audited = { destination_id: id, mode, ...details }
  await recordAudit(tx, { at, accountId, action, origin: origin ?? null, details: audited })
}

/** E-mails the owner of the account that a destination was added, in case it was not their doing. */
export async function notifyOwner(
  app: App,
  tx: Tx,
  { accountId, mode, id, origin, webhookUrl }: Change & { webhookUrl: string },
): Promise<void> {
  const url = new URL(webhookUrl)
  const kind = mode === 'test' ? 'test events' : 'events'
  await sendSecurityNotice(app, tx, {
    accountId,
    subject: `A webhook destination at ${url.hostname} was added`,
    paragraphs: [`Your ${kind} now go to ${withoutQuery(url)} as well (destination ${id}).`],
    path: '/console/webhooks',
    origin: origin ?? null,
  })
}

/** The query may contain the receiver's own secrets, so no e-mail contains it. */
function withoutQuery({ origin, pathname }: URL): string {
  return `${origin}${pathname}`
}

export const SEND_DISABLED_JOB = 'webhooks.send_disabled'

/** Queues the e-mail, once for each time a destination is disabled. */
export async function queueDisabledEmail({ jobs }: App, tx: Tx, destinationId: number): Promise<void> {
  await jobs.enqueueAll(tx, { name: SEND_DISABLED_JOB }, [{ payload: { destinationId } }])
}

/** E-mails the owner why a destination was disabled. Does nothing when it was enabled or deleted before. */
export async function sendDisabledEmail(
  app: App,
  { destinationId }: { destinationId: number },
  { id: messageId }: { id: string },
): Promise<void> {
  const [destination] = await app.db.query<{
    account_id: string
    webhook_url: string
    disabled_reason: DisabledReason
  }>(
    `select account_id, webhook_url, disabled_reason from webhook_destination
     where id = $1 and status = 'disabled' and deleted_at is null`,
    [destinationId],
  )
  if (!destination) return
  const content = disabledEmail(destinationId, new URL(destination.webhook_url), destination.disabled_reason)
  await sendToAccount(app, { accountId: destination.account_id, content, messageId })
}

const WHY: Record<DisabledReason, string> = {
  gone: 'It returned 410 (gone), which asks us to stop.',
  blocked_address: 'Its name leads to an address that is not on the public internet.',
  no_success: 'It has not accepted a single event for days.',
}

function disabledEmail(destinationId: number, url: URL, reason: DisabledReason): EmailContent {
  return composeEmail({
    subject: `Nameplate stopped sending to ${url.hostname}`,
    paragraphs: [
      `We no longer send events to ${withoutQuery(url)}, your webhook destination ${destinationId}. ${WHY[reason]}`,
      `Nothing is lost: events are kept for 30 days. Once your receiver works, send POST /v1/partner/webhooks/${destinationId}/enable, and then POST /v1/partner/webhooks/${destinationId}/replay with {"only":"missing"} to get those you missed.`,
      `GET /v1/partner/webhooks/${destinationId}/deliveries shows what we sent and how your receiver responded.`,
    ],
  })
}
