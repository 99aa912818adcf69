/** A movement of credits as a person would say it. */
import type { LedgerEntry } from '../../api/bodies.ts'
import { wordOfOutcome } from '../../ui/tones.ts'
import { plural, showNumber, showWord } from '../../ui/words.ts'

const REASONS: Record<string, string> = {
  welcome: 'Welcome credits',
  plan: 'Credits of the plan month',
  operator: 'Granted by us',
  domain_asked: 'Asked for a domain',
  company_asked: 'Asked for a company’s web site',
  already_paid: 'Paid for within 30 days',
  own_decision: 'Decided by you',
  expired: 'The work did not end in time',
  disputed: 'You disputed the answer',
}

export function showReason({ reason }: LedgerEntry): string {
  const known = reason.replace(/_free$/, '')
  if (known in REASONS) return REASONS[known] ?? ''
  const outcome = wordOfOutcome(known)
  return outcome === known.replaceAll('_', ' ') ? showWord(known) : outcome
}

const KINDS: Record<LedgerEntry['kind'], string> = {
  grant: 'Granted',
  hold: 'Set aside',
  capture: 'Spent',
  release: 'Freed',
  refund: 'Given back',
}

export const showKind = ({ kind }: LedgerEntry): string => KINDS[kind]

/** What the entry did to the balance: work under way only sets credits aside. */
export function changeOf({ kind, amount }: LedgerEntry): number {
  if (kind === 'hold' || kind === 'release') return 0
  return kind === 'capture' ? -amount : amount
}

export function showChange(entry: LedgerEntry): string {
  const change = changeOf(entry)
  if (change === 0) return `${plural(entry.amount, 'credit')} ${entry.kind === 'hold' ? 'set aside' : 'freed'}`
  return change > 0 ? `+${showNumber(change)}` : `−${showNumber(-change)}`
}
