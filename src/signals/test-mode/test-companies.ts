/**
 * The companies that a test key can watch. They are those it can resolve, where `resolution/test-companies.ts` says what
 * each plays: two of them are refusals here too.
 */
export const TEST_COMPANY_NUMBERS: readonly string[] = [
  'TS000001',
  'TS000002',
  'TS000003',
  'TS000004',
  'TS000005',
  'TS000006',
  'TS000007',
]

/** All are called the same, and are active. */
export const TEST_COMPANY = { name: 'TEST MODE TRADING LTD', status: 'active' }

/** Plays a full watchlist. */
export const FULL_TEST_NUMBER = 'TS000006'

/** Plays a caller who asks too often. */
export const RATE_LIMITED_TEST_NUMBER = 'TS000007'

export const isTestNumber = (number: string): boolean => number.startsWith('TS0')
