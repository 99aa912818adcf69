import { sendSecurityNotice } from '../../accounts/index.ts'
import type { App } from '../../app.ts'
import type { Tx } from '../../lib/db/db.ts'
import type { Change } from './owner.ts'

/** E-mails the owner of the account that a destination was added, in case it was not their doing. */
export async function notifyOwner(
  app: App,
  tx: Tx,
  { accountId, mode, id, origin, webhookUrl }: Change & { webhookUrl: string },
): Promise<void> {
  // The query may hold the receiver's own secrets, so the e-mail names the address without it.
  const url = new URL(webhookUrl)
  const kind = mode === 'test' ? 'test events' : 'events'
  await sendSecurityNotice(app, tx, {
    accountId,
    subject: `A webhook destination at ${url.hostname} was added`,
    paragraphs: [`Your ${kind} now go to ${url.origin}${url.pathname} as well (destination ${id}).`],
    path: '/console/webhooks',
    origin: origin ?? null,
  })
}
