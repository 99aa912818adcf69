/** The criteria of a search that all entry points take: what they mean, and which are refused. */
import { REGIONS, SIC_SECTION_NAMES } from '../../register/index.ts'

const EMPLOYEES_MAX = 10_000_000
const POUNDS_MAX = 1_000_000_000_000_000
const YEARS_MAX = 400

interface Limits {
  min: number
  max: number
  meaning: string
}

const COVERAGE =
  'From the newest accounts that the company filed electronically. A company without that figure never fits: about 84 % of ' +
  'these accounts state employees, and large companies often file on paper.'

/** Whole numbers that a search takes. */
export const NUMBERS = {
  employees_from: { min: 0, max: EMPLOYEES_MAX, meaning: `The average number of employees, at least. ${COVERAGE}` },
  employees_to: { min: 0, max: EMPLOYEES_MAX, meaning: 'At most; see `employees_from`.' },
  net_assets_from: {
    min: -POUNDS_MAX,
    max: POUNDS_MAX,
    meaning:
      'Net assets in whole pounds, at least; below zero a company owes more than it has. From the same accounts as employees.',
  },
  net_assets_to: { min: -POUNDS_MAX, max: POUNDS_MAX, meaning: 'At most; see `net_assets_from`.' },
  age_from_years: {
    min: 0,
    max: YEARS_MAX,
    meaning: 'Completed years since the incorporation, at least; today in London.',
  },
  age_to_years: { min: 0, max: YEARS_MAX, meaning: 'Completed years, at most.' },
} as const satisfies Record<string, Limits>

export const SECTION_MEANING = `A section of SIC 2007: ${Object.entries(SIC_SECTION_NAMES)
  .map(([letter, name]) => `\`${letter}\` ${name}`)
  .join(' · ')}. One of the company’s codes is in it. Codes of four digits are older and belong to no section.`

export const REGION_MEANING = `By postcode area of the registered office: ${REGIONS.map((region) => `\`${region}\``).join(', ')}. An area that crosses a border counts where most of it is.`

const RANGES = [
  ['incorporated_from', 'incorporated_to', 'be after'],
  ['employees_from', 'employees_to', 'be more than'],
  ['net_assets_from', 'net_assets_to', 'be more than'],
  ['age_from_years', 'age_to_years', 'be more than'],
] as const

type Ends = Partial<Record<(typeof RANGES)[number][0 | 1], string | number | undefined>>

/** Finds a range whose ends are the wrong way round. */
export function findBackwards(criteria: Ends): { from: string; to: string; must: string } | null {
  for (const [from, to, words] of RANGES) {
    const [start, end] = [criteria[from], criteria[to]]
    if (start !== undefined && end !== undefined && start > end) return { from, to, must: `must not ${words}` }
  }
  return null
}
