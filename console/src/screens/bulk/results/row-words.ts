import type { BulkRow } from '../../../api/bodies.ts'
import { describeCharge } from '../../resolve/charge-words.ts'

const isOpen = ({ state }: BulkRow) => state === 'waiting' || state === 'running' || state === 'cancelled'

/** "1 credit", "Free", or nothing while the row has no answer. */
export function describeCost(row: BulkRow): string {
  if (row.charged) return '1 credit'
  return isOpen(row) ? '–' : 'Free'
}

/** The cost as a sentence with its reason. */
export function explainCost(row: BulkRow): string {
  if (row.charged) return 'You paid one credit.'
  if (isOpen(row)) return 'Nothing yet.'
  return row.charge_reason === null ? 'Free.' : describeCharge(row.charge_reason)
}

/** A person may decide a row that needs it, and change or withdraw a decision. A duplicate follows the row that it repeats. */
export const isDecidable = ({ state, decision, duplicate_of: first }: BulkRow): boolean =>
  first === null && (state === 'needs_review' || decision !== null)

const DECISION_WORDS: Record<string, string> = { accept: 'Accepted', reject: 'Rejected', reassign: 'Chosen' }

export function describeRowDecision({ action, by }: NonNullable<BulkRow['decision']>): string {
  return `${DECISION_WORDS[action] ?? 'Decided'} by ${by}`
}
