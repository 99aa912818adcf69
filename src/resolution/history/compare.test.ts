import { describe, expect, test } from 'vitest'
import type { KnownResolution, StoredEvidence } from '../answers/known.ts'
import { compareReadings } from './compare.ts'

const HOME = 'https://alder.example/'
const quoteOf = (quote: string, over: Partial<StoredEvidence> = {}): StoredEvidence => ({
  kind: 'number',
  supports: '01234567',
  strength: 'decisive',
  says: 'The site prints the number of the company.',
  quote,
  url: HOME,
  fetchedAt: '2026-11-17T09:30:00.000Z',
  contentSha256: 'a'.repeat(64),
  ...over,
})
const pageOf = (url: string, sha256: string) => ({ url, status: 200, fetchedAt: '2026-11-17T09:30:00.000Z', sha256 })

interface Reading {
  outcome?: KnownResolution['outcome']
  confidence?: number | null
  registered?: KnownResolution['findings']['registered']
  evidence?: StoredEvidence[]
  pages?: ReturnType<typeof pageOf>[]
}

const REGISTERED = {
  name: 'ALDER LTD',
  number: '01234567',
  status: 'active',
  postcode: 'HG4 1AA',
  changedAt: '2026-01-01',
}

function reading(over: Reading = {}): KnownResolution {
  const { outcome = 'matched', confidence = 0.98, registered = REGISTERED } = over
  const crawl = {
    finding: 'read',
    reason: '',
    redirectedTo: null,
    pages: over.pages ?? [pageOf(HOME, 'one')],
    attempts: [],
  }
  const findings = {
    evidence: over.evidence ?? [quoteOf('No. 01234567')],
    candidates: [],
    considered: [],
    crawl,
    registered,
  }
  const companyNumber = registered?.number ?? null
  return { domain: 'alder.example', outcome, confidence, companyNumber, findings } as unknown as KnownResolution
}

describe('two readings of a domain', () => {
  test('that are the same differ in nothing', () => {
    expect(compareReadings(reading(), reading())).toEqual({
      answer: [],
      register: [],
      site: { quotes: [], pages: [], isUnread: false },
    })
  })

  test('show a quote that changed, one that is gone and one that was added', () => {
    const vat = { kind: 'vat', says: 'The site prints a VAT number.' }
    const before = reading({ evidence: [quoteOf('No. 01234567'), quoteOf('Alder Ltd, Ripon', { kind: 'name' })] })
    const after = reading({ evidence: [quoteOf('Company number 01234567'), quoteOf('VAT 123', vat)] })
    expect(compareReadings(before, after).site.quotes).toMatchObject([
      { change: 'changed', before: 'No. 01234567', after: 'Company number 01234567' },
      { change: 'gone', before: 'Alder Ltd, Ripon', after: null },
      { change: 'added', before: null, after: 'VAT 123' },
    ])
  })

  test('do not differ by white space alone', () => {
    const after = reading({ evidence: [quoteOf('No.\n  01234567 ')] })
    expect(compareReadings(reading(), after).site.quotes).toEqual([])
  })

  test('show pages by their bytes', () => {
    const before = reading({ pages: [pageOf(HOME, 'one'), pageOf(`${HOME}old`, 'two')] })
    const after = reading({ pages: [pageOf(HOME, 'three'), pageOf(`${HOME}new`, 'four')] })
    expect(compareReadings(before, after).site.pages).toEqual([
      { change: 'changed', url: HOME, beforeSha256: 'one', afterSha256: 'three' },
      { change: 'gone', url: `${HOME}old`, beforeSha256: 'two', afterSha256: null },
      { change: 'added', url: `${HOME}new`, beforeSha256: null, afterSha256: 'four' },
    ])
  })

  test('do not call a page gone that could not be read', () => {
    const after = reading({ outcome: 'scrape_failed', confidence: null, registered: null, evidence: [], pages: [] })
    const { site, answer, register } = compareReadings(reading(), after)
    expect(site).toEqual({ quotes: [], pages: [], isUnread: true })
    expect(answer.map(({ name }) => name)).toEqual(['outcome', 'company_number', 'company_name', 'confidence'])
    expect(register).toEqual([])
  })

  test('show the register for the same company alone', () => {
    const moved = { ...REGISTERED, status: 'liquidation', postcode: 'LS1 1AA' }
    expect(compareReadings(reading(), reading({ registered: moved })).register).toEqual([
      { name: 'status', before: 'active', after: 'liquidation' },
      { name: 'postcode', before: 'HG4 1AA', after: 'LS1 1AA' },
    ])
    const another = { ...moved, number: '07654321' }
    expect(compareReadings(reading(), reading({ registered: another })).register).toEqual([])
  })
})
