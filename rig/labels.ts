/** The right answers of a world: `labels.csv` for domains, `websites.csv` for companies. */

import { DomainError } from '../src/errors.ts'
import type { Outcome } from '../src/resolver/resolution.ts'
import { parseCsv } from './companies-house/csv.ts'

export interface Label {
  domain: string
  outcome: Outcome
  /** The right company where it is one; for `needs_review` the candidates that must be offered. */
  companyNumbers: string[]
  /** Other outcomes that are right too. */
  accept: Outcome[]
  stratum: string
  note: string
}

export interface Website {
  companyNumber: string
  /** Null when the right answer is `not_found`. */
  domain: string | null
  stratum: string
}

export const OUTCOMES: readonly Outcome[] = ['matched', 'needs_review', 'no_match', 'non_uk_entity', 'scrape_failed']

/** Returns a mistake in a world, for the person who wrote it. */
export const invalid = (message: string) => new DomainError('invalid_request', message)

export function parseLabels(text: string): Label[] {
  return readRecords('labels.csv', text, ['domain', 'outcome', 'company_number', 'accept', 'stratum']).map(
    ({ read, line }) => {
      const companyNumbers = splitList(read('company_number'))
      const label = {
        domain: read('domain').toLowerCase(),
        outcome: toOutcome(read('outcome'), line),
        companyNumbers,
        accept: splitList(read('accept')).map((word) => toOutcome(word, line)),
        stratum: read('stratum') || 'none',
        note: read('note'),
      }
      if (label.domain === '') throw invalid(`labels.csv line ${line}: the domain is missing`)
      if (label.outcome === 'matched' && companyNumbers.length !== 1)
        throw invalid(`labels.csv line ${line}: a label \`matched\` needs one company number`)
      return label
    },
  )
}

export function parseWebsites(text: string): Website[] {
  return readRecords('websites.csv', text, ['company_number', 'status', 'domain']).map(({ read, line }) => {
    const status = read('status')
    if (status !== 'verified' && status !== 'not_found')
      throw invalid(`websites.csv line ${line}: the status must be verified or not_found, not "${status}"`)
    return {
      companyNumber: read('company_number'),
      domain: status === 'verified' ? read('domain').toLowerCase() : null,
      stratum: read('stratum') || 'none',
    }
  })
}

interface CsvRecord {
  read: (column: string) => string
  line: number
}

/** Columns are found by name, so a world may order them otherwise or add its own. */
function readRecords(file: string, text: string, needed: readonly string[]): CsvRecord[] {
  const [header = [], ...rows] = parseCsv(text)
  const columns = new Map(header.map((name, index) => [name.trim(), index]))
  const missing = needed.filter((name) => !columns.has(name))
  if (missing.length > 0) throw invalid(`${file} lacks the columns ${missing.join(', ')}`)
  return rows
    .map((row, index) => ({ row, line: index + 2 }))
    .filter(({ row }) => row.some((field) => field.trim() !== ''))
    .map(({ row, line }) => ({ read: (column) => (row[columns.get(column) ?? -1] ?? '').trim(), line }))
}

function splitList(text: string): string[] {
  return text
    .split('|')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

function toOutcome(word: string, line: number): Outcome {
  const outcome = OUTCOMES.find((known) => known === word)
  if (!outcome) throw invalid(`labels.csv line ${line}: "${word}" is none of ${OUTCOMES.join(', ')}`)
  return outcome
}
