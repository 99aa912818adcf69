import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import { addSeconds } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'
import type { CompanyDetails } from '../../register/index.ts'
import { toTypedCompany } from '../../resolver/index.ts'
import type { KnownResolution } from '../answers/known.ts'
import { insertJob, type ResolutionJob } from '../ask/job-store.ts'
import type { KnownWebsite } from '../website/website-record.ts'
import { SLOW_SECONDS, testAnswer, testCompany, testDetails, testRefusal } from './test-mode.ts'

/** The result that each test company's web site search returns. */
export const PLAYS = {
  TS000001: 'verified',
  TS000002: 'needs_review',
  TS000003: 'not_found',
  TS000004: 'slow',
  TS000005: 'failed',
  TS000006: 'no_credits',
  TS000007: 'rate_limited',
} as const

export const TEST_COMPANIES = Object.keys(PLAYS)

/** The site, the job that plays the search, or that there is no search without credits. */
export type TestWebsite =
  | { kind: 'answered'; website: KnownWebsite; resolution: KnownResolution | null; jobId: null }
  | { kind: 'job'; job: ResolutionJob }
  | { kind: 'not_searched'; refusal: DomainError }

const isTestNumber = (number: string): number is keyof typeof PLAYS => number in PLAYS

export const isTestCompany = (subject: string): boolean => subject.startsWith('TS0')

export async function answerTestCompany(
  app: App,
  ask: { accountId: string; companyNumber: string },
): Promise<TestWebsite> {
  const { accountId, companyNumber } = ask
  if (!isTestNumber(companyNumber)) throw unknownTestCompany()
  const at = app.clock.now()
  const play = PLAYS[companyNumber]
  if (play === 'rate_limited') throw testRefusal(play)
  if (play === 'no_credits') return { kind: 'not_searched', refusal: testRefusal(play) }
  if (play === 'slow' || play === 'failed') {
    const id = newId('job')
    const asked = {
      id,
      kind: 'company',
      subject: companyNumber,
      accountId,
      input: toTypedCompany(companyNumber),
      holdId: null,
    } as const
    await app.db.transaction((tx) => insertJob(tx, { ...asked, at }))
    return { kind: 'job', job: playTestSearch({ ...asked, ...NEW_JOB, createdAt: at }, at) }
  }
  return { kind: 'answered', ...testWebsite(companyNumber, at), jobId: null }
}

export function unknownTestCompany(): DomainError {
  return new DomainError(
    'company_not_found',
    `A test key knows the companies ${TEST_COMPANIES.join(', ')}. Use your live key for real ones.`,
  )
}

const NEW_JOB = {
  shape: 'enrich',
  status: 'pending',
  resolutionId: null,
  websiteSearchId: null,
  charged: false,
  chargeReason: 'test_mode',
  errorMessage: null,
} as const

/** Returns the register's record of a test company; null for any other. */
export function findTestDetails(number: string, at: Date): CompanyDetails | null {
  return isTestNumber(number) ? testDetails({ ...testCompany(at), number }, at) : null
}

/** Returns the state of a test search, which the clock alone decides: no worker runs it. */
export function playTestSearch(job: ResolutionJob, at: Date): ResolutionJob {
  const played = { ...job, charged: false, chargeReason: 'test_mode' } as const
  if (job.subject === 'TS000005') {
    return { ...played, status: 'failed', errorMessage: 'This test company always fails. Nothing was charged.' }
  }
  return { ...played, status: at >= addSeconds(job.createdAt, SLOW_SECONDS) ? 'completed' : 'processing' }
}

export function testWebsite(
  companyNumber: string,
  at: Date,
): { website: KnownWebsite; resolution: KnownResolution | null } {
  const play = isTestNumber(companyNumber) ? PLAYS[companyNumber] : 'not_found'
  const status = play === 'slow' ? 'verified' : play
  const base = { id: 'web_test', companyNumber, tried: [], checkedAt: at, expiresAt: at }
  if (status !== 'verified' && status !== 'needs_review') {
    return { website: { ...base, status: 'not_found', domain: null, resolutionId: null }, resolution: null }
  }
  const domain = status === 'verified' ? 'matched.test' : 'needs-review.test'
  const resolution = testAnswer(domain, at).known
  return { website: { ...base, status, domain, resolutionId: resolution.id }, resolution }
}
