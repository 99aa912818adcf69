/** Companies whose domains are known, from a CSV of pairs: the truth that guesses are fitted to and measured on. */
import { createHash } from 'node:crypto'
import { parseCsv } from '../../rig/companies-house/csv.ts'
import { DomainError } from '../../src/errors.ts'
import type { CompanyNames } from '../../src/websites/guess/guess-options.ts'

export interface KnownCompany extends CompanyNames {
  number: string
  /** Each of them is right: a company may have had several over the years. */
  domains: Set<string>
  /** Companies that share a domain, directly or through others, are one family. */
  family: string
  /** Whether one of its domains belongs to other companies too, as a group's does. */
  isShared: boolean
  source: string
}

interface Pair {
  number: string
  name: string
  domain: string
  year: number
  source: string
}

const COLUMNS = ['company_number', 'company_name', 'registrable_domain'] as const

/** Columns are found by name. A company's latest name is its name; those of its earlier rows are its previous ones. */
export function parseKnownCompanies(text: string): KnownCompany[] {
  const pairs = parsePairs(text)
  const rowsOf = Map.groupBy(pairs, ({ number }) => number)
  const findFamily = joinFamilies(rowsOf.values())
  const companiesOn = new Map(
    [...Map.groupBy(pairs, ({ domain }) => domain)].map(([domain, rows]) => [
      domain,
      new Set(rows.map(({ number }) => number)).size,
    ]),
  )
  return [...rowsOf].map(([number, rows]) => {
    const latestFirst = rows.toSorted((one, other) => other.year - one.year)
    const [name = '', ...previousNames] = new Set(latestFirst.map((row) => row.name))
    const domains = new Set(rows.map(({ domain }) => domain))
    return {
      number,
      name,
      previousNames,
      domains,
      family: findFamily(rows[0]?.domain ?? ''),
      isShared: [...domains].some((domain) => (companiesOn.get(domain) ?? 0) > 1),
      source: rows[0]?.source ?? '',
    }
  })
}

/**
 * The half a company belongs to, always the same. Families stay together: otherwise a brand learnt from one company
 * of a group would be recognised in the next, and that is memory, not skill.
 */
export function halfOf({ family }: KnownCompany): 0 | 1 {
  return createHash('sha256').update(family).digest().readUInt8(0) % 2 === 0 ? 0 : 1
}

function parsePairs(text: string): Pair[] {
  const [header = [], ...rows] = parseCsv(text.replace(/^\uFEFF/, ''))
  const columns = new Map(header.map((name, index) => [name.trim(), index]))
  const missing = COLUMNS.filter((name) => !columns.has(name))
  if (missing.length > 0) throw new DomainError('invalid_request', `The file lacks the columns ${missing.join(', ')}`)
  return rows
    .map((row) => {
      const read = (column: string) => (row[columns.get(column) ?? -1] ?? '').trim()
      return {
        number: read('company_number'),
        name: read('company_name'),
        domain: read('registrable_domain').toLowerCase(),
        year: Number(read('year')) || 0,
        source: read('source'),
      }
    })
    .filter(({ number, name, domain }) => number !== '' && name !== '' && domain !== '')
}

/** Union–find over domains: joins the domains of one company, and returns the one that represents them. */
function joinFamilies(companies: Iterable<Pair[]>): (domain: string) => string {
  const joinedTo = new Map<string, string>()
  const find = (domain: string): string => {
    let root = domain
    for (let next = joinedTo.get(root); next !== undefined; next = joinedTo.get(root)) root = next
    return root
  }
  for (const rows of companies) {
    const root = find(rows[0]?.domain ?? '')
    for (const { domain } of rows) if (find(domain) !== root) joinedTo.set(find(domain), root)
  }
  return find
}
