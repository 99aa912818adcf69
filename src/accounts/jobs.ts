import type { App } from '../app.ts'
import { defineJob } from '../lib/jobs/jobs.ts'
import { composeEmail, type EmailContent } from '../lib/text/email.ts'
import { type Account, findAccount, findAccountByEmail } from './account.ts'
import { recordAudit } from './audit/record.ts'
import { MAIL, sendToAccount } from './mail.ts'
import { renewPlans, WELCOME_CREDITS } from './plans.ts'
import { forgetEndedSessions } from './sign-in/sessions.ts'
import { rotateSigningKeys } from './sign-in/signing-keys.ts'
import { forgetAddresses } from './sign-in/throttle.ts'
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
    const by = 'unknown'
    await recordAudit(app.db, { at, accountId, action: 'password_reset_requested', outcome, origin: null, by })
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

// What each of our e-mails says. Pure: values in, subject and both bodies out.

function verificationEmail(link: string): EmailContent {
  return composeEmail({
    subject: 'Verify your e-mail address for Nameplate',
    paragraphs: [
      `Welcome to Nameplate. Open this page and press its button to verify your e-mail address; ${WELCOME_CREDITS} free credits are then yours.`,
      { link, label: 'Verify my address' },
      'The link works once and for 24 hours. If you did not sign up, do not press the button: the account is then deleted after a day.',
    ],
  })
}

function resetEmail(link: string): EmailContent {
  return composeEmail({
    subject: 'Set a new Nameplate password',
    paragraphs: [
      'Someone asked for a new password for your Nameplate account. If it was you, follow this link and choose one.',
      { link, label: 'Choose a new password' },
      'The link works once and for one hour. If it was not you, ignore this message: your password stays as it is.',
    ],
  })
}

function passwordChangedEmail(resetPage: string, { keysEnded }: { keysEnded: boolean }): EmailContent {
  const keys = keysEnded
    ? 'Your API keys have ended too; you get new ones when you log in.'
    : 'Your API keys go on working.'
  return composeEmail({
    subject: 'Your Nameplate password was changed',
    paragraphs: [
      `The password of your Nameplate account was just changed, and every session that was signed in has ended. ${keys}`,
      'If it was not you, set a new password at once:',
      { link: resetPage, label: 'Set a new password' },
    ],
  })
}
