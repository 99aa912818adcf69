/** A list has names, postcodes and numbers of companies. Each row is matched with the register, or a person must decide. */
import { beforeAll, describe, expect, test } from 'vitest'
import { applyCompanies } from '../src/register/apply-companies.ts'
import { parseProfile } from '../src/register/details/company-from-profile.ts'
import { matchByName, NAME_ROWS_MAX, type NameRow } from '../src/register/index.ts'
import { rebuildSearchIndex } from '../src/register/search/search-index.ts'
import { useTestService } from './setup/harness.ts'

const it = useTestService()
beforeAll(async () => {
  const incoming = COMPANIES.map((given) => ({ facts: toFacts(given), rowHash: null, timepoint: 0 }))
  const options = { source: 'snapshot', reference: 'test', at: it.clock.now(), isStale: () => false } as const
  await it.app.db.transaction((tx) => applyCompanies(tx, incoming, options))
  await rebuildSearchIndex(it.app.db)
})

interface Given {
  number: string
  name: string
  postcode: string | null
  status?: string
  previous?: string
}

const COMPANIES: Given[] = [
  { number: '00000011', name: 'QUILLFEATHER JOINERY LIMITED', postcode: 'HG4 1AA' },
  { number: '00000021', name: 'HARBOUR LIGHT LIMITED', postcode: 'M1 1AE' },
  { number: 'OC300022', name: 'HARBOUR LIGHT LLP', postcode: 'CF10 1AA' },
  { number: '00000031', name: 'GREEN FOODS LIMITED', postcode: 'SL2 2FD' },
  { number: '00000032', name: 'GREEN VALLEY FOODS LIMITED', postcode: 'IP13 6JW' },
  { number: '00000041', name: 'NORTH QUAY TRADING LIMITED', postcode: 'LS1 4DY' },
  { number: '00000042', name: 'SOUTH QUAY TRADING LIMITED', postcode: 'BS1 5TR' },
  { number: '00000051', name: 'MILL WHARF 1 LIMITED', postcode: 'E14 5AB' },
  { number: '00000061', name: 'PEBBLE & SHORE LIMITED', postcode: 'BN1 1AA', status: 'dissolved' },
  { number: '00000071', name: 'KESTREL AVIATION PLC', postcode: 'EH1 1AA', previous: 'SPARROWHAWK GLIDERS LIMITED' },
  { number: '00000081', name: 'HARMONY LIMITED', postcode: 'PL1 1AA' },
  { number: '00000091', name: 'VELLICHOR BOOKSHOPS LIMITED', postcode: null },
  { number: '00000101', name: 'SALT & TIDE COMPANY LIMITED', postcode: 'BN1 1AB', status: 'dissolved' },
  { number: '00000102', name: 'THE SALT & TIDE COMPANY LIMITED', postcode: 'BN1 1AB' },
]

function toFacts({ number, name, postcode, status = 'active', previous }: Given) {
  const facts = parseProfile({
    company_number: number,
    company_name: name,
    company_status: status,
    type: 'ltd',
    date_of_creation: '2011-03-14',
    previous_company_names: previous ? [{ name: previous, ceased_on: '2015-05-05' }] : [],
    registered_office_address: { address_line_1: '1 Mill Lane', locality: 'Ripon', postal_code: postcode },
    accounts: {},
    sic_codes: ['31090'],
  })
  if (!facts) throw new Error(`${name} is no company`)
  return facts
}

async function ask(name: string, postcode: string | null = null, number: string | null = null) {
  const [match] = await matchByName(it.app.db, [{ name, postcode, number }])
  if (!match) throw new Error('a row has no verdict')
  return match
}

describe('matched without a person', () => {
  test.each<[string, string, string | null, string]>([
    ['the name and the postcode of the office', 'Quillfeather Joinery Limited', 'HG4 1AA', '00000011'],
    ['another form of the ending, a postcode without its space', 'quillfeather joinery ltd.', 'hg41aa', '00000011'],
    ['no ending', 'Quillfeather Joinery', 'HG4 1AA', '00000011'],
    ['a name of a company that has ended, too', 'The Salt and Tide Co', null, '00000102'],
    ['another office in the same postcode area', 'Quillfeather Joinery', 'HG4 9ZZ', '00000011'],
    ['only the first half of the postcode', 'Quillfeather Joinery', 'HG4', '00000011'],
    ['a slip of a letter at the postcode', 'Quilfeather Joinery', 'HG4 1AA', '00000011'],
    ['two slips at the postcode', 'Quilfeather Joinerry Ltd', 'HG4 1AA', '00000011'],
    ['a missing space at the postcode', 'QuillfeatherJoinery', 'HG4 1AA', '00000011'],
    ['swapped words at the postcode', 'Joinery Quillfeather', 'HG4 1AA', '00000011'],
    ['a namesake that the postcode distinguishes', 'Harbour Light', 'CF10 1AA', 'OC300022'],
    ['a namesake that the ending and the postcode distinguish', 'Harbour Light Ltd', 'M1 1AE', '00000021'],
    ['the only company of this name, no postcode', 'Green Foods', null, '00000031'],
    ['one word with its ending, no postcode', 'Harmony Ltd', null, '00000081'],
    ['a company whose office the register does not have', 'Vellichor Bookshops', 'YO1 7HH', '00000091'],
    ['the full name with a word of its own, at a shop', 'Quillfeather Joinery Ltd', 'TR1 1AA', '00000011'],
  ])('%s', async (_, name, postcode, number) => {
    const match = await ask(name, postcode)
    expect(match).toMatchObject({ verdict: 'matched', companyNumber: number })
    expect(match.candidates[0]?.number).toBe(number)
    expect(match.confidence).toBeGreaterThan(0.9)
  })

  test.each([
    ['alone', ''],
    ['with the name', 'Kestrel Aviation'],
    ['with a previous name', 'Sparrowhawk Gliders Ltd'],
    ['with part of the name', 'Kestrel'],
  ])('the number of a company %s, without the zeros that a spreadsheet drops', async (_, name) => {
    expect(await ask(name, null, '71')).toMatchObject({ verdict: 'matched', companyNumber: '00000071' })
  })

  test('a number that is none counts as empty', async () => {
    expect(await ask('Green Foods', null, 'n/a')).toMatchObject({ verdict: 'matched', companyNumber: '00000031' })
  })
})

describe('left to a person, with the company among the candidates', () => {
  test.each<[string, string, string | null, string]>([
    ['a name that two companies have', 'Harbour Light', null, 'Several companies'],
    ['a name at the postcode of neither', 'Harbour Light', 'TR1 1AA', 'Several companies'],
    ['another ending', 'Quillfeather Joinery LLP', 'HG4 1AA', 'another legal ending'],
    ['another postcode, no ending', 'Quillfeather Joinery', 'TR1 1AA', 'another postcode'],
    ['another postcode, a name of common words', 'Green Foods Ltd', 'IP13 6JW', 'another postcode'],
    ['a slip, no postcode', 'Quilfeather Joinery', null, 'a name like this one'],
    ['a word that other names have, at the postcode', 'South Quay Trading', 'LS1 4DY', 'another postcode'],
    ['a word too many', 'Quillfeather Joinery Holdings', 'HG4 1AA', 'a name like this one'],
    ['a company that has ended', 'Pebble and Shore', 'BN1 1AA', 'has left the register'],
    ['a previous name', 'Sparrowhawk Gliders', 'EH1 1AA', 'had this name before'],
    ['one word without ending and postcode', 'Harmony', null, 'may mean another business'],
  ])('%s', async (_, name, postcode, reason) => {
    const match = await ask(name, postcode)
    expect(match).toMatchObject({ verdict: 'needs_review', companyNumber: null, confidence: null })
    expect(match.reason).toContain(reason)
    expect(match.candidates.length).toBeGreaterThan(0)
  })

  test('a number whose company has another name', async () => {
    const match = await ask('Quillfeather Joinery', null, '00000071')
    expect(match).toMatchObject({ verdict: 'needs_review', companyNumber: null })
    expect(match.reason).toContain('KESTREL AVIATION PLC')
    expect(match.candidates.map(({ number }) => number).toSorted()).toEqual(['00000011', '00000071'])
  })

  test('a number that no company has, beside a name that one has', async () => {
    const match = await ask('Green Foods', null, '09999999')
    expect(match).toMatchObject({ verdict: 'needs_review', companyNumber: null })
    expect(match.candidates[0]?.number).toBe('00000031')
  })

  test('a candidate says why it is one', async () => {
    const { candidates } = await ask('Quillfeather Joinery LLP', 'HG4 9ZZ')
    expect(candidates[0]).toEqual({
      number: '00000011',
      name: 'QUILLFEATHER JOINERY LIMITED',
      status: 'active',
      postcode: 'HG4 1AA',
      score: expect.any(Number),
      why: 'The same name, the same area of the postcode, another legal ending',
    })
  })
})

describe('no match', () => {
  test.each<[string, string, string | null, string | null]>([
    ['a name that is like none', 'Zzyzx Balloon Rides', 'HG4 1AA', null],
    ['the next building of a row of companies', 'Mill Wharf 2', 'EC1A 1BB', null],
    ['an empty row', ' ', null, null],
    ['a number that no company has', '', null, '09999999'],
  ])('%s', async (_, name, postcode, number) => {
    const match = await ask(name, postcode, number)
    expect(match.verdict).not.toBe('matched')
    expect(match.companyNumber).toBeNull()
  })
})

test('a row with nothing usable in it has no match, and spoils nothing for the others', async () => {
  const odd = ['', '   ', '🎉🎉', 'x'.repeat(5_000), '%%%', "'; drop table company; --", '\0']
  const rows = [...odd, 'Green Foods'].map((name): NameRow => ({ name, postcode: '?', number: '-' }))
  const matches = await matchByName(it.app.db, rows)
  expect(matches.slice(0, odd.length).map(({ verdict }) => verdict)).toEqual(odd.map(() => 'no_match'))
  expect(matches.at(-1)?.candidates[0]?.number).toBe('00000031')
})

test('rows keep their order, and more than fit are refused', async () => {
  const live = COMPANIES.filter(({ status }) => status !== 'dissolved')
  const rows = live.map(({ name, postcode }): NameRow => ({ name, postcode, number: null })).toReversed()
  const matches = await matchByName(it.app.db, rows)
  expect(matches.map(({ candidates }) => candidates[0]?.name)).toEqual(rows.map(({ name }) => name))
  const tooMany = Array.from({ length: NAME_ROWS_MAX + 1 }, () => ({ name: 'x', postcode: null, number: null }))
  await expect(matchByName(it.app.db, tooMany)).rejects.toThrow('at most')
})
