import { describe, expect, test } from 'vitest'
import type { Company } from '../../register/index.ts'
import type { WebsiteCheck } from '../../resolution/index.ts'
import type { Resolution } from '../../resolver/index.ts'
import { type Observation, observeDrift, takeStep } from './drift.ts'

const OWN = { number: '07214938', name: 'ALDERFINCH JOINERY LIMITED' } as Company
const OTHER = { number: '05820417', name: 'BRACKENMILL TEXTILES LIMITED' } as Company
const BEFORE = { companyNumber: OWN.number, domain: 'alderfinch.co.uk', leadsTo: null }

interface Seen {
  outcome: Resolution['outcome']
  company?: Company
  candidates?: Company[]
  considered?: Company[]
  redirectedTo?: string
  placeholder?: string
  attempts?: string[]
}

function resolution(seen: Seen): Resolution {
  return {
    domain: BEFORE.domain,
    outcome: seen.outcome,
    situation: seen.outcome === 'no_match' ? 'nobody' : 'proven',
    confidence: null,
    claim: null,
    company: seen.company ?? null,
    reason: 'As seen.',
    placeholder: seen.placeholder ?? null,
    secondReading: null,
    ruled: null,
    isSecondReaderDue: false,
    evidence: [],
    explanation: { checklist: [], prior: 0, features: [], total: 0, runnerUp: null, margin: null, version: '1' },
    candidates: (seen.candidates ?? []).map((company) => ({ company, confidence: 0.4, reasons: [], against: [] })),
    considered: (seen.considered ?? []).map(({ number: companyNumber, name: companyName }) => {
      return { companyNumber, companyName, says: '', quote: '', url: '', features: [] }
    }),
    crawl: {
      finding: 'read',
      reason: '',
      redirectedTo: seen.redirectedTo ?? null,
      pages: [],
      attempts: (seen.attempts ?? ['200']).map((outcome) => ({ url: '', outcome, milliseconds: 1 })),
    },
    captures: [],
    resolvedAt: new Date(),
  }
}

const PLACEHOLDER = 'coming soon'

describe('a verified site', () => {
  test.each<[string, Seen, Observation]>([
    ['names the company', { outcome: 'matched', company: OWN }, { kind: 'same' }],
    ['names it without proof', { outcome: 'needs_review', candidates: [OWN, OTHER] }, { kind: 'same' }],
    ['mentions it', { outcome: 'non_uk_entity', considered: [OWN] }, { kind: 'same' }],
    ['names nobody', { outcome: 'no_match' }, { kind: 'unnamed' }],
    ['may be another’s', { outcome: 'needs_review', candidates: [OTHER] }, { kind: 'unnamed' }],
    ['belongs abroad', { outcome: 'non_uk_entity' }, { kind: 'unnamed' }],
    [
      'names another company',
      { outcome: 'matched', company: OTHER, considered: [OWN] },
      { kind: 'other_company', number: OTHER.number, name: OTHER.name, to: null },
    ],
    [
      'leads to another company',
      { outcome: 'matched', company: OTHER, redirectedTo: 'brackenmill.com' },
      { kind: 'other_company', number: OTHER.number, name: OTHER.name, to: 'brackenmill.com' },
    ],
    [
      'leads to the company elsewhere',
      { outcome: 'matched', company: OWN, redirectedTo: 'alderfinch.com' },
      { kind: 'moved', to: 'alderfinch.com', isProven: true },
    ],
    [
      'leads to a site that names the company without proof',
      { outcome: 'needs_review', candidates: [OWN], redirectedTo: 'alderfinch.com' },
      { kind: 'moved', to: 'alderfinch.com', isProven: false },
    ],
    [
      'leads to a profile',
      { outcome: 'no_match', redirectedTo: 'facebook.com' },
      { kind: 'moved', to: 'facebook.com', isProven: false },
    ],
    ['is a placeholder', { outcome: 'no_match', placeholder: PLACEHOLDER }, { kind: 'parked' }],
    [
      'leads to a placeholder',
      { outcome: 'no_match', placeholder: PLACEHOLDER, redirectedTo: 'host.com' },
      { kind: 'parked' },
    ],
    ['leads to a dealer in domains', { outcome: 'no_match', redirectedTo: 'sedo.com' }, { kind: 'parked' }],
    [
      'says “coming soon” and names the company',
      { outcome: 'no_match', placeholder: PLACEHOLDER, considered: [OWN] },
      { kind: 'same' },
    ],
    [
      'has no name any more',
      { outcome: 'scrape_failed', attempts: ['name_not_found', 'name_not_found'] },
      { kind: 'gone' },
    ],
    ['has half a name', { outcome: 'scrape_failed', attempts: ['name_not_found', 'refused'] }, { kind: 'unread' }],
    ['has name servers that fail', { outcome: 'scrape_failed', attempts: ['name_failed'] }, { kind: 'unread' }],
    ['answers with an error', { outcome: 'scrape_failed', attempts: ['503'] }, { kind: 'unread' }],
    ['was not tried, as others had the turn', { outcome: 'scrape_failed', attempts: [] }, { kind: 'unread' }],
    [
      'leads where it refuses us',
      { outcome: 'scrape_failed', attempts: ['403'], redirectedTo: 'alderfinch.com' },
      { kind: 'unread' },
    ],
  ])('that %s', (_, seen, observation) => {
    expect(observeDrift(BEFORE, resolution(seen))).toEqual(observation)
  })

  test('that led elsewhere when it was verified has not moved', () => {
    const led = { ...BEFORE, leadsTo: 'alderfinch.com' }
    const seen = (redirectedTo: string) => resolution({ outcome: 'matched', company: OWN, redirectedTo })
    expect(observeDrift(led, seen('alderfinch.com'))).toEqual({ kind: 'same' })
    expect(observeDrift(led, seen('alderfinch.uk'))).toEqual({ kind: 'moved', to: 'alderfinch.uk', isProven: true })
    expect(observeDrift(led, resolution({ outcome: 'matched', company: OWN }))).toEqual({ kind: 'same' })
  })
})

const OBSERVATIONS: Record<string, Observation> = {
  same: { kind: 'same' },
  parked: { kind: 'parked' },
  gone: { kind: 'gone' },
  unnamed: { kind: 'unnamed' },
  unread: { kind: 'unread' },
  bracken: { kind: 'other_company', number: OTHER.number, name: OTHER.name, to: null },
  carrick: { kind: 'other_company', number: '00000003', name: 'CARRICK LIMITED', to: null },
  away: { kind: 'moved', to: 'facebook.com', isProven: false },
  further: { kind: 'moved', to: 'ads.example', isProven: false },
  home: { kind: 'moved', to: 'alderfinch.com', isProven: true },
}

/** Each check with its result: `!` reported, and the days until the next; `usual` ones. */
function play(looks: string): string {
  let check: WebsiteCheck = { ...BEFORE, state: 'same', doubt: null, failures: 0, checkedAt: new Date() }
  return looks
    .split(' ')
    .map((name) => {
      const step = takeStep(check, OBSERVATIONS[name] ?? { kind: 'same' })
      check = { ...check, ...step.next }
      return `${name}${step.isNews ? '!' : ''}:${step.lookAgainDays ?? 'usual'}`
    })
    .join(' ')
}

describe('a change is told once, and only when it is believed', () => {
  test.each([
    ['same:usual same:usual'],
    ['parked:1 parked!:usual parked:usual'],
    ['bracken:1 bracken!:usual bracken:usual carrick:1 carrick!:usual'],
    ['gone:1 gone!:usual gone:usual'],
    ['unnamed:7 unnamed!:usual unnamed:usual'],
    ['away:7 away!:usual further:usual unnamed:usual'],
    // Proof needs no second look.
    ['home!:usual same:usual'],
    // A hiccup, and one that comes back.
    ['parked:1 same:usual parked:1 same:usual'],
    ['bracken:1 same:usual'],
    // Well again in between, so it is reported again.
    ['parked:1 parked!:usual same:usual parked:1 parked!:usual'],
    // Never well, though never twice the same: the last is reported.
    ['away:7 further!:usual'],
    ['unnamed:7 parked!:usual'],
    // Worse is news, vaguer is not.
    ['unnamed:7 unnamed!:usual parked:1 parked!:usual unnamed:usual away:usual gone:1 parked:usual'],
    ['parked:1 parked!:usual home!:usual'],
    // An unreadable site is checked on three days, then as usual, and is never reported.
    ['unread:1 unread:1 unread:usual unread:1 same:usual unread:1'],
    // It neither confirms nor clears a doubt.
    ['parked:1 unread:1 parked!:usual'],
    ['parked:1 parked!:usual unread:1 parked:usual'],
  ])('%s', (played) => {
    const looks = played.replaceAll(/!?:\w+/g, '')
    expect(play(looks)).toBe(played)
  })

  test('after a proven move the new domain is the one that is looked at', () => {
    const check = { ...BEFORE, state: 'moved', doubt: null, failures: 2, checkedAt: new Date() }
    const { next } = takeStep(check, { kind: 'moved', to: 'alderfinch.com', isProven: true })
    expect(next).toEqual({ domain: 'alderfinch.com', leadsTo: null, state: 'same', doubt: null, failures: 0 })
  })
})
