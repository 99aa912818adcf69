import { expect, test } from 'vitest'
import { instantEmail, listDigestEmail } from './list-email-words.ts'

const LINE = {
  companyNumber: '07214938',
  companyName: 'ALDERFINCH JOINERY LIMITED',
  severity: 'notice',
  summary: 'It moved.',
  occurredOn: '2026-11-13',
} as const
const LIST = { id: 'wl_1', name: 'Key customers', unsubscribeLink: 'https://nameplate.example/unsubscribe?token=x' }
const SITE = new URL('https://nameplate.example/')

const digest = (facts: Partial<Parameters<typeof listDigestEmail>[0]> = {}) =>
  listDigestEmail({
    lines: [LINE],
    signals: 1,
    warnings: 0,
    list: LIST,
    site: SITE,
    cadence: 'daily',
    day: '2026-11-16',
    ...facts,
  })
const instant = (facts: Partial<Parameters<typeof instantEmail>[0]> = {}) =>
  instantEmail({ lines: [LINE], signals: 1, warnings: 0, list: LIST, site: SITE, resumesAt: null, ...facts })

test.each([
  ['a day', digest(), 'Key customers, 16 November 2026: 1 signal'],
  ['a week', digest({ cadence: 'weekly' }), 'Key customers, week to 16 November 2026: 1 signal'],
  [
    'warnings',
    digest({ signals: 1_204, warnings: 3 }),
    'Key customers, 16 November 2026: 1,204 signals, 3 of them warnings',
  ],
  ['one at once', instant(), 'Key customers: 1 new signal'],
  ['a warning at once', instant({ warnings: 1 }), 'Key customers: 1 new signal, a warning'],
  ['a name of several lines', instant({ list: { ...LIST, name: 'Two\r\nlines' } }), 'Two lines: 1 new signal'],
])('the subject names the list and the count: %s', (_name, { subject }, expected) => {
  expect(subject).toBe(expected)
})

test('both bodies have the signals, the way to the feed of the list, and the way out', () => {
  for (const { text, html } of [digest(), instant()]) {
    for (const body of [text, html]) {
      expect(body).toContain('ALDERFINCH JOINERY LIMITED')
      expect(body).toContain('It moved.')
      expect(body).toContain('https://nameplate.example/console/signals?list=wl_1')
      expect(body).toContain(LIST.unsubscribeLink)
    }
    expect(text).toContain('WORTH A LOOK')
  }
})

test.each([
  [1, null],
  [2, 'and 1 more, which the list’s signals show.'],
  [1_051, 'and 1,050 more, which the list’s signals show.'],
])('of %d signals the rest is counted', (signals, expected) => {
  const { text } = digest({ signals })
  if (expected === null) expect(text).not.toContain('more, which')
  else expect(text).toContain(expected)
})

test('the last e-mail of an hour says when the next one comes, by the clock in London', () => {
  expect(instant().text).not.toContain('in an hour')
  expect(instant({ resumesAt: '2026-07-15T14:05:00.000Z' }).text).toContain(
    'What comes until 15:05 on 15 July 2026, London time is in one e-mail after that.',
  )
})
