import type { App } from '../app.ts'
import { defineJob } from '../lib/jobs/jobs.ts'
import { type Account, findAccount, findAccountByEmail } from './account.ts'
import { recordAudit } from './audit.ts'
import { passwordChangedEmail, resetEmail, verificationEmail } from './emails.ts'
import { MAIL, sendToAccount } from './mail.ts'
import { renewPlans } from './renewals.ts'
import { forgetAddresses } from './sign-in/familiar-addresses.ts'
import { forgetEndedSessions } from './sign-in/sessions.ts'
import { rotateSigningKeys } from './sign-in/signing-keys.ts'
import { forgetUnverified } from './sign-up/forget-unverified.ts'
import { forgetOldTokens, issueToken } from './sign-up/one-time-tokens.ts'

// The jobs carry no token: each attempt makes its own and stores its hash, so the queue never holds a secret.

export const sendVerificationJob = defineJob({
  ...MAIL,
  name: 'accounts.send_verification',
  async run(app: App, payload: { accountId: string }, { id }) {
    await sendVerification(app, await findAccount(app.db, payload.accountId), id)
  },
})

export const resendVerificationJob = defineJob({
  ...MAIL,
  name: 'accounts.resend_verification',
  async run(app: App, payload: { email: string }, { id }) {
    await sendVerification(app, await findAccountByEmail(app.db, payload.email), id)
  },
})

/** The link leads to a page with a button: programs that follow the links of e-mails verify nothing. */
async function sendVerification(app: App, account: Account | null, jobId: string): Promise<void> {
  if (!account || account.verifiedAt) return
  const token = await app.db.transaction((tx) =>
    issueToken(tx, { accountId: account.id, purpose: 'verify_email', at: app.clock.now() }),
  )
  const link = new URL('/verify-email', app.config.siteUrl)
  link.searchParams.set('token', token)
  await sendToAccount(app, { accountId: account.id, content: verificationEmail(link.href), messageId: jobId })
}

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
    await sendToAccount(app, { accountId: account.id, content: resetEmail(link.href), messageId: id })
  },
})

export const sendPasswordChangedJob = defineJob({
  ...MAIL,
  name: 'accounts.send_password_changed',
  async run(app: App, payload: { accountId: string; keysEnded?: boolean }, { id }) {
    const resetPage = new URL('/forgot-password', app.config.siteUrl).href
    const content = passwordChangedEmail(resetPage, { keysEnded: payload.keysEnded ?? false })
    await sendToAccount(app, { accountId: payload.accountId, content, messageId: id })
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

/** Rotates the keys that sign sessions, and forgets what is over: links, sessions, addresses, unproven sign-ups. */
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
    await forgetAddresses(app.db, app.clock.now())
    const forgotten = await forgetUnverified(app)
    app.log.info({ event: 'accounts.housekeeping_done', unverified_forgotten: forgotten })
  },
})
