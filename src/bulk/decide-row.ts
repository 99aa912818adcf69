/** The decision on a row that is matched with the register: it has no domain that a review could be about. */
import { findAccount, type Origin, recordAudit } from '../accounts/index.ts'
import type { App } from '../app.ts'
import { assertAsSeen, type SeenDecision } from '../decisions/index.ts'
import { DomainError } from '../errors.ts'
import type { Db, Tx } from '../lib/db/db.ts'
import { findCompany, type NameCandidate } from '../register/index.ts'
import type { RowState } from './bulk.ts'
import type { RowDecision } from './results.ts'

/** A person's verdict on a row. Without a number, the best candidate is accepted. */
export interface RowVerdict {
  row: number
  action: 'accept' | 'reject' | 'reassign' | 'withdraw'
  companyNumber: string | null
  /** Where they differ from those of the other rows. */
  reviewer?: string | null
  reason?: string | null
  /** The decision that the person saw, null for none: another one since then is not replaced. */
  seen?: SeenDecision | null | undefined
}

export interface RowDecider {
  bulkId: string
  accountId: string
  reviewer: string | null
  reason: string | null
  origin: Origin
}

/** A row that needs review. */
export interface OpenRow {
  kind: 'domain' | 'register'
  domain: string | null
  resolutionId: string | null
  candidates: NameCandidate[] | null
}

/** The result of a decision. */
export interface RowChange {
  /** False where it was so before. */
  isChanged: boolean
  /** The company of the decision in force now; null for none. */
  companyNumber: string | null
  /** The decision in force before; null where there was none, or where nothing changed. */
  replaced: RowDecision | null
}

/** Returns a row that needs review, or needed it before it was decided. */
export async function getOpenRow(db: Db, { bulkId, row }: { bulkId: string; row: number }): Promise<OpenRow> {
  const [found] = await db.query<OpenRow & { state: string }>(
    `select kind, domain, state, resolution_id as "resolutionId", candidates from bulk_row
     where bulk_id = $1 and row = $2`,
    [bulkId, row],
  )
  if (!found) throw new DomainError('not_found', `There is no row ${row}.`)
  if (found.state !== 'needs_review') throw new DomainError('invalid_request', 'This row does not need review.')
  return found
}

/** Stores the decision on the row, or takes it back. Another decision replaces it, and the same one again changes nothing. */
export async function decideRegisterRow(
  app: App,
  by: RowDecider,
  verdict: RowVerdict,
  row: OpenRow,
): Promise<RowChange> {
  const at = app.clock.now()
  const decision = verdict.action === 'withdraw' ? null : await toDecision(app, by, { ...verdict, at }, row)
  const after = decision?.stored ?? null
  const companyNumber = after?.companyNumber ?? null
  return app.db.transaction(async (tx) => {
    const before = await lockDecision(tx, { bulkId: by.bulkId, row: verdict.row })
    if (before?.action === after?.action && before?.companyNumber === after?.companyNumber)
      return { isChanged: false, companyNumber, replaced: null }
    assertAsSeen(verdict.seen, [before])
    await tx.query('update bulk_row set decision = $3, company_name = $4 where bulk_id = $1 and row = $2', [
      by.bulkId,
      verdict.row,
      after && JSON.stringify(after),
      decision?.name ?? null,
    ])
    await recordAudit(tx, {
      at,
      accountId: by.accountId,
      action: verdict.action === 'withdraw' ? 'decision_withdrawn' : 'decision_made',
      origin: by.origin,
      details: { bulk_id: by.bulkId, row: verdict.row, decision: verdict.action },
      before: toFacts(before),
      after: toFacts(after),
    })
    return { isChanged: true, companyNumber, replaced: before }
  })
}

/** Returns what the row says with a decision, or without one. */
function toFacts(decision: RowDecision | null): { outcome: RowState; company_number: string | null } {
  if (!decision) return { outcome: 'needs_review', company_number: null }
  const { companyNumber } = decision
  return { outcome: companyNumber === null ? 'no_match' : 'matched', company_number: companyNumber }
}

/** Returns the decision in force on a row, which no other request can change until the transaction ends. */
async function lockDecision(tx: Tx, { bulkId, row }: { bulkId: string; row: number }): Promise<RowDecision | null> {
  const [found] = await tx.query<{ decision: RowDecision | null }>(
    `select decision from bulk_row where bulk_id = $1 and row = $2 and state = 'needs_review' for update`,
    [bulkId, row],
  )
  if (!found) throw new DomainError('not_found', `There is no row ${row} that needs review.`)
  return found.decision
}

async function toDecision(
  app: App,
  by: RowDecider,
  { action, companyNumber: chosen, at }: RowVerdict & { at: Date },
  { candidates }: OpenRow,
): Promise<{ stored: RowDecision; name: string | null }> {
  const name = by.reviewer ?? (await findAccount(app.db, by.accountId))?.email ?? ''
  const stored = { by: name, reason: by.reason?.toWellFormed() ?? null, at: at.toISOString() }
  if (action === 'reject' && chosen !== null) {
    throw new DomainError('invalid_request', 'A company is not needed to reject them all. To name one, `reassign`.')
  }
  if (action === 'reject') return { stored: { ...stored, action, companyNumber: null }, name: null }
  const number = chosen ?? (action === 'accept' ? (candidates?.[0]?.number ?? null) : null)
  if (number === null) throw new DomainError('invalid_request', 'Name the company: this row has no candidate.')
  if (action === 'accept' && !candidates?.some((candidate) => candidate.number === number)) {
    throw new DomainError('invalid_request', `${number} is no candidate of this row. Use \`reassign\`.`)
  }
  const company = await findCompany(app.db, number)
  if (!company) throw new DomainError('company_not_found', `There is no company ${number} on the register.`)
  return {
    stored: { ...stored, action: action === 'accept' ? 'accept' : 'reassign', companyNumber: number },
    name: company.name,
  }
}
