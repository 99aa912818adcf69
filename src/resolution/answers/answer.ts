import type { App } from '../../app.ts'
import { toLondonDate } from '../../lib/clock.ts'
import {
  type Company,
  type CompanyDetails,
  type DerivedFacts,
  deriveCompanyFacts,
  describeKinship,
  findCompanies,
  getCompanyDetails,
} from '../../register/index.ts'
import type { KnownResolution } from './known.ts'

/** An answer with the register's records of the day it is read. */
export interface Answer {
  known: KnownResolution
  /** Only when matched. */
  company: Company | null
  /** Best first; the matched company is the first. One that has left the register since is left out. */
  candidates: CandidateToday[]
  /** Which of several candidates belong to one group, in sentences. Empty where no review is needed. */
  groupNotes: string[]
}

export interface CandidateToday {
  company: Company
  confidence: number
  reasons: string[]
  /** The reasons that speak against the company. */
  against: string[]
}

/** The same, with everything about the matched company. */
export interface FullAnswer extends Answer {
  today: { details: CompanyDetails; facts: DerivedFacts } | null
}

/** The longest wait for the register; what is missing by then is null. */
const MAX_WAIT_MS = 4_000

/** `companies` are today's candidates, where the caller has read them already. */
async function readAnswer(app: App, known: KnownResolution, companies?: Company[]): Promise<Answer> {
  const { candidates } = known.findings
  const numbers = [
    ...candidates.map(({ companyNumber }) => companyNumber),
    ...(known.companyNumber === null ? [] : [known.companyNumber]),
  ]
  const found = companies ?? (await findCompanies(app.db, numbers))
  const byNumber = new Map(found.map((company) => [company.number, company]))
  const today = candidates.flatMap(({ companyNumber, confidence, reasons, against }): CandidateToday[] => {
    const company = byNumber.get(companyNumber)
    return company ? [{ company, confidence, reasons, against }] : []
  })
  const isOpen = known.outcome === 'needs_review' && today.length > 1
  return {
    known,
    company: byNumber.get(known.companyNumber ?? '') ?? null,
    candidates: today,
    groupNotes: isOpen
      ? await describeKinship(
          app.db,
          today.map(({ company }) => company),
        )
      : [],
  }
}

/** Returns the answer without details of the company. */
export async function readShortAnswer(app: App, known: KnownResolution, companies?: Company[]): Promise<FullAnswer> {
  return { ...(await readAnswer(app, known, companies)), today: null }
}

/** Requests to the register count against the account's share. */
export async function readFullAnswer(
  app: App,
  { accountId, known }: { accountId: string; known: KnownResolution },
  companies?: Company[],
): Promise<FullAnswer> {
  const answer = await readAnswer(app, known, companies)
  if (known.companyNumber === null) return { ...answer, today: null }
  const details = await getCompanyDetails(app, known.companyNumber, {
    priority: 'user',
    maxWaitMs: MAX_WAIT_MS,
    accountId,
    company: answer.company,
  })
  const facts = deriveCompanyFacts(details.company, details, toLondonDate(app.clock.now()))
  return { ...answer, today: { details, facts } }
}
