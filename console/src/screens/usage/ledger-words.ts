/** Texts for the movements of credits. */
import type { LedgerEntry } from '../../api/bodies.ts'
import { wordOfOutcome } from '../../ui/tones.ts'
import { plural, showNumber, showWord } from '../../ui/words.ts'

const REASONS: Record<string, string> = {
  welcome: 'Welcome credits',
  plan: 'Monthly credits of the plan',
  operator: 'Granted by our staff',
  domain_asked: 'Domain request',
  company_asked: 'Request for a company’s web site',
  already_paid: 'Already paid in the last 30 days',
  own_decision: 'Your decision',
  expired: 'The work timed out',
  disputed: 'Disputed match',
}

export function showReason({ reason }: LedgerEntry): string {
  const known = reason.replace(/_free$/, '')
  if (known in REASONS) return REASONS[known] ?? ''
  const outcome = wordOfOutcome(known)
  return outcome === known.replaceAll('_', ' ') ? showWord(known) : outcome
}

const KINDS: Record<LedgerEntry['kind'], string> = {
  grant: 'Granted',
  hold: 'Reserved',
  capture: 'Spent',
  release: 'Released',
  refund: 'Refunded',
}

export const showKind = ({ kind }: LedgerEntry): string => KINDS[kind]

/** Returns the change of the balance. Reserving or releasing credits does not change it. */
export function changeOf({ kind, amount }: LedgerEntry): number {
  if (kind === 'hold' || kind === 'release') return 0
  return kind === 'capture' ? -amount : amount
}

export function showChange(entry: LedgerEntry): string {
  const change = changeOf(entry)
  if (entry.kind === 'hold') return `${plural(entry.amount, 'credit')} reserved`
  if (change === 0) return 'free'
  return change > 0 ? `+${showNumber(change)}` : `−${showNumber(-change)}`
}
