import type { App } from '../app.ts'
import type { Tx } from '../lib/db/db.ts'
import { defineJob } from '../lib/jobs/jobs.ts'
import type { BucketPolicy } from '../lib/limits/leased-limiter.ts'
import { composeEmail, type EmailContent } from '../lib/text/email.ts'
import { findAccount } from './account.ts'
import type { Origin } from './audit/record.ts'

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

/** A change that the owner of an account must know about, as another person may have made it. */
export interface SecurityNotice {
  accountId: string
  /** A whole sentence in the past: "A new API key was made". */
  subject: string
  /** The change and its consequences. The text is stored in the queue, so it contains no secret. */
  paragraphs: readonly string[]
  /** The path of the page of the site where the owner can undo it. */
  path: string
  origin: Origin | null
}

interface NoticePayload extends Omit<SecurityNotice, 'origin'> {
  at: string
  ip: string | null
}

/** The audit log has every change; a mailbox gets this many. */
const NOTICES: BucketPolicy = { name: 'security_notice', burst: 20, perSecond: 20 / 3_600 }

/** Writes to the owner of the account when, and only when, the transaction commits. */
export async function sendSecurityNotice(app: App, tx: Tx, { origin, ...notice }: SecurityNotice): Promise<void> {
  const payload: NoticePayload = { ...notice, at: app.clock.now().toISOString(), ip: origin?.ip ?? null }
  await app.jobs.enqueue(tx, sendSecurityNoticeJob, payload)
}

export const sendSecurityNoticeJob = defineJob({
  ...MAIL,
  name: 'accounts.send_security_notice',
  async run(app: App, payload: NoticePayload, { id, attempt }) {
    const isFirst = attempt === 1
    if (isFirst && (await app.limiter.admit(payload.accountId, NOTICES)).kind === 'refused') {
      app.log.warn({ event: 'accounts.notice_left_out', account_id: payload.accountId })
      return
    }
    const content = noticeEmail(payload, new URL(payload.path, app.config.siteUrl).href)
    await sendToAccount(app, { accountId: payload.accountId, content, messageId: id })
  },
})

const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'Europe/London' })

function noticeEmail({ subject, paragraphs, at, ip }: NoticePayload, page: string): EmailContent {
  const from = ip === null ? '' : ` from the address ${ip}`
  return composeEmail({
    subject: `${subject} on your Nameplate account`,
    paragraphs: [
      ...paragraphs,
      `This was done on ${moment.format(new Date(at))}, London time${from}. If it was you, there is nothing to do.`,
      'If it was not you, look here, undo it, and then set a new password:',
      { link: page, label: 'Look at it' },
    ],
  })
}
