/** Figures of a made-up company's newest accounts, with the shares that filed accounts have. */
import { type Random, randomOf } from '../random.ts'
import type { SyntheticCompany } from './company.ts'

export interface SyntheticFigures {
  /** `YYYY-MM-DD`. */
  periodEnd: string
  employees: number | null
  netAssets: number | null
}

const SALT = 5
/** Large companies mostly file on paper or as PDF. */
const ELECTRONIC_SHARE = 0.9
const LARGE_ELECTRONIC_SHARE = 0.3
const EMPLOYEES_STATED_SHARE = 0.84
const ASSETS_STATED_SHARE = 0.95
const EMPLOYEES_MAX = 400_000

/** Returns the figures of a row of the register; null where it has filed no accounts, or none that programs can read. */
export function figuresAt(company: SyntheticCompany, index: number, seed: number): SyntheticFigures | null {
  const random = randomOf(seed, index, SALT)
  const kind = company.accountsCategory
  const electronic = ['FULL', 'GROUP'].includes(kind) ? LARGE_ELECTRONIC_SHARE : ELECTRONIC_SHARE
  if (company.accountsLastMadeUp === '' || !random.isTrue(electronic)) return null
  const isDormant = kind === 'DORMANT'
  return {
    periodEnd: company.accountsLastMadeUp.split('/').reverse().join('-'),
    employees: random.isTrue(EMPLOYEES_STATED_SHARE) ? drawEmployees(random, isDormant) : null,
    netAssets: random.isTrue(ASSETS_STATED_SHARE) ? drawNetAssets(random, isDormant) : null,
  }
}

/** Most have one to five; one in a hundred has fifty or more. */
function drawEmployees(random: Random, isDormant: boolean): number {
  if (random.isTrue(isDormant ? 0.97 : 0.12)) return 0
  return Math.min(EMPLOYEES_MAX, Math.floor((1 - random.next()) ** (-1 / 1.1)))
}

/** Median 13,000 pounds; a quarter owe more than they have. A dormant company has its share capital. */
function drawNetAssets(random: Random, isDormant: boolean): number {
  if (isDormant && random.isTrue(0.8)) return random.pick([1, 1, 2, 100, 100, 1_000])
  const normal = Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())
  const pounds = Math.round(Math.exp(9.5 + 2.2 * normal))
  return random.isTrue(0.25) ? -pounds : pounds
}
