import type { App } from '../app.ts'
import {
  countReviews,
  findReview,
  listDecisions,
  listReviewPage,
  type ReviewCounts,
  type ReviewEntry,
  type ReviewQuery,
  reviewNotFound,
} from '../decisions/index.ts'
import { toLondonDate } from '../lib/clock.ts'
import type { Db } from '../lib/db/db.ts'
import { type Company, describeKinship, findCompanies } from '../register/index.ts'
import { type AnswerOutline, type CandidateToday, type KnownResolution, listOutlines } from '../resolution/index.ts'
import { quotesAbout } from './alike.ts'
import { getLooked } from './decide.ts'
import { type Comparison, compareWithRegister } from './differences.ts'
import { type DecisionWithRefund, withRefunds } from './refund-requests.ts'

/** An entry of the account's list with its answer. */
export interface ReviewItem extends Omit<ReviewEntry, 'decision'> {
  outcome: KnownResolution['outcome']
  confidence: number | null
  reason: string
  /** Best first, as the register has them today. */
  candidates: CandidateToday[]
  /** The one in force. */
  decision: DecisionWithRefund | null
}

export interface ReviewPage {
  items: ReviewItem[]
  nextCursor: string | null
  counts: ReviewCounts
}

/** A candidate as the register has it today, with what differs on the site. */
export interface CandidateRecord extends Comparison {
  company: Company
}

const CANDIDATES_MAX = 5

export async function listReviews({ db, clock }: App, query: ReviewQuery): Promise<ReviewPage> {
  const [{ entries, nextCursor }, counts] = await Promise.all([
    listReviewPage(db, query),
    countReviews(db, query, toLondonDate(clock.now())),
  ])
  return { items: await toItems(db, entries), nextCursor, counts }
}

export interface FullReview {
  item: ReviewItem
  looked: KnownResolution
  history: DecisionWithRefund[]
  groupNotes: string[]
  /** One for each candidate, in the same order. */
  records: CandidateRecord[]
}

/** Returns an item with its full answer and history. */
export async function getReview({ db }: App, ask: { accountId: string; id: string }): Promise<FullReview> {
  const entry = await findReview(db, ask)
  if (!entry) throw reviewNotFound()
  const [item] = await toItems(db, [entry])
  if (!item) throw new Error(`review ${ask.id} has vanished`)
  const companies = item.candidates.map(({ company }) => company)
  const [looked, history, groupNotes] = await Promise.all([
    getLooked(db, item.resolutionId),
    listDecisions(db, { accountId: ask.accountId, domain: item.domain }),
    describeKinship(db, companies),
  ])
  const records = companies.map((company) => ({
    company,
    ...compareWithRegister(company, quotesAbout(looked, company.number)),
  }))
  return { item, looked, history: history.map(await withRefunds(db, history)), groupNotes, records }
}

async function toItems(db: Db, entries: readonly ReviewEntry[]): Promise<ReviewItem[]> {
  const outlines = await listOutlines(
    db,
    entries.map(({ resolutionId }) => resolutionId),
  )
  const numbers = [...outlines.values()].flatMap(({ candidates }) => candidates.map((one) => one.companyNumber))
  const companies = numbers.length === 0 ? [] : await findCompanies(db, [...new Set(numbers)])
  const byNumber = new Map(companies.map((company) => [company.number, company]))
  const addRefund = await withRefunds(
    db,
    entries.flatMap(({ decision }) => decision ?? []),
  )
  const toCandidates = (outline: AnswerOutline) =>
    outline.candidates.slice(0, CANDIDATES_MAX).flatMap(({ companyNumber, confidence, reasons, against }) => {
      const company = byNumber.get(companyNumber)
      return company ? [{ company, confidence, reasons, against }] : []
    })
  return entries.flatMap((entry) => {
    const outline = outlines.get(entry.resolutionId)
    if (!outline) return []
    const { outcome, confidence, reason } = outline
    const decision = entry.decision && addRefund(entry.decision)
    return [{ ...entry, outcome, confidence, reason, candidates: toCandidates(outline), decision }]
  })
}
