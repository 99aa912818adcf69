/** A site that prints thousands of companies holds nothing up: a bounded number of them is looked at. */
import { expect, test } from 'vitest'
import { fixtureRegister } from '../register-view.fixture.ts'
import { fixtureSite } from '../site.fixture.ts'
import { readClaims } from './claims.ts'
import { readForeignClaims } from './foreign-claims.ts'
import { matchSite } from './match-site.ts'

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
const wordAt = (index: number) => `Hazel${LETTERS[index % 26]}${LETTERS[Math.floor(index / 26) % 26]}wick`
const list = (count: number, form: string) =>
  Array.from({ length: count }, (_, index) => `<p>Supplied by ${wordAt(index)} ${form}, our partner</p>`).join('')

test('of five hundred companies of other countries, a hundred are looked at', () => {
  const findings = fixtureSite('harrowgill.co.uk', { '/': `<main>${list(500, 'GmbH')}</main>` })
  expect(readForeignClaims(findings, fixtureRegister([])).length).toBe(100)
})

test('of five hundred registered names, three hundred are looked at, and the number in the imprint still decides', () => {
  const companies = Array.from({ length: 500 }, (_, index) => ({
    number: String(5_000_000 + index).padStart(8, '0'),
    name: `${wordAt(index).toUpperCase()} LIMITED`,
    postcode: 'LS1 4AP',
  }))
  const own = { number: '04999990', name: 'HARROWGILL JOINERY LTD', postcode: 'LS1 4AP' }
  const findings = fixtureSite('harrowgilljoinery.co.uk', {
    '/': `<title>Harrowgill Joinery</title><main>${list(500, 'Limited')}</main>`,
    '/legal': '<main><p>Harrowgill Joinery Ltd. Registered in England and Wales No. 04999990</p></main>',
  })
  const view = fixtureRegister([...companies, own])
  const { claims } = readClaims(findings, view)
  expect(claims.filter(({ via }) => via === 'name').length).toBe(300)
  expect(matchSite(findings, view).verdict.candidates.map(({ company }) => company.number)).toContain(own.number)
})
