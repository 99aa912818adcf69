import type { App } from '../app.ts'
import type { EmailContent } from '../lib/email.ts'
import { defineJob } from '../lib/jobs.ts'
import { type Account, findAccount, findAccountByEmail } from './account.ts'
import { recordAudit } from './audit.ts'
import { passwordChangedEmail, resetEmail, verificationEmail } from './emails.ts'
import { forgetOldTokens, issueToken } from './one-time-tokens.ts'
import { renewPlans } from './renewals.ts'
import { forgetEndedSessions } from './sessions.ts'
import { rotateSigningKeys } from './signing-keys.ts'

const MAIL = { concurrency: 5, retriesMax: 8, retryDelaySeconds: 2, timeoutSeconds: 60 } as const

// The jobs carry no token: each attempt makes its own and stores its hash, so the queue never holds a secret.

export const sendVerificationJob = defineJob({
  ...MAIL,
  name: 'accounts.send_verification',
  async run(app: App, payload: { accountId: string }, { id }) {
    const account = await findAccount(app.db, payload.accountId)
    if (!account || account.verifiedAt) return
    const token = await app.db.transaction((tx) =>
      issueToken(tx, { accountId: account.id, purpose: 'verify_email', at: app.clock.now() }),
    )
    const link = new URL('/v1/auth/verify-email', app.config.baseUrl)
    link.searchParams.set('token', token)
    await send(app, account, verificationEmail(link.href), id)
  },
})

export const sendResetJob = defineJob({
  ...MAIL,
  name: 'accounts.send_reset',
  async run(app: App, payload: { email: string }, { id }) {
    const account = await findAccountByEmail(app.db, payload.email)
    const at = app.clock.now()
    const accountId = account?.id ?? null
    const outcome = account ? 'success' : 'failure'
    await recordAudit(app.db, { at, accountId, action: 'password_reset_requested', outcome, origin: null })
    if (!account) return
    const token = await app.db.transaction((tx) =>
      issueToken(tx, { accountId: account.id, purpose: 'reset_password', at }),
    )
    const link = new URL('/reset-password', app.config.siteUrl)
    link.searchParams.set('token', token)
    await send(app, account, resetEmail(link.href), id)
  },
})

export const sendPasswordChangedJob = defineJob({
  ...MAIL,
  name: 'accounts.send_password_changed',
  async run(app: App, payload: { accountId: string }, { id }) {
    const account = await findAccount(app.db, payload.accountId)
    if (account)
      await send(app, account, passwordChangedEmail(new URL('/forgot-password', app.config.siteUrl).href), id)
  },
})

/** Gives paid plans their monthly credits on the day they renew. */
export const renewPlansJob = defineJob({
  name: 'accounts.renew_plans',
  concurrency: 1,
  retriesMax: 3,
  retryDelaySeconds: 60,
  timeoutSeconds: 600,
  schedule: '*/15 * * * *',
  async run(app: App) {
    const renewed = await renewPlans(app)
    app.log.info({ event: 'accounts.plans_renewed', renewed })
  },
})

/** Rotates the keys that sign sessions, and forgets links and signed-out sessions long expired. */
export const housekeepingJob = defineJob({
  name: 'accounts.housekeeping',
  concurrency: 1,
  retriesMax: 3,
  retryDelaySeconds: 60,
  timeoutSeconds: 600,
  schedule: '7 * * * *',
  async run(app: App) {
    await app.db.transaction((tx) => rotateSigningKeys(app, tx))
    await forgetOldTokens(app.db, app.clock.now())
    await forgetEndedSessions(app.db, app.clock.now())
  },
})

async function send(app: App, account: Account, content: EmailContent, jobId: string): Promise<void> {
  await app.mailer.send({ ...content, to: account.email, messageId: toMessageId(app, jobId) })
}

export interface AccountEmail {
  accountId: string
  content: EmailContent
  /** The same for every attempt at the same message. */
  messageId: string
  headers?: Record<string, string>
}

/** Writes to the address of an account; an account that has gone gets nothing. */
export async function sendToAccount(app: App, { accountId, content, messageId, headers }: AccountEmail): Promise<void> {
  const account = await findAccount(app.db, accountId)
  if (!account) return
  const message = { ...content, to: account.email, messageId: toMessageId(app, messageId) }
  await app.mailer.send(headers ? { ...message, headers } : message)
}

function toMessageId({ config }: App, id: string): string {
  return `<${id}@${config.siteUrl.hostname}>`
}
