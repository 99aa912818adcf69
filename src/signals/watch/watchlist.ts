/**
 * The companies an account watches. Every change of a list locks its row first, so changes of one list happen one after
 * the other: the plan's cap holds however many requests add at once, and `used` is the number of its rows.
 */
import type { KeyMode, Origin } from '../../accounts/index.ts'
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import type { Db, Tx } from '../../lib/db/db.ts'
import { findCompany, findKnownNumbers, getCompanyDetails } from '../../register/index.ts'
import {
  FULL_TEST_NUMBER,
  isTestNumber,
  RATE_LIMITED_TEST_NUMBER,
  TEST_COMPANY_NUMBERS,
} from '../test-mode/test-companies.ts'
import { startFollowingWatched } from './follow-watched.ts'

/** An account has two lists: a test key watches test companies apart from the real ones. */
export interface WatchlistOwner {
  accountId: string
  mode: KeyMode
}

/** Adding needs the number of companies that the plan allows. */
export interface CappedOwner extends WatchlistOwner {
  watchlistMax: number
  origin?: Origin | undefined
}

export async function countWatched(db: Db, { accountId, mode }: WatchlistOwner): Promise<number> {
  const [row] = await db.query<{ used: number }>('select used from watchlist where account_id = $1 and mode = $2', [
    accountId,
    mode,
  ])
  return row?.used ?? 0
}

export function watchlistFull({ watchlistMax }: CappedOwner): DomainError {
  return new DomainError(
    'plan_limit_reached',
    `Your plan watches at most ${watchlistMax.toLocaleString('en-GB')} companies. Unwatch some, or move to a larger plan.`,
    { limit: watchlistMax },
  )
}

/** A list whose row this transaction has locked. */
export interface LockedWatchlist {
  id: number
  mode: KeyMode
  used: number
}

/**
 * Runs a change with the list's row locked. Changes of one list queue here before they queue in the database: an account
 * that sends a hundred at once uses one connection and not all of them.
 */
export async function changeWatchlist<Result>(
  app: App,
  owner: WatchlistOwner,
  change: (tx: Tx, list: LockedWatchlist) => Promise<Result>,
): Promise<Result> {
  const key = `${owner.accountId} ${owner.mode}`
  const run = () => app.db.transaction(async (tx) => change(tx, await lockWatchlist(tx, owner)))
  const changes = app.watchlistChanges
  const result = (changes.get(key) ?? Promise.resolve()).then(run, run)
  changes.set(key, result)
  try {
    return await result
  } finally {
    if (changes.get(key) === result) changes.delete(key)
  }
}

/** Locks it until `tx` ends, and makes one for an account that has none. */
export async function lockWatchlist(tx: Tx, { accountId, mode }: WatchlistOwner): Promise<LockedWatchlist> {
  const lock = () =>
    tx.query<LockedWatchlist>(
      // Not `for update`, which would hold up the signals that are written for this list meanwhile.
      'select id, mode, used from watchlist where account_id = $1 and mode = $2 for no key update',
      [accountId, mode],
    )
  const [known] = await lock()
  if (known) return known
  await tx.query(
    `insert into watchlist (account_id, mode, read_through) values ($1, $2, $3) on conflict (account_id, mode) do nothing`,
    // Nothing is read before the first signal.
    [accountId, mode, new Date(0)],
  )
  const [made] = await lock()
  if (!made) throw new Error(`account ${accountId} has no watchlist after it was made`)
  return made
}

/** Returns the numbers that are watched, on whichever list. */
export async function listWatched(tx: Tx, list: LockedWatchlist, numbers: readonly string[]): Promise<Set<string>> {
  const rows = await tx.query<{ company_number: string }>(
    'select company_number from watch where watchlist_id = $1 and company_number = any ($2)',
    [list.id, numbers],
  )
  return new Set(rows.map((row) => row.company_number))
}

/** Watches companies that were not watched. Those that are not on the default list need a row on another. */
export async function addWatches(
  app: App,
  tx: Tx,
  list: LockedWatchlist,
  { numbers, priority, inDefault = true }: { numbers: readonly string[]; priority: number; inDefault?: boolean },
): Promise<void> {
  if (numbers.length === 0) return
  await tx.query(
    `insert into watch (watchlist_id, company_number, watched_at, in_default)
     select $1, number, $3, $4 from unnest($2::text[]) as number`,
    [list.id, numbers, app.clock.now(), inDefault],
  )
  await changeUsed(tx, list, numbers.length)
  if (list.mode === 'live') await startFollowingWatched(app, tx, numbers, priority)
}

/**
 * Unwatches companies: they leave all lists, and then their rows in the feed go. A signal that is being written at this moment
 * may leave a row behind: the feed shows only companies that are watched.
 */
export async function removeWatches(tx: Tx, list: LockedWatchlist, numbers: readonly string[]): Promise<void> {
  if (numbers.length === 0) return
  await tx.query('delete from watch where watchlist_id = $1 and company_number = any ($2)', [list.id, numbers])
  await tx.query(
    `delete from watched_signal using signal
     where signal.company_number = any ($2) and watched_signal.watchlist_id = $1
       and watched_signal.detected_at = signal.detected_at and watched_signal.signal_id = signal.id`,
    [list.id, numbers],
  )
  await changeUsed(tx, list, -numbers.length)
}

async function changeUsed(tx: Tx, list: LockedWatchlist, by: number): Promise<void> {
  await tx.query('update watchlist set used = used + $2 where id = $1', [list.id, by])
}

// Which companies may be watched: those of the register, and in test mode the test companies alone.

/** A caller waits this long at most for a company that only the register itself knows. */
const MAX_WAIT_MS = 8_000
const TEST_RETRY_SECONDS = 2

/** Throws unless the company may be watched. A company that we do not have yet is looked up at the register. */
export async function assertWatchable(
  app: App,
  { accountId, mode, number }: { accountId: string; mode: KeyMode; number: string },
): Promise<void> {
  if (mode === 'test') {
    assertTestCompany(number)
  } else if ((await findCompany(app.db, number)) === null) {
    if (isTestNumber(number)) throw notFound('Test companies are watched with your test key.')
    await lookUp(app, number, accountId)
  }
}

function assertTestCompany(number: string): void {
  refuseRateLimited([number])
  if (number === FULL_TEST_NUMBER) {
    const message = 'Test mode: this company always returns the error of a full watchlist.'
    throw new DomainError('plan_limit_reached', message, { limit: TEST_COMPANY_NUMBERS.length })
  }
  if (!TEST_COMPANY_NUMBERS.includes(number)) {
    throw notFound(
      `A test key knows the companies ${TEST_COMPANY_NUMBERS.join(', ')}. Use your live key for real ones.`,
    )
  }
}

/** In test mode one company is a refusal of the whole request, wherever it is named. */
export function refuseRateLimited(numbers: readonly string[]): void {
  if (!numbers.includes(RATE_LIMITED_TEST_NUMBER)) return
  throw new DomainError('rate_limited', 'Test mode: this company always returns the error of too many requests.', {
    retryAfterSeconds: TEST_RETRY_SECONDS,
  })
}

async function lookUp(app: App, number: string, accountId: string): Promise<void> {
  try {
    await getCompanyDetails(app, number, { priority: 'user', maxWaitMs: MAX_WAIT_MS, accountId })
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'not_found') throw error
    throw notFound(error.message, error)
  }
}

function notFound(message: string, cause?: unknown): DomainError {
  return new DomainError('company_not_found', message, { cause })
}

/** Returns the numbers that may be watched, by our own rows: of many companies none is looked up at the register. */
export async function listWatchable(db: Db, mode: KeyMode, numbers: readonly string[]): Promise<Set<string>> {
  if (mode === 'test') return new Set(numbers.filter((number) => TEST_COMPANY_NUMBERS.includes(number)))
  return findKnownNumbers(db, numbers)
}
