/** Detects what changed in a company's own row: status, name, office, SIC codes, accounts and confirmation statement. */

import { formatDay, toMidSentence } from '../../lib/text/wording.ts'
import {
  type Address,
  type CompanyFacts,
  describeCode,
  describeSector,
  isDefaultOffice,
  isInsolvent,
  isOffRegister,
  isOverseasEntity,
  UNKNOWN_STATUS,
} from '../../register/index.ts'
import type { FieldChange } from '../signals.ts'
import { type ChangeContext, type DetectedSignal, keyOfFact, keyOfStep } from './detected-signal.ts'
import { defaultOffice, detectRemarks } from './remarks.ts'
import { formatList, formatOn, formatTerm } from './wording.ts'

export function detectCompany(
  before: CompanyFacts | null,
  after: CompanyFacts | null,
  context: ChangeContext,
): DetectedSignal[] {
  // A company's first row is a baseline and no event; and the status of one that left the register changed before.
  if (!before || !after) return []
  const isRemarked = JSON.stringify(before.remarks) !== JSON.stringify(after.remarks)
  const detectors = [detectStanding, detectName, detectOffice, detectSicCodes, detectAccounts, detectConfirmation]
  const signals = detectors.flatMap((detect) => detect(before, after, context))
  return isRemarked ? [...signals, ...detectRemarks(before, after, context)] : signals
}

const STRIKE_OFF = 'active-proposal-to-strike-off'

/** Compares the status, and the proposal to strike the company off, which the register keeps as a detail of an active one. */
function detectStanding(before: CompanyFacts, after: CompanyFacts, context: ChangeContext): DetectedSignal[] {
  if ([before.status, after.status].includes(UNKNOWN_STATUS)) return []
  if (standingOf(before) === standingOf(after)) return []
  const wasProposed = before.statusDetail === STRIKE_OFF
  const isProposed = after.statusDetail === STRIKE_OFF
  const isSameStatus = before.status === after.status
  const endedOn = isOffRegister(after.status) ? after.dissolvedOn : null
  // One key for all three types: a proposal may end in a new status, and the next proposal is another one then.
  const shared = {
    occurredOn: context.day,
    changes: standingChanges(before, after),
    dedupe: keyOfStep('standing', standingOf(before), standingOf(after)),
  }
  const signals: DetectedSignal[] = []
  if (!isSameStatus || !(wasProposed || isProposed)) {
    signals.push({
      ...shared,
      signalType: 'status_changed',
      severity: isOffRegister(after.status) || isInsolvent(after.status) ? 'warning' : 'notice',
      summary: describeStatusChange(before, after, context, endedOn),
      occurredOn: endedOn ?? context.day,
    })
  }
  if (isProposed && !wasProposed) {
    const summary = `A proposal to strike ${context.company} off the register was published.`
    signals.push({ ...shared, signalType: 'strike_off_proposed', severity: 'warning', summary })
  }
  // A company that is dissolved or wound up was not spared: its new status is the signal.
  if (wasProposed && !isProposed && isSameStatus) {
    const summary = `The proposal to strike ${context.company} off the register was discontinued, and the company stays ${formatStatus(after)}.`
    signals.push({ ...shared, signalType: 'strike_off_discontinued', severity: 'notice', summary })
  }
  return signals
}

function describeStatusChange(
  before: CompanyFacts,
  after: CompanyFacts,
  context: ChangeContext,
  endedOn: string | null,
): string {
  if (before.status === after.status) {
    const format = ({ statusDetail }: CompanyFacts) =>
      statusDetail ? formatCode('company_status_detail', statusDetail) : 'none'
    return `${context.company} is still ${formatStatus(after)}, and the detail of its status changed from ${format(before)} to ${format(after)}.`
  }
  if (after.status === 'dissolved') return `${context.company} was dissolved${formatOn(endedOn)}.`
  return `${context.company} changed status from ${formatStatus(before)} to ${formatStatus(after)}${formatOn(endedOn)}.`
}

const formatStatus = ({ status }: CompanyFacts): string => formatCode('company_status', status)

function formatCode(list: 'company_status' | 'company_status_detail', code: string): string {
  return toMidSentence(describeCode(list, code))
}

function standingChanges(before: CompanyFacts, after: CompanyFacts): FieldChange[] {
  const changes: FieldChange[] = []
  if (before.status !== after.status) changes.push({ field: 'company_status', from: before.status, to: after.status })
  if (before.statusDetail !== after.statusDetail) {
    changes.push({ field: 'company_status_detail', from: before.statusDetail, to: after.statusDetail })
  }
  return changes
}

function standingOf({ status, statusDetail }: CompanyFacts): string {
  return statusDetail ? `${status}/${statusDetail}` : status
}

function detectName(before: CompanyFacts, after: CompanyFacts, context: ChangeContext): DetectedSignal | [] {
  if (toNameForm(before.name) === toNameForm(after.name)) return []
  const [previous] = after.previousNames
  const isDated = previous !== undefined && toNameForm(previous.name) === toNameForm(before.name)
  const changedOn = isDated ? previous.ceased_on : null
  return {
    signalType: 'name_changed',
    severity: 'notice',
    summary: `${before.name} changed its name to ${after.name}${formatOn(changedOn)}.`,
    occurredOn: changedOn ?? context.day,
    changes: [{ field: 'company_name', from: before.name, to: after.name }],
    dedupe: keyOfStep('name', toNameForm(before.name), toNameForm(after.name)),
  }
}

function detectOffice(before: CompanyFacts, after: CompanyFacts, context: ChangeContext): DetectedSignal[] {
  const [from, to] = [toOfficeForm(before.address), toOfficeForm(after.address)]
  // One source gave no address: that is no move.
  if (from === to || from === '' || to === '') return []
  const moved: DetectedSignal = {
    signalType: 'registered_office_changed',
    severity: 'notice',
    summary: `${context.company} moved its registered office from ${inOneLine(before.address)} to ${inOneLine(after.address)}.`,
    occurredOn: context.day,
    changes: [
      { field: 'registered_address', from: inOneLine(before.address), to: inOneLine(after.address) },
      ...(before.address.postcode === after.address.postcode
        ? []
        : [{ field: 'registered_postcode', from: before.address.postcode, to: after.address.postcode }]),
    ],
    dedupe: keyOfStep('office', from, to),
  }
  const isDefaultNow = isDefaultOffice(after.address) && !isDefaultOffice(before.address)
  if (!isDefaultNow) return [moved]
  const addresses = { from: inOneLine(before.address), to: inOneLine(after.address) }
  return [moved, defaultOffice(context, { ...addresses, on: context.day })]
}

function detectSicCodes(before: CompanyFacts, after: CompanyFacts, context: ChangeContext): DetectedSignal | [] {
  const [from, to] = [before.sicCodes.toSorted(), after.sicCodes.toSorted()]
  if (from.join() === to.join()) return []
  const format = (codes: string[]) => (codes.length === 0 ? 'none' : formatList(codes.map(formatSector)))
  return {
    signalType: 'sic_codes_changed',
    severity: 'info',
    summary: `${context.company} changed its SIC codes from ${format(from)} to ${format(to)}.`,
    occurredOn: context.day,
    changes: [{ field: 'sic_codes', from: before.sicCodes, to: after.sicCodes }],
    dedupe: keyOfStep('sic', from.join(), to.join()),
  }
}

/** `62020 (Information technology consultancy activities)` */
function formatSector(code: string): string {
  const words = describeSector(code)
  return words === null ? code : `${code} (${words})`
}

function toNameForm(name: string): string {
  return name.toUpperCase().replaceAll(/\s+/g, ' ').trim()
}

/**
 * The snapshot writes addresses in capitals and the streams as they were filed; they split the lines differently, and
 * fill in the country or leave it out. None of that is a move, so only the letters and digits of the rest are compared.
 */
function toOfficeForm(address: Address): string {
  const { careOf, poBox, line1, line2, town, county, postcode } = address
  const parts = [careOf, poBox, line1, line2, town, county, postcode]
  return parts
    .join('')
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
}

function inOneLine(address: Address): string {
  const { careOf, poBox, line1, line2, town, county, country, postcode } = address
  return [careOf, poBox, line1, line2, town, county, country, postcode].filter(Boolean).join(', ')
}

/** Accounts were filed when the date they are made up to moves on; back is a correction. */
function detectAccounts(before: CompanyFacts, after: CompanyFacts, context: ChangeContext): DetectedSignal[] {
  const signals: DetectedSignal[] = []
  const madeUpTo = after.accountsLastMadeUp
  if (hasAdvanced(before.accountsLastMadeUp, madeUpTo)) {
    const kind = isAccountsType(after.accountsType) ? formatAccounts(after.accountsType) : 'accounts'
    signals.push({
      signalType: 'accounts_filed',
      severity: 'info',
      summary: `${context.company} filed ${kind} made up to ${formatDay(madeUpTo)}.`,
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

function detectConfirmation(before: CompanyFacts, after: CompanyFacts, context: ChangeContext): DetectedSignal | [] {
  const madeUpTo = after.confirmationLastMadeUp
  if (!hasAdvanced(before.confirmationLastMadeUp, madeUpTo)) return []
  const statement = isOverseasEntity(after.number) ? 'its yearly update statement' : 'a confirmation statement'
  return {
    signalType: 'confirmation_filed',
    severity: 'info',
    summary: `${context.company} filed ${statement} made up to ${formatDay(madeUpTo)}.`,
    occurredOn: context.day,
    changes: [
      { field: 'confirmation_last_made_up_to', from: before.confirmationLastMadeUp, to: madeUpTo },
      ...movedDate('confirmation_next_due', before.confirmationNextDue, after.confirmationNextDue),
    ],
    dedupe: keyOfFact(madeUpTo),
  }
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
