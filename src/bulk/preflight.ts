/** A bulk job before it starts: its rows with their first states, its limits and its cost. */
import { findAccount, PLANS } from '../accounts/index.ts'
import type { App } from '../app.ts'
import { getBalance } from '../credits/index.ts'
import { DomainError } from '../errors.ts'
import { countKnown } from '../resolution/index.ts'
import type { BulkOwner } from './bulk.ts'
import { type ClassifiedRow, classifyRows, type SentRow } from './classify.ts'

export const RUNNING_MAX = 5
export const KEPT_DAYS = 30

/** The most rows of any plan. */
export const ROWS_MAX = Math.max(...Object.values(PLANS).map(({ bulkRowsMax }) => bulkRowsMax))

/** The rows and the cost of a bulk job before it starts. */
export interface Preflight {
  rows: ClassifiedRow[]
  /** Each registrable domain once. */
  domains: string[]
  /** Rows that are matched with the register by a company number. */
  numbers: number
  /** Rows that are matched with the register by a name. */
  names: number
  duplicates: number
  invalid: number
  freeMail: number
  /** Rows of a file with nothing in the chosen columns. */
  empty: number
  /** Domains with a known answer. */
  alreadyKnown: number
  /** Free of charge: the account has paid for them in the last 30 days. */
  alreadyPaid: number
  creditsMax: number
  creditsAvailable: number
}

export async function readPreflight(app: App, ask: BulkOwner & { sent: readonly SentRow[] }): Promise<Preflight> {
  await assertSize(app, ask)
  const rows = await classifyRows(ask.sent)
  const domains = rows.flatMap((row) => (row.state === 'waiting' && row.kind === 'domain' ? [row.domain] : []))
  const { known, paid, free } = await countKnown(app.db, { ...ask, domains, at: app.clock.now() })
  const count = (fits: (row: ClassifiedRow) => boolean) => rows.filter(fits).length
  const countRefused = (why: 'address' | 'free_mail' | 'empty') =>
    count((row) => row.state === 'invalid' && row.refusal === why)
  const isByNumber = (row: ClassifiedRow) =>
    row.state === 'waiting' && row.kind === 'register' && row.sought.number !== null
  const isByName = (row: ClassifiedRow) =>
    row.state === 'waiting' && row.kind === 'register' && row.sought.number === null
  return {
    rows,
    domains,
    numbers: count(isByNumber),
    names: count(isByName),
    duplicates: count(({ state }) => state === 'duplicate'),
    invalid: countRefused('address'),
    freeMail: countRefused('free_mail'),
    empty: countRefused('empty'),
    alreadyKnown: known,
    alreadyPaid: paid,
    creditsMax: domains.length - paid - free,
    creditsAvailable: (await getBalance(app.db, ask.accountId)).available,
  }
}

async function assertSize(app: App, ask: BulkOwner & { sent: readonly SentRow[] }): Promise<void> {
  if (ask.mode === 'test') throw needsLiveKey()
  if (ask.sent.length > ROWS_MAX) throw tooManyRows(ask.sent.length)
  if (ask.sent.length === 0) throw noRows()
  const most = await getRowsMax(app, ask.accountId)
  if (ask.sent.length > most) throw tooManyForPlan(ask.sent.length, most)
}

/** Returns how many rows the account's plan allows in a bulk job. */
export async function getRowsMax({ db }: Pick<App, 'db'>, accountId: string): Promise<number> {
  const account = await findAccount(db, accountId)
  return PLANS[account?.plan ?? 'free'].bulkRowsMax
}

export function tooManyRows(rows: number): DomainError {
  const [sent, most] = [rows, ROWS_MAX].map((count) => count.toLocaleString('en-GB'))
  return refuseRows(`There are ${sent} rows, and a bulk job takes up to ${most}. Send them as several bulk jobs.`)
}

export function needsLiveKey(): DomainError {
  return new DomainError(
    'invalid_request',
    'A bulk job reads real sites, so it needs a live key. Test keys work for single domains: see POST /v1/resolve/domain.',
  )
}

export function tooManyForPlan(rows: number, most: number): DomainError {
  const [sent, limit] = [rows, most].map((count) => count.toLocaleString('en-GB'))
  const message = `There are ${sent} rows, and a bulk job of your plan takes up to ${limit}. Send them as several bulk jobs, or choose a larger plan.`
  return new DomainError('plan_limit_reached', message, { limit: most })
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
