/** The catalogues of real wordings and traps: what a disclosure looks like, and whose numbers it is mistaken for. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { matchSite } from './match/match-site.ts'
import { type FixtureCompany, fixtureRegister } from './register-view.fixture.ts'
import { fixtureSite } from './site.fixture.ts'

const CATALOGUE = join(import.meta.dirname, '../../worlds/catalogue')
const read = <Row>(file: string): Row[] => JSON.parse(readFileSync(join(CATALOGUE, file), 'utf8')) as Row[]

interface Variant {
  id: string
  pattern: string
  /** Which number is the owner's; null when the wording gives none. */
  expect: string | null
}

interface Trap {
  id: string
  title: string
  fixture: string | null
  /** The number that should be returned; null for none. */
  own: string | null
}

const OWN = 'Example Widgets Ltd'
const OFFICE = '1 High Street, Leeds, LS1 4AP'
/** Every number a wording can print, as the register has it. */
const NUMBERS: Record<string, string> = {
  NUM: '04999990',
  N7: '04999990',
  SC: 'SC999990',
  NI: 'NI999990',
  OC: 'OC999990',
  SO: 'SO999990',
  LP: 'LP999990',
  FC: 'FC099990',
  BR: 'BR099990',
  RC: 'RC099990',
}
const EXAMPLE = { number: '04999990', name: 'EXAMPLE WIDGETS LTD', postcode: 'LS1 4AP' }
const FILLED: Record<string, string> = {
  ...NUMBERS,
  N7: '4999990',
  SCS: 'SC 999990',
  SCD: '999990',
  NUM_SP: '0499 9990',
  NUM_ZW: '0499\u200B99\u00AD90',
  NUM_TAIL: '4999990',
  N: OWN,
  T: 'WidgetHub',
  G: 'Network Principal Ltd',
  A: OFFICE,
  VAT: 'GB 999 9999 73',
  CH: '1999991',
  Y: '2024',
}

/** All other companies in the traps, and decoys whose numbers similar numbers could be mistaken for. */
const OTHERS = [
  { number: '09999991', name: 'EXAMPLE WIDGETS HOLDINGS LTD' },
  { number: '04999991', name: 'UNRELATED BAKERY LTD' },
  { number: '09876543', name: 'PIXEL AGENCY LTD' },
  { number: '08765432', name: 'PAYCO UK LIMITED' },
  { number: '05551234', name: 'LENDER FINANCE LIMITED' },
  { number: '01234568', name: 'BIGGER GROUP PLC' },
  { number: '06543210', name: 'CLOUDHOST LTD' },
  { number: '04567890', name: 'ACME RETAIL LTD' },
  { number: '03334445', name: 'BLOCKMAN LTD' },
  { number: '02223334', name: 'WIDGETFRANCHISE (UK) LTD' },
  { number: '03030303', name: 'NETWORK LTD' },
  { number: '01111112', name: 'ACME PLC' },
  { number: '01111113', name: 'ALPHA LTD' },
  { number: '01111114', name: 'BETA LTD' },
  { number: '01111115', name: 'GAMMA LTD' },
  { number: '12345678', name: 'SOMEBODY REAL LTD' },
  { number: '12345679', name: 'SOMEBODY ELSE LTD' },
  { number: '87654321', name: 'ANOTHER LTD' },
  { number: '49999996', name: 'ACCOUNT LTD' },
  { number: '10099999', name: 'COLLEGE LTD' },
  { number: '12345671', name: 'AMSTERDAM LTD' },
  { number: '00999675', name: 'DUBLIN LTD' },
  { number: '00199570', name: 'ST HELIER LTD' },
  { number: '01999991', name: 'CHARITABLE NUMBER LTD' },
  { number: 'SC099991', name: 'SCOTTISH CHARITABLE NUMBER LTD' },
  { number: '00900001', name: 'FIRM REFERENCE LTD' },
  { number: '09000843', name: 'REGULATED LTD' },
]

function resolve(words: string, own: FixtureCompany) {
  const home = `<html><head><title>WidgetHub | Example Widgets</title></head><body>
    <header><a class="logo" href="/">Example Widgets</a></header>
    <main><h1>WidgetHub</h1><p>${'We make widgets that last, in Leeds, and send them everywhere. '.repeat(8)}</p></main>
    ${words.trimStart().startsWith('{') ? `<script type="application/ld+json">${words}</script>` : `<footer><div>${words}</div></footer>`}
    </body></html>`
  const { verdict } = matchSite(fixtureSite('examplewidgets.co.uk', { '/': home }), fixtureRegister([own, ...OTHERS]))
  return { ...verdict, number: verdict.outcome === 'matched' ? verdict.candidates[0]?.company.number : null }
}

const fill = (pattern: string) =>
  pattern.replaceAll(/\{([A-Z_0-9]+)\}/g, (whole, name: string) => FILLED[name] ?? whole)

describe('149 ways in which companies print their number', () => {
  const variants = read<Variant>('disclosure-variants.json')
  const wrong: string[] = []
  const missed: string[] = []
  for (const { id, pattern, expect: wanted } of variants) {
    const right = wanted === null ? null : (NUMBERS[wanted] ?? null)
    const { number } = resolve(fill(pattern), { ...EXAMPLE, number: right ?? EXAMPLE.number })
    if (number !== null && number !== right) wrong.push(`${id}: ${pattern} gave ${number}`)
    else if (number !== right) missed.push(`${id}: ${pattern}`)
  }

  test('none is read as another company’s', () => {
    expect(wrong).toEqual([])
  })

  test('at least 95 in 100 are read', () => {
    expect(variants.length).toBe(149)
    const share = 1 - missed.length / variants.length
    expect(share, missed.join('\n')).toBeGreaterThanOrEqual(0.95)
  })
})

describe('71 traps', () => {
  const traps = read<Trap>('traps.json')
  test.each(
    traps.filter(({ fixture }) => fixture !== null).map(({ id, title, fixture, own }) => [id, title, fixture, own]),
  )('%s %s', (id, _title, fixture, own) => {
    const status = id === 'T37' ? 'dissolved' : 'active'
    const { number } = resolve(fixture ?? '', { ...EXAMPLE, status, number: own ?? EXAMPLE.number })
    expect(number === null || number === own, `matched ${number}`).toBe(true)
  })
})
