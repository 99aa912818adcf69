import { expect, test } from 'vitest'
import { isChallenge } from './challenge.ts'

const response = (title: string, text: string, extra: { headers?: Record<string, string>; html?: string } = {}) => ({
  headers: extra.headers ?? {},
  body: Buffer.from(extra.html ?? `<title>${title}</title>${text}`),
  title,
  text,
})

test.each([
  ['Just a moment...', 'Checking your browser before accessing acme.co.uk'],
  ['Verify you are human', 'Press and hold the button to continue.'],
  ['Attention Required! | Cloudflare', 'Sorry, you have been blocked'],
  ['Access denied', 'You do not have permission to view this page.'],
  ['', 'Please complete the captcha to go on.'],
  ['Pardon Our Interruption', 'As you were browsing, something made us think you were a bot.'],
])('%s / %s is a challenge', (title, text) => {
  expect(isChallenge(response(title, text))).toBe(true)
})

test('a challenge without words is recognised by its headers or its scripts', () => {
  expect(isChallenge(response('', '', { headers: { 'cf-mitigated': 'challenge' } }))).toBe(true)
  expect(isChallenge(response('', '', { html: '<script src="/cdn-cgi/challenge-platform/x.js"></script>' }))).toBe(true)
})

test.each([
  ['Acme Ltd', 'We make widgets. Registered in England and Wales, company number 01234567.'],
  ['', ''],
  [
    'Captcha design studio',
    `We write about captchas and how to verify you are human. ${'Much more text. '.repeat(100)}`,
  ],
])('%s is a page', (title, text) => {
  expect(isChallenge(response(title, text))).toBe(false)
})
