import type { CompanyFacts } from '../../register/index.ts'
import type { FieldChange } from '../signal-type.ts'
import type { ChangeContext, DetectedSignal } from './change-context.ts'
import { keyOfFact, keyOfStep } from './dedupe.ts'
import { formatDate, formatTerm } from './wording.ts'

/** Accounts were filed when the date they are made up to moves on; back is a correction. */
export function detectAccounts(before: CompanyFacts, after: CompanyFacts, context: ChangeContext): DetectedSignal[] {
  const signals: DetectedSignal[] = []
  const madeUpTo = after.accountsLastMadeUp
  if (hasAdvanced(before.accountsLastMadeUp, madeUpTo)) {
    const kind = isAccountsType(after.accountsType) ? formatAccounts(after.accountsType) : 'accounts'
    signals.push({
      signalType: 'accounts_filed',
      severity: 'info',
      summary: `${context.company} filed ${kind} made up to ${formatDate(madeUpTo)}.`,
      occurredOn: context.day,
      changes: [
        { field: 'accounts_last_made_up_to', from: before.accountsLastMadeUp, to: madeUpTo },
        ...movedDate('accounts_next_due', before.accountsNextDue, after.accountsNextDue),
      ],
      dedupe: keyOfFact(madeUpTo),
    })
  }
  const [from, to] = [before.accountsType, after.accountsType]
  // From none to some is the first filing and no change of type.
  if (isAccountsType(from) && isAccountsType(to) && from !== to) {
    signals.push({
      signalType: 'accounts_type_changed',
      severity: 'info',
      summary: `${context.company} now files ${formatAccounts(to)}; the last ones were ${formatAccounts(from)}.`,
      occurredOn: context.day,
      changes: [{ field: 'accounts_type', from, to }],
      dedupe: keyOfStep('accounts-type', from, to),
    })
  }
  return signals
}

export function detectConfirmation(
  before: CompanyFacts,
  after: CompanyFacts,
  context: ChangeContext,
): DetectedSignal[] {
  const madeUpTo = after.confirmationLastMadeUp
  if (!hasAdvanced(before.confirmationLastMadeUp, madeUpTo)) return []
  return [
    {
      signalType: 'confirmation_filed',
      severity: 'info',
      summary: `${context.company} filed a confirmation statement made up to ${formatDate(madeUpTo)}.`,
      occurredOn: context.day,
      changes: [
        { field: 'confirmation_last_made_up_to', from: before.confirmationLastMadeUp, to: madeUpTo },
        ...movedDate('confirmation_next_due', before.confirmationNextDue, after.confirmationNextDue),
      ],
      dedupe: keyOfFact(madeUpTo),
    },
  ]
}

function hasAdvanced(from: string | null, to: string | null): to is string {
  return to !== null && (from === null || to > from)
}

function movedDate(field: string, from: string | null, to: string | null): FieldChange[] {
  return from === to ? [] : [{ field, from, to }]
}

function isAccountsType(type: string | null): type is string {
  return type !== null && type !== 'no-accounts-type-available'
}

function formatAccounts(type: string): string {
  return `${type === 'micro-entity' ? type : formatTerm(type)} accounts`
}
