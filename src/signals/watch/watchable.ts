/** Which companies may be watched: those of the register, and in test mode the test companies alone. */
import type { KeyMode } from '../../accounts/index.ts'
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import type { Db } from '../../lib/db/db.ts'
import { findCompany, getCompanyDetails } from '../../register/index.ts'
import {
  FULL_TEST_NUMBER,
  isTestNumber,
  RATE_LIMITED_TEST_NUMBER,
  TEST_COMPANY_NUMBERS,
} from '../test-mode/test-companies.ts'

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
  const rows = await db.query<{ number: string }>('select number from company where number = any ($1)', [numbers])
  return new Set(rows.map(({ number }) => number))
}
