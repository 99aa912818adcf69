import type { App } from '../../app.ts'
import { type Html, html } from '../../lib/text/html.ts'

/** To where a developer finds the e-mails of a service that sends them nowhere. */
export function mailboxLink({ config }: App): Html | null {
  const mailbox = config.developmentPages.find(({ name }) => name === 'Mailbox')
  return mailbox
    ? html`<p class="soft">This service runs for development: its e-mails are in the <a href="${mailbox.url}">mailbox</a>.</p>`
    : null
}
