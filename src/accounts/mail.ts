import type { App } from '../app.ts'
import type { EmailContent } from '../lib/text/email.ts'
import { findAccount } from './account.ts'

/** How the jobs run that send one e-mail each. */
export const MAIL = { concurrency: 5, retriesMax: 8, retryDelaySeconds: 2, timeoutSeconds: 60 } as const

export interface AccountEmail {
  accountId: string
  content: EmailContent
  /** The same for every attempt at the same message. */
  messageId: string
  headers?: Record<string, string>
}

/** Writes to the address of an account; an account that has gone or is disabled gets nothing. */
export async function sendToAccount(app: App, { accountId, content, messageId, headers }: AccountEmail): Promise<void> {
  const account = await findAccount(app.db, accountId)
  if (!account || account.disabledAt) return
  const message = { ...content, to: account.email, messageId: `<${messageId}@${app.config.siteUrl.hostname}>` }
  await app.mailer.send(headers ? { ...message, headers } : message)
}
