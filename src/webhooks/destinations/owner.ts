/** The owner of destinations and listeners: an account in one mode. Changes go to its audit log, some also by e-mail. */
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
import type { DestinationKind } from '../cards/address.ts'
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

/** Writes a change of a destination or listener to the audit log, in the transaction of the change. */
export async function auditChange(
  tx: Tx,
  action: Extract<AuditEvent['action'], `webhook_${string}` | `listener_${string}`>,
  change: Change & { at: Date } & Pick<AuditEvent, 'details' | 'before' | 'after' | 'by'>,
): Promise<void> {
  const { accountId, mode, id, origin = null, at, details, ...rest } = change
  const audited = { destination_id: id, mode, ...details }
  const { by, before, after } = rest
  const changed = { ...(before && { before }), ...(after && { after }), ...(by && { by }) }
  await recordAudit(tx, { at, accountId, action, mode, origin, details: audited, ...changed })
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

/** Records that the service disabled a destination, and queues the e-mail, once each time. */
export async function recordDisabled(app: App, tx: Tx, destinationId: number, reason: string): Promise<void> {
  const [row] = await tx.query<DestinationOwner>(
    'select account_id as "accountId", mode from webhook_destination where id = $1',
    [destinationId],
  )
  const [before, after] = [{ status: 'active' }, { status: 'disabled', reason }]
  const changed = { at: app.clock.now(), by: 'service', before, after } as const
  if (row) await auditChange(tx, 'webhook_disabled', { ...row, id: destinationId, ...changed })
  await app.jobs.enqueueAll(tx, { name: SEND_DISABLED_JOB }, [{ payload: { destinationId } }])
}

/** E-mails the owner why a destination was disabled. Does nothing when it was enabled or deleted before. */
export async function sendDisabledEmail(
  app: App,
  { destinationId }: { destinationId: number },
  { id: messageId }: { id: string },
): Promise<void> {
  const [destination] = await app.db.query<DisabledRow>(
    `select account_id, kind, webhook_url, disabled_reason from webhook_destination
     where id = $1 and status = 'disabled' and deleted_at is null`,
    [destinationId],
  )
  if (!destination) return
  const content = disabledEmail(destinationId, destination)
  await sendToAccount(app, { accountId: destination.account_id, content, messageId })
}

interface DisabledRow {
  account_id: string
  kind: DestinationKind
  webhook_url: string
  disabled_reason: DisabledReason
}

const GONE: Record<DestinationKind, string> = {
  webhook: 'It returned 410 (gone), which asks us to stop.',
  slack: 'Slack says that this incoming webhook was removed, or that its channel was archived.',
  teams: 'Teams says that this workflow does not exist any more.',
}

const AGAIN: Record<DestinationKind, string> = {
  webhook: 'Once your receiver works',
  slack: 'Once the channel takes messages again',
  teams: 'Once the workflow works again',
}

const WHY: Record<Exclude<DisabledReason, 'gone'>, string> = {
  blocked_address: 'Its name leads to an address that is not on the public internet.',
  no_success: 'It has not accepted a single event for days.',
}

function disabledEmail(destinationId: number, { kind, ...row }: DisabledRow): EmailContent {
  const url = new URL(row.webhook_url)
  const why = row.disabled_reason === 'gone' ? GONE[kind] : WHY[row.disabled_reason]
  return composeEmail({
    subject: `Nameplate stopped sending to ${url.hostname}`,
    paragraphs: [
      `We no longer send events to ${withoutQuery(url)}, your webhook destination ${destinationId}. ${why}`,
      `Nothing is lost: events are kept for 30 days. ${AGAIN[kind]}, send POST /v1/partner/webhooks/${destinationId}/enable, and then POST /v1/partner/webhooks/${destinationId}/replay with {"only":"missing"} to get those you missed.`,
      `GET /v1/partner/webhooks/${destinationId}/deliveries shows what we sent and the responses.`,
    ],
  })
}
