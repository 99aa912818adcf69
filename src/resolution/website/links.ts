import type { Readable } from 'node:stream'
import { parse } from 'csv-parse'
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import type { Db } from '../../lib/db/db.ts'
import { parseCompanyNumber } from '../../register/index.ts'
import { parseDomain } from '../../resolver/index.ts'

/** The counts of an import. */
export interface LinksReport {
  rows: number
  added: number
  /** Known before, from the same source. */
  known: number
  /** The first lines that could not be read, with why. */
  badLines: string[]
  bad: number
}

const BATCH = 1_000
const BAD_SHOWN = 20
const COLUMNS = ['company_number', 'domain'] as const
const RECORD_BYTES_MAX = 64 * 1_024

interface Link {
  companyNumber: string
  domain: string
  source: string
}

/**
 * Imports a list of companies' domains: CSV with the columns `company_number`, `domain` and `source`. They
 * are hints, never proof. Importing twice adds nothing.
 */
export async function importLinks(
  app: App,
  file: Readable,
  options: { source: string; onRows?: (rows: number) => void },
): Promise<LinksReport> {
  const report: LinksReport = { rows: 0, added: 0, known: 0, badLines: [], bad: 0 }
  const records = file.pipe(
    parse({
      bom: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
      max_record_size: RECORD_BYTES_MAX,
    }),
  )
  file.on('error', (error) => records.destroy(error))
  let header: Map<string, number> | null = null
  let batch: Link[] = []
  for await (const record of records as AsyncIterable<string[]>) {
    if (header === null) {
      header = readHeader(record)
      continue
    }
    report.rows += 1
    const link = readLink(record, header, options.source)
    if ('problem' in link) {
      report.bad += 1
      if (report.badLines.length < BAD_SHOWN) report.badLines.push(`row ${report.rows}: ${link.problem}`)
    } else batch.push(link)
    if (batch.length >= BATCH) {
      await store(app, batch, report)
      batch = []
      options.onRows?.(report.rows)
    }
  }
  if (header === null) readHeader([])
  await store(app, batch, report)
  options.onRows?.(report.rows)
  return report
}

function readHeader(record: string[]): Map<string, number> {
  const header = new Map(record.map((name, index) => [name.trim().toLowerCase(), index]))
  const missing = COLUMNS.filter((name) => !header.has(name))
  if (missing.length === 0) return header
  throw new DomainError(
    'invalid_request',
    `The first line must name the columns. Missing: ${missing.join(', ')}. Wanted: company_number,domain,source.`,
  )
}

function readLink(record: string[], header: Map<string, number>, source: string): Link | { problem: string } {
  const read = (name: string) => record[header.get(name) ?? -1]?.trim() ?? ''
  const companyNumber = parseCompanyNumber(read('company_number'))
  if (companyNumber === null) return { problem: `“${read('company_number').slice(0, 40)}” is not a company number` }
  try {
    return { companyNumber, domain: parseDomain(read('domain')), source: read('source') || source }
  } catch (error) {
    if (error instanceof DomainError) return { problem: error.message }
    throw error
  }
}

async function store(app: App, links: Link[], report: LinksReport): Promise<void> {
  if (links.length === 0) return
  const added = await app.db.query(
    `insert into company_link (company_number, domain, source, imported_at)
     select distinct number, domain, source, $4::timestamptz
     from unnest($1::text[], $2::text[], $3::text[]) link (number, domain, source)
     on conflict do nothing returning domain`,
    [
      links.map(({ companyNumber }) => companyNumber),
      links.map(({ domain }) => domain),
      links.map(({ source }) => source),
      app.clock.now(),
    ],
  )
  report.added += added.length
  report.known += links.length - added.length
}

const LISTED_MAX = 10

/** Domains that imported lists give for the company. */
export async function listLinkedDomains(
  db: Db,
  companyNumber: string,
): Promise<Array<{ domain: string; source: string }>> {
  const rows = await db.query<{ domain: string; source: string }>(
    `select domain, min(source) as source from company_link where company_number = $1
     group by domain order by count(*) desc, max(imported_at) desc, domain limit $2`,
    [companyNumber, LISTED_MAX],
  )
  return rows.map(({ domain, source }) => ({ domain, source }))
}
