/** A bulk job before it starts: its rows as they were sent, its limits and its cost. */
import type { App } from '../app.ts'
import { getBalance } from '../credits/index.ts'
import { DomainError } from '../errors.ts'
import { countKnown } from '../resolution/index.ts'
import { parseDomain, SharedDomain, scrubAddress, type TypedInput } from '../resolver/index.ts'
import type { BulkOwner } from './bulk.ts'

export const ROWS_MAX = 10_000
export const RUNNING_MAX = 5
export const KEPT_DAYS = 30

/** The rows and the cost of a bulk job before it starts. */
export interface Preflight {
  rows: ClassifiedRow[]
  /** Each registrable domain once. */
  domains: string[]
  duplicates: number
  invalid: number
  freeMail: number
  /** Domains with a known answer. */
  alreadyKnown: number
  /** Free of charge: the account has paid for them in the last 30 days. */
  alreadyPaid: number
  creditsMax: number
  creditsAvailable: number
}

export async function readPreflight(app: App, ask: BulkOwner & { inputs: readonly string[] }): Promise<Preflight> {
  if (ask.mode === 'test') throw needsLiveKey()
  if (ask.inputs.length > ROWS_MAX) throw tooManyRows(ask.inputs.length)
  if (ask.inputs.length === 0) throw noRows()
  const rows = classifyRows(ask.inputs)
  const domains = rows.flatMap((row) => (row.state === 'waiting' ? [row.domain] : []))
  const { known, paid, free } = await countKnown(app.db, {
    ...ask,
    domains,
    at: app.clock.now(),
    hasSecondReader: app.config.secondReader !== null,
  })
  const refused = rows.filter((row) => row.state === 'invalid')
  const freeMail = refused.filter(({ isFreeMail }) => isFreeMail).length
  return {
    rows,
    domains,
    duplicates: rows.length - domains.length - refused.length,
    invalid: refused.length - freeMail,
    freeMail,
    alreadyKnown: known,
    alreadyPaid: paid,
    creditsMax: domains.length - paid - free,
    creditsAvailable: (await getBalance(app.db, ask.accountId)).available,
  }
}

/** A row as sent, with its first state. */
export type ClassifiedRow = { row: number; input: TypedInput } & (
  | { state: 'waiting'; domain: string }
  | { state: 'duplicate'; domain: string; duplicateOf: number }
  | { state: 'invalid'; reason: string; isFreeMail: boolean }
)

const INPUT_LENGTH_MAX = 2_048

/** Returns the first row of each registrable domain as waiting, and later ones as its duplicates. */
function classifyRows(inputs: readonly string[]): ClassifiedRow[] {
  const first = new Map<string, number>()
  return inputs.map((sent, index) => {
    const row = index + 1
    const parsed = parse(sent)
    const input = scrubAddress(sent)
    if ('reason' in parsed) return { row, input, state: 'invalid', ...parsed }
    const { domain } = parsed
    const duplicateOf = first.get(domain)
    if (duplicateOf !== undefined) return { row, input, state: 'duplicate', domain, duplicateOf }
    first.set(domain, row)
    return { row, input, state: 'waiting', domain }
  })
}

function parse(input: string): { domain: string } | { reason: string; isFreeMail: boolean } {
  try {
    return { domain: parseDomain(input) }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    const isFreeMail = error instanceof SharedDomain && error.kind === 'mail'
    return { reason: toStorable(error.message), isFreeMail }
  }
}

/** PostgreSQL takes every character but one. */
export function toStorable(text: string): string {
  return text.slice(0, INPUT_LENGTH_MAX).replaceAll('\0', '\uFFFD')
}

export function tooManyRows(rows: number): DomainError {
  const [sent, most] = [rows, ROWS_MAX].map((count) => count.toLocaleString('en-GB'))
  return refuseRows(`There are ${sent} rows, and a bulk job takes up to ${most}. Send them as several bulk jobs.`)
}

function needsLiveKey(): DomainError {
  return new DomainError(
    'invalid_request',
    'A bulk job reads real sites, so it needs a live key. Test keys work for single domains: see POST /v1/resolve/domain.',
  )
}

function noRows(): DomainError {
  return refuseRows('There are no rows. Send at least one domain.')
}

function refuseRows(message: string): DomainError {
  return new DomainError('invalid_request', message, { errors: [{ field: 'domains', message }] })
}

export function tooManyRunning(): DomainError {
  const message = `${RUNNING_MAX} bulk jobs of this account are running, and that is the most. Wait until one has ended, or cancel one.`
  return new DomainError('bulk_limit_reached', message)
}
