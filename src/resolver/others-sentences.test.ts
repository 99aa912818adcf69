/** Sentences about other companies must not make a match, and a company's own boilerplate must not cost one. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { matchSite } from './match/match-site.ts'
import { fixtureRegister } from './register-view.fixture.ts'
import { fixtureSite } from './site.fixture.ts'

const read = (name: string): unknown =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../../worlds/catalogue', name), 'utf8'))
const { sentences: thirdParty, register } = read('third-party.json') as {
  sentences: string[]
  register: Array<{ number: string; name: string }>
}
const { sentences: boilerplate } = read('own-boilerplate.json') as { sentences: string[] }

const OWN = { number: '04999990', name: 'ACME WIDGETS LTD', postcode: 'LS1 4AP' }
const OTHERS = register.filter(({ number }) => number !== OWN.number)
const DISCLOSURE =
  '<p>Acme Widgets Ltd. Registered in England and Wales, company number 04999990. Registered office: 1 High Street, Leeds LS1 4AP.</p>'
const HOME = '<h1>Acme Widgets</h1><p>We make widgets for every garden gate, and have done so for thirty years.</p>'
const toPage = (body: string, footer: string) =>
  `<html><head><title>Acme Widgets</title></head><body><main>${body}</main><footer>${footer}</footer></body></html>`

type Where = 'the terms' | 'the footer'

function decide(sentence: string, page: Where, own: string) {
  const footer = `${own}${page === 'the footer' ? `<p>${sentence}</p>` : ''}`
  const terms = `<h1>Terms</h1><p>These terms are for all orders of widgets.</p>${page === 'the terms' ? `<p>${sentence}</p>` : ''}`
  const findings = fixtureSite('acmewidgets.co.uk', { '/': toPage(HOME, footer), '/terms': toPage(terms, footer) })
  // Without a disclosure of its own, the site belongs to no company that anyone could find.
  const companies = own === '' ? OTHERS : [OWN, ...OTHERS]
  return matchSite(findings, fixtureRegister(companies)).verdict
}

describe.each<Where>(['the terms', 'the footer'])('a sentence about another company in %s', (page) => {
  test.each(thirdParty)('is no match: %s', (sentence) => {
    expect(decide(sentence, page, '').outcome).not.toBe('matched')
  })

  test.each(thirdParty)('does not cost the site its own company: %s', (sentence) => {
    const { outcome, candidates, reason } = decide(sentence, page, DISCLOSURE)
    expect([outcome, candidates[0]?.company.number], reason).toEqual(['matched', OWN.number])
  })
})

test.each(boilerplate)('the company’s own words do not cost it the match: %s', (words) => {
  const { outcome, candidates, reason } = decide(
    words.replaceAll('{company}', 'Acme Widgets Ltd'),
    'the terms',
    DISCLOSURE,
  )
  expect([outcome, candidates[0]?.company.number], reason).toEqual(['matched', OWN.number])
})
