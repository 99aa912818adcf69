/** One made-up company: its number, kind, state, dates and address, with the shares the real register has. */

import { type Random, randomOf } from '../random.ts'
import { syntheticStem } from './names.ts'
import { STREET_KINDS, STREETS, TOWNS } from './words.ts'

/** A company of the register, in the words of the file; dates are `dd/mm/yyyy` or empty. */
export type SyntheticCompany = ReturnType<typeof companyAt>

/** Returns the company of this row in the register; the same for the same seed. */
export function companyAt(index: number, seed: number) {
  const random = randomOf(seed, index)
  const { number, category, endings } = identityAt(index, random)
  const ending = random.pick(endings)
  const stem = syntheticStem(seed, index)
  const incorporated = incorporationDay(random)
  const postTown = random.pick(TOWNS)
  const noAccounts = incorporated > TODAY - 640 || random.next() < 0.08
  const refMonth = 1 + random.below(12)
  const madeUp = noAccounts ? 0 : TODAY - 60 - random.below(500)
  const confirmed = incorporated > TODAY - 365 ? 0 : TODAY - random.below(365)
  const chargeTotal = random.next() < 0.1 ? 1 + random.below(6) : 0
  const satisfied = random.below(chargeTotal + 1)
  return {
    number,
    name: ending === '' ? stem : `${stem} ${ending}`,
    previousNames: previousNames(random, seed, index, incorporated),
    line1: `${1 + random.below(300)} ${random.pick(STREETS)} ${random.pick(STREET_KINDS)}`,
    town: postTown[0],
    county: postTown[1],
    postcode: postcode(random, postTown[2], postTown[3]),
    category,
    status: status(random),
    incorporatedOn: toDate(incorporated),
    accountsRefDay: LAST_DAYS[refMonth - 1] ?? 28,
    accountsRefMonth: refMonth,
    accountsNextDue: toDate(noAccounts ? incorporated + 640 : madeUp + 365 + 273),
    accountsLastMadeUp: noAccounts ? '' : toDate(madeUp),
    accountsCategory: noAccounts ? 'NO ACCOUNTS FILED' : random.pick(ACCOUNTS_CATEGORIES),
    charges: { total: chargeTotal, outstanding: chargeTotal - satisfied, satisfied },
    sicTexts: sicTexts(random),
    confirmationNextDue: toDate((confirmed || incorporated) + 379),
    confirmationLastMadeUp: confirmed ? toDate(confirmed) : '',
  }
}

/** Changes a company as a month does: another state, later accounts, a new name, a new address. */
export function changeCompany(company: SyntheticCompany, random: Random, edition: number): void {
  const kind = random.below(4)
  if (kind === 0) {
    company.status =
      company.status === 'Active' ? random.pick(['Liquidation', STRIKE_OFF, 'In Administration']) : 'Active'
  } else if (kind === 1) {
    company.accountsLastMadeUp = toDate(TODAY + 5 * edition)
    company.accountsNextDue = toDate(TODAY + 5 * edition + 638)
    company.accountsCategory = 'MICRO ENTITY'
  } else if (kind === 2) {
    company.previousNames = [
      { name: company.name, changedOn: toDate(TODAY + edition) },
      ...company.previousNames,
    ].slice(0, 10)
    company.name = `${syntheticStem(edition, random.below(1_000_000))} LTD`
  } else {
    const postTown = random.pick(TOWNS)
    company.line1 = `${301 + random.below(300)} ${random.pick(STREETS)} ${random.pick(STREET_KINDS)}`
    company.town = postTown[0]
    company.county = postTown[1]
    company.postcode = postcode(random, postTown[2], postTown[3])
  }
}

interface Identity {
  number: string
  category: string
  endings: readonly string[]
}

const times = (count: number, word: string) => Array.from({ length: count }, () => word)

// Shares by repetition: most of the register is LTD or LIMITED.
const PRIVATE_ENDINGS = [...times(4, 'LIMITED'), ...times(5, 'LTD'), 'LTD.', 'LIMITED']
const PRIVATE: Omit<Identity, 'number'> = { category: 'Private Limited Company', endings: PRIVATE_ENDINGS }
const RARE_KINDS: ReadonlyArray<Omit<Identity, 'number'>> = [
  { category: 'Public Limited Company', endings: ['PLC', 'PLC', 'P.L.C.', 'PUBLIC LIMITED COMPANY'] },
  { category: 'Community Interest Company', endings: ['C.I.C.', 'CIC', 'COMMUNITY INTEREST COMPANY'] },
  {
    category: 'PRI/LTD BY GUAR/NSC (Private, limited by guarantee, no share capital)',
    endings: ['LIMITED', 'LTD', 'ASSOCIATION', ''],
  },
  {
    category: "PRI/LBG/NSC (Private, Limited by guarantee, no share capital, use of 'Limited' exemption)",
    endings: ['', 'TRUST', 'FOUNDATION'],
  },
]
const PARTNERSHIP = { category: 'Limited Liability Partnership', endings: ['LLP', 'LLP', 'LLP', 'L.L.P.'] }
const PREFIXED: ReadonlyArray<{ prefix: string; slot: number; slots: number } & Omit<Identity, 'number'>> = [
  { prefix: 'SC', slot: 0, slots: 3, ...PRIVATE },
  { prefix: 'SC', slot: 1, slots: 3, ...PRIVATE },
  { prefix: 'SC', slot: 2, slots: 3, ...PRIVATE },
  { prefix: 'NI', slot: 0, slots: 2, ...PRIVATE },
  { prefix: 'NI', slot: 1, slots: 2, ...PRIVATE },
  { prefix: 'OC', slot: 0, slots: 1, ...PARTNERSHIP },
  { prefix: 'LP', slot: 0, slots: 1, category: 'Limited Partnership', endings: ['LP', 'L.P.', 'LIMITED PARTNERSHIP'] },
  { prefix: 'OE', slot: 0, slots: 1, category: 'Overseas Entity', endings: ['S.A.', 'INC.', 'LIMITED', 'GMBH'] },
]
const NUMBERS_PRIME = 16_777_213

/** 92 of every 100 numbers are numeric; both kinds are scattered without ever meeting. */
function identityAt(index: number, random: Random): Identity {
  const hundredth = (index * 37) % 100
  const prefixed = PREFIXED[hundredth - 92]
  if (prefixed) {
    const digits = Math.floor(index / 100) * prefixed.slots + prefixed.slot
    return {
      number: prefixed.prefix + String(100_000 + digits).padStart(6, '0'),
      category: prefixed.category,
      endings: prefixed.endings,
    }
  }
  const kind = random.next() < 0.05 ? random.pick(RARE_KINDS) : PRIVATE
  const number = String(1 + ((index * 7_919) % NUMBERS_PRIME)).padStart(8, '0')
  return { number, category: kind.category, endings: kind.endings }
}

const STRIKE_OFF = 'Active - Proposal to Strike off'
const RARE_STATUSES = [...times(3, 'Liquidation'), 'In Administration', 'RECEIVERSHIP', 'Voluntary Arrangement']

function status(random: Random): string {
  const share = random.next()
  if (share < 0.909) return 'Active'
  return share < 0.98 ? STRIKE_OFF : random.pick(RARE_STATUSES)
}

const ACCOUNTS_CATEGORIES = [
  ...times(44, 'MICRO ENTITY'),
  ...times(32, 'TOTAL EXEMPTION FULL'),
  ...times(15, 'DORMANT'),
  ...times(2, 'FULL'),
  'GROUP',
  ...times(2, 'SMALL'),
  'UNAUDITED ABRIDGED',
  'TOTAL EXEMPTION SMALL',
  'AUDIT EXEMPTION SUBSIDIARY',
  'FILING EXEMPTION SUBSIDIARY',
]

const SIC_TEXTS = [
  '68209 - Other letting and operating of own or leased real estate',
  '70229 - Management consultancy activities other than financial management',
  '62020 - Information technology consultancy activities',
  '41202 - Construction of domestic buildings',
  '47910 - Retail sale via mail order houses or via Internet',
  '96090 - Other service activities n.e.c.',
  '98000 - Residents property management',
  '43210 - Electrical installation',
  '49410 - Freight transport by road',
  '56101 - Licensed restaurants',
  '99999 - Dormant Company',
  '82990 - Other business support service activities n.e.c.',
  '86900 - Other human health activities',
  '62012 - Business and domestic software development',
  '55100 - Hotels and similar accommodation',
  '01500 - Mixed farming',
]
const NO_SIC = ['None Supplied']

function sicTexts(random: Random): readonly string[] {
  const share = random.next()
  if (share < 0.04) return NO_SIC
  const first = random.pick(SIC_TEXTS)
  return share < 0.8 ? [first] : [first, random.pick(SIC_TEXTS)]
}

/** Returns them newest first. */
function previousNames(random: Random, seed: number, index: number, incorporated: number) {
  const names: Array<{ name: string; changedOn: string }> = []
  if (random.next() > 0.12) return names
  const count = random.next() < 0.85 ? 1 : 2
  let changed = TODAY
  for (let nth = 0; nth < count; nth += 1) {
    changed = Math.max(incorporated + 1, changed - 1 - random.below(2_000))
    // Salted by the row, so that a previous name is another company's present one only by chance.
    names.push({ name: `${syntheticStem(seed + 7_001 + nth, index)} LIMITED`, changedOn: toDate(changed) })
  }
  return names
}

const INWARD_LETTERS = 'ABDEFGHJLNPQRSTUWXYZ'

function postcode(random: Random, area: string, districts: number): string {
  const inward = `${random.below(10)}${INWARD_LETTERS[random.below(20)] ?? ''}${INWARD_LETTERS[random.below(20)] ?? ''}`
  return `${area}${1 + random.below(districts)} ${inward}`
}

const LAST_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const DAY_MS = 86_400_000
const EPOCH_MS = Date.UTC(1900, 0, 1)
/** Days from the first of 1900 to the day the synthetic file is of. */
const TODAY = Math.round((Date.UTC(2026, 8, 1) - EPOCH_MS) / DAY_MS)
const dates: string[] = []

/** 55 % of the register was formed in the last seven years; the rest thins out towards 1900. */
function incorporationDay(random: Random): number {
  if (random.next() < 0.55) return TODAY - random.below(2_430)
  return Math.floor(TODAY - 2_430 - random.next() ** 4 * (TODAY - 2_431))
}

function toDate(day: number): string {
  return (dates[day] ??= new Date(EPOCH_MS + day * DAY_MS).toISOString().slice(0, 10).split('-').reverse().join('/'))
}
