import { expect, test } from 'vitest'
import { type DigestContent, type DigestLine, digestEmail } from './digest-email.ts'

const line = (facts: Partial<DigestLine> = {}): DigestLine => ({
  companyNumber: '07214938',
  companyName: 'ALDERFINCH JOINERY LIMITED',
  severity: 'notice',
  summary: 'Jane SMITH became a director.',
  occurredOn: '2026-03-02',
  ...facts,
})

const digest = (facts: Partial<DigestContent> = {}): DigestContent => ({
  day: '2026-03-04',
  lines: [line()],
  signals: 1,
  warnings: 0,
  site: 'https://nameplate.test/',
  unsubscribeLink: 'https://nameplate.test/unsubscribe?token=acc_1.x',
  ...facts,
})

test.each([
  [{ signals: 1, warnings: 0 }, 'Your watchlist, 4 March 2026: 1 signal'],
  [{ signals: 1, warnings: 1 }, 'Your watchlist, 4 March 2026: 1 signal, a warning'],
  [{ signals: 3, warnings: 1 }, 'Your watchlist, 4 March 2026: 3 signals, 1 of them a warning'],
  [{ signals: 3, warnings: 2 }, 'Your watchlist, 4 March 2026: 3 signals, 2 of them warnings'],
  [{ signals: 2, warnings: 2 }, 'Your watchlist, 4 March 2026: 2 signals, all of them warnings'],
  [{ signals: 1_200, warnings: 0 }, 'Your watchlist, 4 March 2026: 1,200 signals'],
])('the subject says the day and how much there is: %o', (counts, subject) => {
  expect(digestEmail(digest(counts)).subject).toBe(subject)
})

test('lines stand under their severity and company, with the day', () => {
  const lines = [
    line({ severity: 'warning', summary: 'It is in liquidation.' }),
    line({ summary: 'Jane SMITH became a director.' }),
    line({ summary: 'John BROWN resigned as a director.', occurredOn: '2026-03-03' }),
    line({ companyName: 'BRACKENMILL TEXTILES LIMITED', companyNumber: '05820417', summary: 'It moved.' }),
    line({ severity: 'info', summary: 'It filed its accounts.' }),
  ]
  const { text } = digestEmail(digest({ lines, signals: 5, warnings: 1 }))
  expect(text).toBe(`5 new signals at the companies you watch, until 7 o’clock on 4 March 2026.

WARNINGS

ALDERFINCH JOINERY LIMITED (07214938)
- It is in liquidation. (2 March 2026)

WORTH A LOOK

ALDERFINCH JOINERY LIMITED (07214938)
- Jane SMITH became a director. (2 March 2026)
- John BROWN resigned as a director. (3 March 2026)

BRACKENMILL TEXTILES LIMITED (05820417)
- It moved. (2 March 2026)

FOR YOUR INFORMATION

ALDERFINCH JOINERY LIMITED (07214938)
- It filed its accounts. (2 March 2026)

https://nameplate.test/

You get this e-mail because the daily digest of your Nameplate account is on. To stop it, follow this link:
https://nameplate.test/unsubscribe?token=acc_1.x

Nameplate
`)
})

test('what the lines leave out is counted, in both bodies', () => {
  const { text, html } = digestEmail(digest({ signals: 1_251 }))
  expect(text).toContain('and 1,250 more, which GET /v1/signals lists.')
  expect(html).toContain('and 1,250 more, which GET /v1/signals lists.')
  expect(digestEmail(digest()).text).not.toContain(' more')
})

test('markup in what the register says stays words', () => {
  const hostile = '<img src=x onerror="alert(1)"> & SONS'
  const facts = { companyName: hostile, summary: `${hostile} moved.`, companyNumber: '<b>' }
  const { html } = digestEmail(digest({ lines: [line(facts)], unsubscribeLink: 'https://x.test/?a="><b>' }))
  expect(html).toContain('&lt;img src=x onerror=&quot;alert(1)&quot;&gt; &amp; SONS')
  expect(html).not.toMatch(/<img|<b>/)
})
