import { composeEmail, type EmailContent } from '../lib/text/email.ts'
import { WELCOME_CREDITS } from './plans.ts'

// What each of our e-mails says. Pure: values in, subject and both bodies out.

export function verificationEmail(link: string): EmailContent {
  return composeEmail({
    subject: 'Verify your e-mail address for Nameplate',
    paragraphs: [
      `Welcome to Nameplate. Open this page and press its button to verify your e-mail address; ${WELCOME_CREDITS} free credits are then yours.`,
      { link, label: 'Verify my address' },
      'The link works once and for 24 hours. If you did not sign up, do not press the button: the account is then deleted after a day.',
    ],
  })
}

export function resetEmail(link: string): EmailContent {
  return composeEmail({
    subject: 'Set a new Nameplate password',
    paragraphs: [
      'Someone asked for a new password for your Nameplate account. If it was you, follow this link and choose one.',
      { link, label: 'Choose a new password' },
      'The link works once and for one hour. If it was not you, ignore this message: your password stays as it is.',
    ],
  })
}

export function passwordChangedEmail(resetPage: string, { keysEnded }: { keysEnded: boolean }): EmailContent {
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
