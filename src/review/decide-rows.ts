/** Decisions on many rows of a bulk job at once: those of domains are decisions of their reviews, those of names are of the row. */
import type { App } from '../app.ts'
import { decideRegisterRow, getOpenRow, type OpenRow, type RowDecider, type RowVerdict } from '../bulk/index.ts'
import { findReviewOf, type ReplacedDecision } from '../decisions/index.ts'
import { DomainError } from '../errors.ts'
import { listResolutions } from '../resolution/index.ts'
import { decideReview, withdrawDecision } from './decide.ts'

export const DECIDED_AT_ONCE_MAX = 100

/** The result for one row. */
export interface RowDone {
  row: number
  /** False where it was so before. */
  isChanged: boolean
  /** The company of the decision in force now; null for none. */
  companyNumber: string | null
  /** The decision in force before; null where there was none, or where nothing changed. */
  replaced: ReplacedDecision | null
  problem: string | null
}

/** Decides each row on its own; a row that cannot be decided says why, and the others are decided. Deciding again is the same. */
export async function decideRows(app: App, by: RowDecider, verdicts: readonly RowVerdict[]): Promise<RowDone[]> {
  const decided: RowDone[] = []
  for (const verdict of verdicts) {
    try {
      decided.push({ row: verdict.row, problem: null, ...(await decideRow(app, by, verdict)) })
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      decided.push({ row: verdict.row, isChanged: false, companyNumber: null, replaced: null, problem: error.message })
    }
  }
  return decided
}

type Change = Pick<RowDone, 'isChanged' | 'companyNumber' | 'replaced'>

async function decideRow(app: App, request: RowDecider, verdict: RowVerdict): Promise<Change> {
  const by = { ...request, reviewer: verdict.reviewer ?? request.reviewer, reason: verdict.reason ?? request.reason }
  const row = await getOpenRow(app.db, { bulkId: by.bulkId, row: verdict.row })
  return row.kind === 'register' ? decideRegister(app, by, verdict, row) : decideDomain(app, by, verdict, row)
}

async function decideRegister(app: App, by: RowDecider, verdict: RowVerdict, row: OpenRow): Promise<Change> {
  const { replaced, ...change } = await decideRegisterRow(app, by, verdict, row)
  return { ...change, replaced: replaced && { ...replaced, reviewer: replaced.by } }
}

/** The best candidate is the one that the row shows, also where a newer answer has another. */
async function decideDomain(app: App, by: RowDecider, verdict: RowVerdict, row: OpenRow): Promise<Change> {
  const domain = row.domain ?? ''
  const { accountId, reviewer, reason, origin } = by
  const review = await findReviewOf(app.db, { accountId, domain })
  if (!review) throw new DomainError('not_found', 'This domain is not on your list of reviews any more.')
  const { id } = review
  const { action, seen } = verdict
  if (action === 'withdraw') {
    const replaced = await withdrawDecision(app, { accountId, id, origin, seen, isSeenInRow: true })
    return { isChanged: replaced !== null, companyNumber: null, replaced }
  }
  const chosen = action === 'accept' ? (verdict.companyNumber ?? (await findBest(app, row))) : verdict.companyNumber
  const said = { action, companyNumber: chosen, reviewer, reason, origin, seen, isSeenInRow: true }
  const { isNew, companyNumber, replaced } = await decideReview(app, { accountId, id, ...said, keepsSame: true })
  return { isChanged: isNew, companyNumber, replaced }
}

async function findBest({ db }: App, { resolutionId }: OpenRow): Promise<string | null> {
  const [answer] = resolutionId === null ? [] : await listResolutions(db, [resolutionId])
  return answer?.findings.candidates[0]?.companyNumber ?? null
}
