/**
 * A made-up file of persons with significant control for the companies of a synthetic register, in the official shape and size
 * (about 800 bytes a line). A later edition has 1 % of its lines changed, 0.1 % removed and 0.1 % added. The first
 * `groupSize` companies belong to the company of row 0.
 */
import { createHash } from 'node:crypto'
import { type Random, randomOf } from '../random.ts'
import { companyAt } from './company.ts'
import { STREET_KINDS, STREETS, TOWNS } from './words.ts'

export interface SyntheticPscOptions {
  edition?: number
  seed?: number
  groupSize?: number
}

const CHANGED_SHARE = 0.01
const REMOVED_SHARE = 0.001
const ADDED_SHARE = 0.001
/** Companies of the register that owners are drawn from. */
const OWNERS = 200_000

export function* syntheticPscLines(count: number, options: SyntheticPscOptions = {}): Generator<string> {
  const { edition = 1, seed = 1, groupSize = 5_000 } = options
  const added = edition > 1 ? Math.floor(count * ADDED_SHARE) : 0
  let people = 0
  let statements = 0
  for (let index = 0; index < count + added; index += 1) {
    const fate = edition > 1 && index < count ? randomOf(seed, index, 300 + edition).next() : 1
    if (fate < REMOVED_SHARE) continue
    const random = randomOf(seed, index, 7)
    const { number } = companyAt(index, seed)
    const data = recordAt(index, number, random, { seed, groupSize })
    if (fate < REMOVED_SHARE + CHANGED_SHARE) data['ceased_on'] = '2026-10-31'
    if (data['kind'] === STATEMENT) statements += 1
    else people += 1
    yield `${JSON.stringify({ company_number: number, data })}\n`
  }
  const totals = {
    kind: 'totals#persons-of-significant-control-snapshot',
    persons_of_significant_control_count: people,
    statements_count: statements,
    exemptions_count: 0,
    generated_at: '2026-11-17T05:00:00.000Z',
  }
  yield `${JSON.stringify({ data: totals })}\n`
}

const STATEMENT = 'persons-with-significant-control-statement'
const REGISTRY = 'place_registered'
const FORENAMES = ['Amelia', 'Oliver', 'Isla', 'George', 'Priya', 'Mohammed', 'Grace', 'Piotr', 'Chloe', 'Rhys']
const SURNAMES = ['Ashworth', 'Bains', 'Carr', 'Dunmore', 'Eze', 'Farrow', 'Griffiths', 'Hussain', 'Iqbal', 'Jarvis']
const MAJORITY = [
  'ownership-of-shares-75-to-100-percent',
  'voting-rights-75-to-100-percent',
  'right-to-appoint-and-remove-directors',
]
const MINORITY = ['ownership-of-shares-25-to-50-percent', 'voting-rights-25-to-50-percent']

type PscData = Record<string, unknown>

function recordAt(
  index: number,
  number: string,
  random: Random,
  { seed, groupSize }: { seed: number; groupSize: number },
): PscData {
  const share = random.next()
  const isInGroup = index > 0 && index < groupSize
  if (!isInGroup && share < 0.06) return statement(index, number, random)
  if (isInGroup || share < 0.13) {
    const ownerIndex = isInGroup ? 0 : random.below(OWNERS)
    return organisation(index, number, random, companyAt(ownerIndex, seed))
  }
  return individual(index, number, random)
}

function linkOf(number: string, kind: string, index: number): string {
  const id = createHash('sha1').update(`${number} ${index}`).digest('base64url')
  return `/company/${number}/persons-with-significant-control/${kind}/${id}`
}

function address(random: Random) {
  const [town, county, area] = random.pick(TOWNS)
  return {
    address_line_1: `${random.pick(STREETS)} ${random.pick(STREET_KINDS)}`,
    address_line_2: `Floor ${1 + random.below(9)}`,
    country: 'United Kingdom',
    locality: town,
    postal_code: `${area}${1 + random.below(20)} ${1 + random.below(9)}AB`,
    premises: String(1 + random.below(300)),
    region: county,
  }
}

const etagOf = (random: Random) => createHash('sha1').update(String(random.next())).digest('hex')

function day(random: Random): string {
  return `${2016 + random.below(10)}-${String(1 + random.below(12)).padStart(2, '0')}-${String(1 + random.below(28)).padStart(2, '0')}`
}

function individual(index: number, number: string, random: Random): PscData {
  const [forename, middle, surname] = [random.pick(FORENAMES), random.pick(FORENAMES), random.pick(SURNAMES)]
  const isVerified = random.next() < 0.5
  return {
    address: address(random),
    ...(random.next() < 0.16 ? { ceased_on: '2024-03-31' } : {}),
    country_of_residence: 'England',
    date_of_birth: { month: 1 + random.below(12), year: 1945 + random.below(60) },
    etag: etagOf(random),
    ...(isVerified
      ? {
          identity_verification_details: {
            appointment_verification_start_on: '2026-05-14',
            appointment_verification_end_on: '9999-12-31',
          },
        }
      : {}),
    kind: 'individual-person-with-significant-control',
    links: { self: linkOf(number, 'individual', index) },
    name: `Mx ${forename} ${middle} ${surname}`,
    name_elements: { forename, middle_name: middle, surname, title: 'Mx' },
    nationality: 'British',
    natures_of_control: random.next() < 0.6 ? MAJORITY : MINORITY,
    notified_on: day(random),
  }
}

function organisation(index: number, number: string, random: Random, owner: { name: string; number: string }): PscData {
  const isForeign = random.next() < 0.09 && index > 10_000
  return {
    address: address(random),
    etag: etagOf(random),
    identification: isForeign
      ? {
          country_registered: 'Jersey',
          legal_authority: 'Companies (Jersey) Law 1991',
          legal_form: 'Private Company Limited By Shares',
          [REGISTRY]: 'Jersey Financial Services Commission',
          registration_number: String(10_000 + random.below(90_000)),
        }
      : {
          country_registered: 'United Kingdom',
          legal_authority: 'Companies Act 2006',
          legal_form: 'Private Company Limited By Shares',
          [REGISTRY]: 'Companies House',
          registration_number: owner.number,
        },
    kind: 'corporate-entity-person-with-significant-control',
    links: { self: linkOf(number, 'corporate-entity', index) },
    name: isForeign ? `${owner.name} HOLDINGS` : owner.name,
    natures_of_control: MAJORITY,
    notified_on: day(random),
  }
}

function statement(index: number, number: string, random: Random): PscData {
  return {
    etag: etagOf(random),
    kind: STATEMENT,
    links: { self: linkOf(number, 'statements', index).replace('-control/statements', '-control-statements') },
    notified_on: day(random),
    statement: 'no-individual-or-entity-with-signficant-control',
  }
}
