/** A request as every entry point makes it: ask, wait as long as the caller likes, read. */
import type { KeyMode } from '../accounts/index.ts'
import type { App } from '../app.ts'
import { getBalance } from '../credits/index.ts'
import { DomainError } from '../errors.ts'
import { type Company, type CompanyDetails, getCompanyDetails } from '../register/index.ts'
import { parseDomain, scrubAddress, type TypedInput } from '../resolver/index.ts'
import { type FullAnswer, readFullAnswer, readShortAnswer } from './answers/answer.ts'
import { findResolution, type KnownResolution } from './answers/known.ts'
import type { JobReading } from './answers/read-job.ts'
import { askForWebsite } from './ask/ask-company.ts'
import { askForDomain } from './ask/ask-domain.ts'
import type { JobShape, ResolutionJob } from './ask/job-store.ts'
import { readWhenEnded, type Wait } from './ask/wait.ts'
import { type Charge, TEST_CHARGE } from './money/charge.ts'
import { answerTestCompany } from './test-mode/test-companies.ts'
import { answerTestDomain } from './test-mode/test-mode.ts'
import { getTestDetails } from './test-mode/test-register.ts'
import type { KnownWebsite } from './website/website-record.ts'
import type { Progress } from './worker/progress.ts'

export interface Requester {
  accountId: string
  mode: KeyMode
  /** The connected program that sends the request, if any; its daily cap counts too. */
  connectionId?: string | undefined
}

export interface DomainRequest {
  typed: string
  maxAgeDays?: number | undefined
  shape?: JobShape
  /** Read officers, charges and the like too. */
  needsDetails: boolean
}

/** A domain's answer, or the job that will have it. */
export type DomainResult = { charge: Charge } & (
  | { kind: 'answered'; input: TypedInput; answer: FullAnswer }
  | { kind: 'open'; job: ResolutionJob; progress: Progress | null }
)

export async function requestDomain(
  app: App,
  requester: Requester,
  request: DomainRequest,
  wait: Wait,
): Promise<DomainResult & { available: number }> {
  if (requester.mode === 'test') return requestTestDomain(app, requester, request, wait)
  const { accountId, connectionId } = requester
  const { typed, maxAgeDays, shape, needsDetails } = request
  const [input, domain] = [scrubAddress(typed), parseDomain(typed)]
  const asked = await askForDomain(app, { accountId, connectionId, input, domain, maxAgeDays, shape })
  if (asked.kind === 'known') {
    const { known, companies, charge, available } = asked
    const answer = await readKnown(app, { accountId, known }, needsDetails, companies)
    return { kind: 'answered', input, answer, charge, available }
  }
  const reading = await getWhenEnded(app, requester, asked.jobId, wait)
  const { available } = wait.forMs > 0 ? await getBalance(app.db, accountId) : asked
  return { ...(await toDomainResult(app, reading, needsDetails)), available }
}

async function requestTestDomain(app: App, requester: Requester, request: DomainRequest, wait: Wait) {
  const { accountId } = requester
  const input = scrubAddress(request.typed)
  const tested = await answerTestDomain(app, { accountId, input, shape: request.shape })
  const { available } = await getBalance(app.db, accountId)
  if (tested.kind === 'answer') {
    return { kind: 'answered', input, answer: tested.answer, charge: TEST_CHARGE, available } as const
  }
  const reading = await getWhenEnded(app, requester, tested.job.id, wait)
  return { ...(await toDomainResult(app, reading, request.needsDetails)), available }
}

/** Returns the answer of a job for a domain, or that it is open. */
export async function toDomainResult(app: App, reading: JobReading, needsDetails: boolean): Promise<DomainResult> {
  const { job, charge } = reading
  switch (reading.kind) {
    case 'test':
      return { kind: 'answered', input: job.input, answer: reading.answer, charge }
    case 'answered': {
      const answer = await readKnown(app, { accountId: job.accountId, known: reading.known }, needsDetails)
      return { kind: 'answered', input: job.input, answer, charge }
    }
    case 'open':
      return { kind: 'open', job, charge, progress: reading.progress }
    case 'website':
      throw new Error(`job ${job.id} is a search for a web site`)
  }
}

function readKnown(
  app: App,
  of: { accountId: string; known: KnownResolution },
  needsDetails: boolean,
  companies?: Company[],
) {
  return needsDetails ? readFullAnswer(app, of, companies) : readShortAnswer(app, of.known, companies)
}

export interface WebsiteRequest {
  companyNumber: string
  input: TypedInput
  /** Search again whatever is known. */
  refresh: boolean
}

/** A company's site, the job that searches for it, or why there is no search. */
export type WebsiteResult = { charge: Charge } & (
  | { kind: 'answered'; website: KnownWebsite; resolution: KnownResolution | null; jobId: string | null }
  | { kind: 'open'; job: ResolutionJob }
  | { kind: 'not_searched'; refusal: DomainError }
)

export async function requestWebsite(
  app: App,
  requester: Requester,
  request: WebsiteRequest,
  wait: Wait,
): Promise<WebsiteResult & { available: number }> {
  if (requester.mode === 'test') return requestTestWebsite(app, requester, request, wait)
  const { accountId, connectionId } = requester
  const asked = await askForWebsite(app, { ...request, accountId, connectionId })
  if (asked.kind === 'not_searched') return asked
  if (asked.kind === 'known') {
    const { website, charge, available } = asked
    const resolution = website.resolutionId ? await findResolution(app.db, website.resolutionId) : null
    return { kind: 'answered', website, resolution, jobId: null, charge, available }
  }
  const reading = await getWhenEnded(app, requester, asked.jobId, wait)
  const { available } = wait.forMs > 0 ? await getBalance(app.db, accountId) : asked
  return { ...toWebsiteResult(reading), available }
}

async function requestTestWebsite(app: App, requester: Requester, request: WebsiteRequest, wait: Wait) {
  const { accountId } = requester
  const tested = await answerTestCompany(app, { accountId, companyNumber: request.companyNumber })
  const { available } = await getBalance(app.db, accountId)
  if (tested.kind !== 'job') return { ...tested, charge: TEST_CHARGE, available }
  const reading = await getWhenEnded(app, requester, tested.job.id, wait)
  return { ...toWebsiteResult(reading), available }
}

/** Returns the site that a job found, or that its search is open. */
export function toWebsiteResult(reading: JobReading): WebsiteResult {
  const { job, charge } = reading
  if (reading.kind !== 'website') return { kind: 'open', job, charge }
  const { website, resolution } = reading
  return { kind: 'answered', website, resolution, jobId: job.id, charge }
}

async function getWhenEnded(app: App, { accountId, mode }: Requester, id: string, wait: Wait): Promise<JobReading> {
  const reading = await readWhenEnded(app, { id, accountId, mode }, wait)
  if (!reading) throw new Error(`job ${id} has vanished`)
  return reading
}

/** The longest wait for the register; what is missing by then is reported as missing. */
const DETAILS_WAIT_MS = 8_000

/** Returns the company with its officers, charges and so on; in test mode one of the test companies. */
export async function getDetailsFor(
  app: App,
  { accountId, mode }: Requester,
  companyNumber: string,
): Promise<CompanyDetails> {
  if (mode === 'test') return getTestDetails(companyNumber, app.clock.now())
  try {
    return await getCompanyDetails(app, companyNumber, { priority: 'user', maxWaitMs: DETAILS_WAIT_MS, accountId })
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'not_found') throw error
    throw new DomainError('company_not_found', error.message, { cause: error })
  }
}
