import { sendToAccount } from '../../accounts/index.ts'
import type { App } from '../../app.ts'
import { defineJob } from '../../lib/jobs/jobs.ts'
import { composeEmail, type EmailContent } from '../../lib/text/email.ts'
import type { DisabledReason } from '../deliver/health.ts'

/** E-mails the owner, once for each time a destination is disabled. */
export const sendDisabledJob = defineJob({
  name: 'webhooks.send_disabled',
  concurrency: 2,
  retriesMax: 8,
  retryDelaySeconds: 2,
  timeoutSeconds: 60,
  async run(app: App, { destinationId }: { destinationId: number }, { id }) {
    const [destination] = await app.db.query<{
      account_id: string
      webhook_url: string
      disabled_reason: DisabledReason
    }>(
      `select account_id, webhook_url, disabled_reason from webhook_destination
       where id = $1 and status = 'disabled' and deleted_at is null`,
      [destinationId],
    )
    // Enabled again, or deleted, before the e-mail went out.
    if (!destination) return
    const url = new URL(destination.webhook_url)
    const content = disabledEmail({ destinationId, url, reason: destination.disabled_reason })
    await sendToAccount(app, { accountId: destination.account_id, content, messageId: id })
  },
})

const WHY: Record<DisabledReason, string> = {
  gone: 'It returned 410 (gone), which asks us to stop.',
  blocked_address: 'Its name leads to an address that is not on the public internet.',
  no_success: 'It has not accepted a single event for days.',
}

/** The query may hold the receiver's own secrets, so the e-mail names the address without it. */
function disabledEmail(disabled: { destinationId: number; url: URL; reason: DisabledReason }): EmailContent {
  const { destinationId, url, reason } = disabled
  return composeEmail({
    subject: `Nameplate stopped sending to ${url.hostname}`,
    paragraphs: [
      `We no longer send events to ${url.origin}${url.pathname}, your webhook destination ${destinationId}. ${WHY[reason]}`,
      `Nothing is lost: events are kept for 30 days. Once your receiver works, send POST /v1/partner/webhooks/${destinationId}/enable, and then POST /v1/partner/webhooks/${destinationId}/replay with {"only":"missing"} to get those you missed.`,
      `GET /v1/partner/webhooks/${destinationId}/deliveries shows what we sent and how your receiver responded.`,
    ],
  })
}
