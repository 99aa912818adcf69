/** Requests and jobs of a test key, which spends nothing and reads no web site. */
import type { App } from '../../app.ts'
import type { DomainError } from '../../errors.ts'
import { addSeconds } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'
import { type TypedInput, toTypedCompany } from '../../resolver/index.ts'
import type { FullAnswer } from '../answers/answer.ts'
import type { KnownResolution } from '../answers/known.ts'
import { TEST_CHARGE } from '../money/charges.ts'
import type { Subject } from '../money/payments.ts'
import { insertJob, type JobShape, type ResolutionJob } from '../request/job-store.ts'
import type { KnownWebsite } from '../website/website-record.ts'
import {
  isTestNumber,
  OUTCOMES,
  PLAYS,
  testAnswer,
  testRefusal,
  testWebsite,
  unknownTestCompany,
  unknownTestDomain,
} from './test-answers.ts'

type TestAnswer = { kind: 'answer'; answer: FullAnswer } | { kind: 'job'; jobId: string }

export async function answerTestDomain(
  app: App,
  ask: { accountId: string; input: TypedInput; shape?: JobShape | undefined },
): Promise<TestAnswer> {
  const { accountId, input, shape = 'enrich' } = ask
  const subject = input.trim().toLowerCase()
  switch (subject) {
    case 'no-credits.test':
      throw testRefusal('no_credits')
    case 'rate-limited.test':
      throw testRefusal('rate_limited')
    case 'slow.test':
    case 'failed.test':
      return { kind: 'job', jobId: await insertTestJob(app, { kind: 'domain', subject, accountId, input, shape }) }
    default:
      if (Object.hasOwn(OUTCOMES, subject)) return { kind: 'answer', answer: testAnswer(subject, app.clock.now()) }
      throw unknownTestDomain()
  }
}

/** The site, the job that plays the search, or that there is no search without credits. */
type TestWebsite =
  | { kind: 'answered'; website: KnownWebsite; resolution: KnownResolution | null; jobId: null }
  | { kind: 'job'; jobId: string }
  | { kind: 'not_searched'; refusal: DomainError }

export async function answerTestCompany(
  app: App,
  ask: { accountId: string; companyNumber: string },
): Promise<TestWebsite> {
  const { accountId, companyNumber: subject } = ask
  if (!isTestNumber(subject)) throw unknownTestCompany()
  const play = PLAYS[subject]
  if (play === 'rate_limited') throw testRefusal(play)
  if (play === 'no_credits') return { kind: 'not_searched', refusal: testRefusal(play) }
  if (play === 'slow' || play === 'failed') {
    const input = toTypedCompany(subject)
    return { kind: 'job', jobId: await insertTestJob(app, { kind: 'company', subject, accountId, input }) }
  }
  return { kind: 'answered', ...testWebsite(subject, app.clock.now()), jobId: null }
}

/** Returns the id of the job. */
async function insertTestJob(
  app: App,
  job: Subject & { accountId: string; input: TypedInput; shape?: JobShape },
): Promise<string> {
  const id = newId('job')
  await app.db.transaction((tx) => insertJob(tx, { ...job, id, holdId: null, at: app.clock.now() }))
  return id
}

/** True for test domains and test companies, which exist in test mode alone. */
export function isTestSubject({ kind, subject }: Subject): boolean {
  return kind === 'company' ? isTestCompany(subject) : subject.endsWith('.test')
}

export const isTestCompany = (number: string): boolean => number.startsWith('TS0')

/** Returns a test job and, at its end, its answer. */
export function readTestJob(stored: ResolutionJob, at: Date) {
  const job = playTestJob(stored, at)
  const reading = { job, charge: TEST_CHARGE }
  if (job.status !== 'completed') return { kind: 'open', ...reading, progress: null } as const
  if (job.kind === 'company') return { kind: 'website', ...reading, ...testWebsite(job.subject, at) } as const
  return { kind: 'test', ...reading, answer: testAnswer(job.subject, at) } as const
}

const SLOW_SECONDS = 5
const FAILURES: Record<string, string> = {
  'failed.test': 'This test domain always fails. Nothing was charged.',
  TS000005: 'This test company always fails. Nothing was charged.',
}

/** Returns the state of a test job, which the clock alone decides: no worker runs it. */
function playTestJob(job: ResolutionJob, at: Date): ResolutionJob {
  const played = { ...job, charged: false, chargeReason: TEST_CHARGE.reason }
  const errorMessage = FAILURES[job.subject]
  if (errorMessage !== undefined) return { ...played, status: 'failed', errorMessage }
  return { ...played, status: at >= addSeconds(job.createdAt, SLOW_SECONDS) ? 'completed' : 'processing' }
}
