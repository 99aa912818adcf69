/**
 * Many decisions in one request. Each has a transaction of its own: one that is refused leaves the others in force, and the rows of
 * an account are never locked for long. The same request again changes nothing.
 */
import type { App } from '../app.ts'
import { DecidedSince, type ReplacedDecision } from '../decisions/index.ts'
import { DomainError, type ErrorCode } from '../errors.ts'
import { type DecisionRequest, decideReview, withdrawDecision } from './decide.ts'

/** In one request. */
export const DECISIONS_MAX = 100

export interface ManyDecisions extends Pick<DecisionRequest, 'accountId' | 'origin'> {
  items: ReadonlyArray<Pick<DecisionRequest, 'id' | 'action' | 'companyNumber' | 'reviewer' | 'reason' | 'seen'>>
}

export interface ManyWithdrawals extends Pick<DecisionRequest, 'accountId' | 'origin'> {
  items: ReadonlyArray<Pick<DecisionRequest, 'id' | 'seen'>>
}

/** The result for one review: done, or refused with the reason. */
export interface Done {
  id: string
  /** `unchanged`: it was so before. */
  result: 'done' | 'unchanged' | 'refused'
  companyNumber: string | null
  /** The decision in force before; null where there was none, or where nothing was done. */
  replaced: ReplacedDecision | null
  problem: { code: ErrorCode; detail: string } | null
  /** It was refused because another decision was made after the one that the person saw. */
  decidedSince: boolean
}

export async function decideMany(app: App, { items, ...said }: ManyDecisions): Promise<Done[]> {
  return eachOnce(items, async (item) => {
    const { isNew, companyNumber, replaced } = await decideReview(app, { ...said, ...item, keepsSame: true })
    return { result: isNew ? 'done' : 'unchanged', companyNumber, replaced }
  })
}

export async function withdrawMany(app: App, { items, ...by }: ManyWithdrawals): Promise<Done[]> {
  return eachOnce(items, async (item) => {
    const replaced = await withdrawDecision(app, { ...by, ...item })
    return { result: replaced ? 'done' : 'unchanged', companyNumber: null, replaced }
  })
}

/** One after the other. A refusal is a result; our own mistakes are not. */
async function eachOnce<Item extends { id: string }>(
  items: readonly Item[],
  act: (item: Item) => Promise<Pick<Done, 'result' | 'companyNumber' | 'replaced'>>,
): Promise<Done[]> {
  const done: Done[] = []
  for (const item of items.slice(0, DECISIONS_MAX)) {
    try {
      done.push({ id: item.id, problem: null, decidedSince: false, ...(await act(item)) })
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      const problem = { code: error.code, detail: error.message }
      const decidedSince = error instanceof DecidedSince
      done.push({ id: item.id, result: 'refused', companyNumber: null, replaced: null, problem, decidedSince })
    }
  }
  return done
}
