/** The web, the register and the file for the run, each row with its right result. */

import { companyOf, type MadeUpSite, makeSite } from '../../../rig/made-up-sites.ts'
import type { Outcome } from '../../../src/resolver/index.ts'

export interface SentRow {
  website: string
  company: string
  number: string
  postcode: string
  expected:
    | { status: 'completed'; outcome: Outcome; companyNumber: string | null; by: 'site' | 'register' }
    | { status: 'invalid' }
    | { status: 'duplicate'; of: number }
}

export interface World {
  sites: MadeUpSite[]
  /** Rows that the register alone answers. */
  names: number
  numbers: number
  rows: SentRow[]
}

/** The companies of names and numbers come after those of sites. */
export const REGISTER_FIRST = 100_000

/**
 * Among fifty rows, two are no domain that a company can have, two repeat an earlier domain, six have a web site, and of the
 * others one half has a company number and the other a name with its postcode.
 */
const EVERY = 50
const SITES_EACH = 6

const WRITTEN: Array<(domain: string) => string> = [
  (domain) => domain,
  (domain) => `https://www.${domain}/about?from=list`,
  (domain) => `info@${domain}`,
  (domain) => domain.toUpperCase(),
]

export function makeWorld(rowCount: number): World {
  const world: World = { sites: [], names: 0, numbers: 0, rows: [] }
  const rowOf = new Map<string, number>()
  while (world.rows.length < rowCount) world.rows.push(makeRow(world, rowOf))
  return world
}

function makeRow(world: World, rowOf: Map<string, number>): SentRow {
  const { sites, rows } = world
  const step = rows.length % EVERY
  const earlier = sites[(sites.length * 7) % Math.max(1, sites.length - 1)]
  if (step === 10) return toRow({ website: `no domain ${rows.length}` }, { status: 'invalid' })
  if (step === 20) return toRow({ website: `person${rows.length}@gmail.com` }, { status: 'invalid' })
  if ((step === 30 || step === 40) && earlier) {
    return toRow({ website: `www.${earlier.domain}` }, { status: 'duplicate', of: rowOf.get(earlier.domain) ?? 0 })
  }
  if (step < SITES_EACH) {
    const { domain, outcome, companyNumber } = addSite(sites)
    rowOf.set(domain, rows.length + 1)
    const write = WRITTEN[rows.length % WRITTEN.length] ?? String
    return toRow({ website: write(domain) }, { status: 'completed', outcome, companyNumber, by: 'site' })
  }
  const { number, name, postcode } = companyOf(REGISTER_FIRST + world.names + world.numbers)
  const isNumber = step % 2 === 0
  world[isNumber ? 'numbers' : 'names'] += 1
  const found = { status: 'completed', outcome: 'matched', companyNumber: number, by: 'register' } as const
  // A spreadsheet takes a number for a number: its zeros are lost.
  return toRow(isNumber ? { number: String(Number(number)) } : { company: writeName(name), postcode }, found)
}

function addSite(sites: MadeUpSite[]): MadeUpSite {
  const site = makeSite(sites.length)
  sites.push(site)
  return site
}

function toRow(cells: Partial<SentRow>, expected: SentRow['expected']): SentRow {
  return { website: '', company: '', number: '', postcode: '', ...cells, expected }
}

/** As people write it. */
const writeName = (name: string) =>
  name
    .toLowerCase()
    .replace(/(^| )[a-z]/g, (letter) => letter.toUpperCase())
    .replace(/ Limited$/, ' Ltd')

const HEADER = ['Reference', 'Website', 'Company', 'Company number', 'Postcode']
/** The columns of the file whose contents are certain, counted from 1. */
export const COLUMNS = { company_name: 3, company_number: 4, postcode: 5 }

/** Writes the rows as a spreadsheet would save them. */
export function toTable(rows: readonly SentRow[]): string {
  const lines = rows.map(({ website, company, number, postcode }, index) =>
    [index + 1, `"${website}"`, company, number, postcode].join(','),
  )
  return [HEADER.join(','), ...lines, ''].join('\r\n')
}
