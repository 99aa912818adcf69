/** Messages for Slack and Teams: what they say of each signal, what their services take, and what a name cannot do. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findSlackProblem } from '../../../rig/incoming-webhooks/slack-rules.ts'
import { findTeamsProblem, TEAMS_BYTES_MAX } from '../../../rig/incoming-webhooks/teams-rules.ts'
import { SIGNAL_TYPES } from '../../signals/index.ts'
import { composeMessage, isGone } from './message.ts'
import { escapeSlack } from './slack-message.ts'

const APP = { config: { siteUrl: new URL('https://nameplate.example') } }
const CONSOLE = 'https://nameplate.example/console/'
const KINDS = ['slack', 'teams'] as const

const SIGNAL = {
  signal_type: 'status_changed',
  company_number: '07214938',
  company_name: 'ALDERFINCH JOINERY LIMITED',
  severity: 'warning',
  summary: 'Status changed from active to liquidation.',
  occurred_on: '2026-11-15' as string | null,
}
const toEvent = (data: object) => ({ body: JSON.stringify({ data }) })
const compose = (kind: (typeof KINDS)[number], ...signals: object[]) => composeMessage(APP, kind, signals.map(toEvent))
const problemOf = (kind: string, body: string) => (kind === 'slack' ? findSlackProblem(body) : findTeamsProblem(body))

/** All strings but types, one to a line. */
function wordsOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || typeof value !== 'object') return ''
  return Object.entries(value)
    .flatMap(([member, part]) => (member === 'type' ? [] : [wordsOf(part)]))
    .join('\n')
}
const wordsIn = (body: string) => wordsOf(JSON.parse(body))

test('one signal in Slack, whole', () => {
  expect(JSON.parse(compose('slack', SIGNAL).body)).toEqual({
    text: 'Nameplate: 1 new warning: ALDERFINCH JOINERY LIMITED. Status changed from active to liquidation.',
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: '1 new warning', emoji: false } },
      {
        type: 'section',
        text: {
          type: 'mrkdwn',
          verbatim: true,
          text: `*<${CONSOLE}companies/07214938|ALDERFINCH JOINERY LIMITED>*\nStatus changed from active to liquidation.\n🔴 Warning · 07214938 · 15 Nov 2026`,
        },
      },
      { type: 'context', elements: [{ type: 'mrkdwn', verbatim: true, text: `<${CONSOLE}signals|All signals>` }] },
    ],
  })
})

test('one signal in Teams, whole', () => {
  const line = (...inlines: object[]) => ({ type: 'RichTextBlock', spacing: 'None', inlines })
  const selectAction = { type: 'Action.OpenUrl', url: `${CONSOLE}companies/07214938` }
  expect(JSON.parse(compose('teams', SIGNAL).body)).toEqual({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          fallbackText:
            'Nameplate: 1 new warning: ALDERFINCH JOINERY LIMITED. Status changed from active to liquidation.',
          body: [
            line({ type: 'TextRun', text: '1 new warning', weight: 'Bolder', size: 'Medium' }),
            {
              ...line({ type: 'TextRun', text: SIGNAL.company_name, weight: 'Bolder', selectAction }),
              spacing: 'Medium',
              separator: true,
            },
            line({ type: 'TextRun', text: SIGNAL.summary }),
            line({ type: 'TextRun', text: '🔴 Warning · 07214938 · 15 Nov 2026', isSubtle: true, size: 'Small' }),
          ],
          actions: [{ type: 'Action.OpenUrl', title: 'All signals', url: `${CONSOLE}signals` }],
        },
      },
    ],
  })
})

describe.each(KINDS)('in %s', (kind) => {
  test.each(SIGNAL_TYPES)('a signal of the type %s is a message that the service takes', (type) => {
    const { body } = compose(kind, { ...SIGNAL, signal_type: type, summary: `What happened: ${type}.` })
    expect(problemOf(kind, body)).toBeNull()
    expect(wordsIn(body).replaceAll('\u2060', '')).toContain(`What happened: ${type}.`)
  })

  test.each([
    ['warning', '🔴 Warning'],
    ['notice', '🟠 Notice'],
    ['info', '🔵 Info'],
  ])('the severity %s is a word', (severity, word) => {
    expect(wordsIn(compose(kind, { ...SIGNAL, severity }).body)).toContain(`${word} · 07214938 · 15 Nov 2026`)
  })

  test.each([
    [[SIGNAL], '1 new warning'],
    [[{ ...SIGNAL, severity: 'info' }], '1 new signal'],
    [[SIGNAL, { ...SIGNAL, severity: 'info' }], '2 new signals, 1 of them a warning'],
    [[SIGNAL, SIGNAL, { ...SIGNAL, severity: 'notice' }], '3 new signals, 2 of them warnings'],
    [[{ message: 'This is a test.' }], 'Nameplate is connected'],
  ])('signals %# are announced in the title', (signals, title) => {
    const { body, events } = compose(kind, ...signals)
    expect([problemOf(kind, body), events.length]).toEqual([null, signals.length])
    expect(wordsIn(body)).toContain(title)
  })

  test('a signal without a day or a name has neither, and its number instead', () => {
    const { body } = compose(kind, { ...SIGNAL, occurred_on: null, company_name: ' ' })
    expect(problemOf(kind, body)).toBeNull()
    expect(wordsIn(body)).toContain('🔴 Warning · 07214938')
    expect(wordsIn(body)).not.toMatch(/null|undefined|Invalid/)
  })

  test('the line for notifications names three companies and counts the others', () => {
    const named = ['A LTD', 'B LTD', 'C LTD', 'D LTD', 'A LTD'].map((name) => ({ ...SIGNAL, company_name: name }))
    expect(wordsIn(compose(kind, ...named).body)).toContain('A LTD, B LTD, C LTD and 1 more')
  })

  test('whatever the texts are, the service takes the message, and all signals fit into a few', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 3_000 }),
      fc.constantFrom('&', '<', '>', '*', '😀', '"', '\u0000', 'é').map((one) => one.repeat(2_000)),
    )
    const signal = fc.record({
      company_name: text,
      summary: text,
      company_number: fc.constantFrom('07214938', 'SC123456'),
      severity: fc.constantFrom('info', 'notice', 'warning'),
      occurred_on: fc.constantFrom('2026-11-15', null, ''),
    })
    const check = (signals: object[]) => {
      let left = signals.map(toEvent)
      for (let messages = 1; left.length > 0; messages += 1) {
        const { body, events } = composeMessage(APP, kind, left)
        expect(problemOf(kind, body)).toBeNull()
        if (kind === 'teams') expect(Buffer.byteLength(body)).toBeLessThanOrEqual(TEAMS_BYTES_MAX)
        expect(events).toEqual(left.slice(0, events.length))
        expect([events.length > 0, messages <= signals.length]).toEqual([true, true])
        left = left.slice(events.length)
      }
    }
    fc.assert(fc.property(fc.array(signal, { minLength: 1, maxLength: 45 }), check), { numRuns: 60 })
  })
})

test('ordinary signals go twenty to a message', () => {
  for (const kind of KINDS) {
    expect(compose(kind, ...Array.from({ length: 50 }, () => SIGNAL)).events).toHaveLength(20)
  }
})

const MARKUP = [
  '<!channel>',
  '<!here> B',
  '<@U123>',
  '<http://evil.co.uk|click>',
  '<mailto:a@b.co.uk|x>',
  '*bold* _italic_ ~struck~ `code`',
  ':smile: LTD',
  '&lt;!channel&gt;',
  '[click](http://evil.co.uk)',
  'A & B > C < D LTD',
  'TWO\nLINES',
]

test.each(MARKUP)('the name %j is no markup in Slack, and reads as it is', (name) => {
  const body = compose('slack', { ...SIGNAL, company_name: name, summary: `Renamed to ${name}.` }).body
  const words = wordsIn(body)
  const marks = words.match(/<[^>]*>/g) ?? []
  expect(marks.map((mark) => mark.split('|')[0])).toEqual([`<${CONSOLE}companies/07214938`, `<${CONSOLE}signals`])
  expect(words).not.toMatch(/(?<!\u2060)[_~`]|(?<!\u2060|^)\*(?!<|$)|:[\w'+-]+:/m)
  const shown = words.replaceAll('\u2060', '').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
  expect(shown).toContain(`|${name.replaceAll('\n', ' ')}>`)
})

test.each(MARKUP)('the name %j is the text of a run in Teams', (name) => {
  const body = compose('teams', { ...SIGNAL, company_name: name }).body
  expect(body).toContain(JSON.stringify({ type: 'TextRun', text: name }).slice(0, -1))
  expect(body).not.toMatch(/"TextBlock"|"entities"/)
  const urls = [...body.matchAll(/"url":"([^"]*)"/g)].map(([, url]) => url)
  expect(urls).toEqual([`${CONSOLE}companies/07214938`, `${CONSOLE}signals`])
})

test.each([
  ['&&&&', 20, '&amp;&amp;&amp;&amp;'],
  ['&&&&', 19, '&amp;&amp;&amp;…'],
  ['&&&&', 16, '&amp;&amp;&amp;…'],
  ['&&&&', 15, '&amp;&amp;…'],
  ['abc', 3, 'abc'],
  ['abcd', 3, 'ab…'],
  ['😀😀', 4, '😀😀'],
  ['😀😀😀', 4, '😀…'],
  ['', 3, ''],
])('%s in %i characters of Slack is %s', (text, max, expected) => {
  expect(escapeSlack(text, max)).toBe(expected)
  expect(expected.length).toBeLessThanOrEqual(max)
})

test.each([
  ['slack', 404, 'no_service', true],
  ['slack', 410, 'channel_is_archived', true],
  ['slack', 403, 'invalid_token', true],
  ['slack', 403, 'team_disabled', true],
  ['slack', 403, 'action_prohibited', false],
  ['slack', 400, 'invalid_payload', false],
  ['slack', 429, 'rate_limited', false],
  ['slack', 500, 'rollup_error', false],
  ['slack', 500, 'no_service', false],
  ['slack', 200, 'no_service', false],
  ['teams', 404, '{"error":{"code":"WorkflowNotFound"}}', true],
  ['teams', 400, 'WorkflowTriggerIsNotEnabled', false],
  ['teams', 401, 'DirectApiAuthorizationRequired', false],
  ['teams', 429, '', false],
  ['teams', 202, '', false],
  ['slack', null, '', false],
] as const)('%s with %s %s: the address was removed: %s', (kind, status, response, expected) => {
  expect(isGone(kind, { status, response })).toBe(expected)
})
