/** The web and the list for the run, each row with its right result. */

import { type MadeUpSite, makeSite } from '../../../rig/made-up-sites.ts'
import type { Outcome } from '../../../src/resolver/index.ts'

export interface SentRow {
  input: string
  expected:
    | { status: 'completed'; outcome: Outcome; companyNumber: string | null }
    | { status: 'invalid' }
    | { status: 'duplicate'; of: number }
}

export interface World {
  sites: MadeUpSite[]
  rows: SentRow[]
}

/** Among fifty rows, two are no domain that a company can have, and two repeat an earlier one. */
const EVERY = 50

const WRITTEN: Array<(domain: string) => string> = [
  (domain) => domain,
  (domain) => `https://www.${domain}/about?from=list`,
  (domain) => `info@${domain}`,
  (domain) => domain.toUpperCase(),
]

export function makeWorld(rowCount: number): World {
  const sites: MadeUpSite[] = []
  const rows: SentRow[] = []
  const rowOf = new Map<string, number>()
  while (rows.length < rowCount) {
    const step = rows.length % EVERY
    const earlier = sites[(sites.length * 7) % Math.max(1, sites.length - 1)]
    if (step === 10) rows.push({ input: `no domain ${rows.length}`, expected: { status: 'invalid' } })
    else if (step === 20) rows.push({ input: `person${rows.length}@gmail.com`, expected: { status: 'invalid' } })
    else if ((step === 30 || step === 40) && earlier) {
      const of = rowOf.get(earlier.domain) ?? 0
      rows.push({ input: `www.${earlier.domain}`, expected: { status: 'duplicate', of } })
    } else {
      const site = makeSite(sites.length)
      sites.push(site)
      rows.push(toRow(site, rows.length))
      rowOf.set(site.domain, rows.length)
    }
  }
  return { sites, rows }
}

function toRow({ domain, outcome, companyNumber }: MadeUpSite, index: number): SentRow {
  const write = WRITTEN[index % WRITTEN.length] ?? String
  return { input: write(domain), expected: { status: 'completed', outcome, companyNumber } }
}

/** Writes the rows as a spreadsheet would save them. */
export function toTable(rows: readonly SentRow[]): string {
  return ['Reference,Website', ...rows.map(({ input }, index) => `${index + 1},"${input}"`), ''].join('\r\n')
}
