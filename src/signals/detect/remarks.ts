/** The acts of the registrar on a company's record: its default address for the office, and remarks on the profile. */
import { type CompanyFacts, findFalseStatement, OFFICE_IN_DISPUTE, OFFICE_UNDELIVERABLE } from '../../register/index.ts'
import { type ChangeContext, type DetectedSignal, keyOfStep } from './detected-signal.ts'

/**
 * The office that the registrar replaced. Its key is the same from the address and from the filing that says so: whichever
 * comes first is the signal.
 */
export function defaultOffice(
  { company }: ChangeContext,
  { from, to, on }: { from: string | null; to: string | null; on: string },
): DetectedSignal {
  return {
    signalType: 'default_office_applied',
    severity: 'warning',
    summary: `Companies House replaced the registered office of ${company} with its own default address.`,
    occurredOn: on,
    changes: [{ field: 'registered_address', from, to }],
    dedupe: keyOfStep('default-office', 'own', 'default'),
  }
}

/** Detects remarks that are new. The first profile that is read is the baseline: its remarks may be years old. */
export function detectRemarks(before: CompanyFacts, after: CompanyFacts, context: ChangeContext): DetectedSignal[] {
  if (!before.remarks || !after.remarks) return []
  const known = new Set(before.remarks)
  return after.remarks.filter((remark) => !known.has(remark)).flatMap((remark) => toSignal(remark, context))
}

function toSignal(remark: string, { company, day }: ChangeContext): DetectedSignal | [] {
  const shared = { occurredOn: day, dedupe: keyOfStep(`remark-${remark}`, 'no', 'yes') }
  if (remark === OFFICE_IN_DISPUTE) {
    return {
      ...shared,
      signalType: 'registered_office_disputed',
      severity: 'notice',
      summary: `The registered office of ${company} is in dispute.`,
      changes: [{ field: 'registered_office_is_in_dispute', from: false, to: true }],
    }
  }
  if (remark === OFFICE_UNDELIVERABLE) {
    return {
      ...shared,
      signalType: 'registered_office_undeliverable',
      severity: 'notice',
      summary: `Post cannot be delivered to the registered office of ${company}.`,
      changes: [{ field: 'undeliverable_registered_office_address', from: false, to: true }],
    }
  }
  const struck = findFalseStatement(remark)
  if (!struck) return []
  const where = struck.application === null ? '' : ` in its application for ${struck.application}`
  return {
    ...shared,
    signalType: 'false_statement_strike_off',
    severity: 'warning',
    summary: `The registrar is striking off ${company}, or intends to, because of a false statement${where}.`,
    changes: [{ field: 'corporate_annotation', from: null, to: remark }],
  }
}
