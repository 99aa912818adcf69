import { html } from '../lib/html.ts'
import { WELCOME_CREDITS } from './plans.ts'

/** What our e-mails say. Pure: values in, subject and both bodies out. */
export interface EmailContent {
  subject: string
  text: string
  html: string
}

export function verificationEmail(link: string): EmailContent {
  return compose({
    subject: 'Verify your e-mail address for Nameplate',
    paragraphs: [
      `Welcome to Nameplate. Follow this link to verify your e-mail address; ${WELCOME_CREDITS} free credits are then yours.`,
      { link, label: 'Verify my address' },
      'The link works once and for 24 hours. If you did not sign up, ignore this message and nothing happens.',
    ],
  })
}

export function resetEmail(link: string): EmailContent {
  return compose({
    subject: 'Set a new Nameplate password',
    paragraphs: [
      'Someone asked for a new password for your Nameplate account. If it was you, follow this link and choose one.',
      { link, label: 'Choose a new password' },
      'The link works once and for one hour. If it was not you, ignore this message: your password stays as it is.',
    ],
  })
}

export function passwordChangedEmail(resetPage: string): EmailContent {
  return compose({
    subject: 'Your Nameplate password was changed',
    paragraphs: [
      'The password of your Nameplate account was just changed, and every session that was signed in has ended. Your API keys go on working.',
      'If it was not you, set a new password at once:',
      { link: resetPage, label: 'Set a new password' },
    ],
  })
}

type Paragraph = string | { link: string; label: string }

const BUTTON =
  'display:inline-block;padding:10px 18px;border-radius:6px;background:#14532d;color:#ffffff;text-decoration:none'
const BODY = 'font:16px/1.5 system-ui,sans-serif;max-width:34em;margin:2em auto;padding:0 1em;color:#1c1917'

function compose(email: { subject: string; paragraphs: Paragraph[] }): EmailContent {
  const text = email.paragraphs.map((paragraph) => (typeof paragraph === 'string' ? paragraph : paragraph.link))
  const paragraphs = email.paragraphs.map((paragraph) =>
    typeof paragraph === 'string'
      ? html`<p>${paragraph}</p>`
      : html`<p><a href="${paragraph.link}" style="${BUTTON}">${paragraph.label}</a></p>`,
  )
  const page = html`<!doctype html><html lang="en"><body style="${BODY}">${paragraphs}<p style="color:#78716c">Nameplate</p></body></html>`
  return { subject: email.subject, text: `${text.join('\n\n')}\n\nNameplate\n`, html: page.markup }
}
