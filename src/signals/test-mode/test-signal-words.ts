import { addDaysToDate } from '../../lib/clock.ts'
import { formatDay } from '../../lib/text/wording.ts'
import { formatOn } from '../detect/wording.ts'
import type { FieldChange, Severity, SignalType } from '../signals.ts'

interface Words {
  severity: Severity
  summary: string
  changes: FieldChange[]
}

/** Returns the content of a test signal: like a real one, about a company that is not real. */
export function describeTestSignal(type: SignalType, { name, day }: { name: string; day: string }): Words {
  return WORDS[type](name, day)
}

const change = (field: string, from: FieldChange['from'], to: FieldChange['to']): FieldChange => ({ field, from, to })

const OLD_OFFICE = '1 Mill Lane, Ripon, North Yorkshire, England, HG4 1AA'
const NEW_OFFICE = '2 Quay Street, Bristol, England, BS1 4DJ'
const DEFAULT_OFFICE = 'PO Box 4385, TS000001 - Companies House Default Address, Cardiff, CF14 8LH'
const STATEMENT = 'psc-contacted-but-no-response'
const STATEMENT_WORDS =
  'The company has given a notice under section 790D or DA of the Act which has not been complied with'
const FURNITURE = '31090 (Manufacture of other furniture)'
const LENDER = 'a charge (TS00 0001 0001) in favour of Test Mode Bank plc'
const STRIKE_OFF = 'active-proposal-to-strike-off'
const SITE = 'matched.test'
/** A financial year before the day, and the time to file for it. */
const yearEnd = (day: string) => addDaysToDate(day, -200)
const nextYear = (day: string) => addDaysToDate(day, 365)

const WORDS: Record<SignalType, (name: string, day: string) => Words> = {
  status_changed: (name) => ({
    severity: 'warning',
    summary: `${name} changed status from active to liquidation.`,
    changes: [change('company_status', 'active', 'liquidation')],
  }),
  name_changed: (name, day) => ({
    severity: 'notice',
    summary: `${name} changed its name to TEST MODE HOLDINGS LTD${formatOn(day)}.`,
    changes: [change('company_name', name, 'TEST MODE HOLDINGS LTD')],
  }),
  registered_office_changed: (name) => ({
    severity: 'notice',
    summary: `${name} moved its registered office from ${OLD_OFFICE} to ${NEW_OFFICE}.`,
    changes: [
      change('registered_address', OLD_OFFICE, NEW_OFFICE),
      change('registered_postcode', 'HG4 1AA', 'BS1 4DJ'),
    ],
  }),
  sic_codes_changed: (name) => ({
    severity: 'info',
    summary: `${name} changed its SIC codes from ${FURNITURE} to ${FURNITURE} and 62020 (Information technology consultancy activities).`,
    changes: [change('sic_codes', ['31090'], ['31090', '62020'])],
  }),
  accounts_filed: (name, day) => ({
    severity: 'info',
    summary: `${name} filed micro-entity accounts made up to ${formatDay(yearEnd(day))}.`,
    changes: [
      change('accounts_last_made_up_to', addDaysToDate(yearEnd(day), -365), yearEnd(day)),
      change('accounts_next_due', addDaysToDate(day, 70), addDaysToDate(nextYear(day), 70)),
    ],
  }),
  accounts_overdue: (name, day) => ({
    severity: 'warning',
    summary: `${name} has not filed the accounts that were due on ${formatDay(addDaysToDate(day, -1))}.`,
    changes: [change('accounts_overdue', false, true)],
  }),
  accounts_type_changed: (name) => ({
    severity: 'info',
    summary: `${name} now files total exemption full accounts; the last ones were micro-entity accounts.`,
    changes: [change('accounts_type', 'micro-entity', 'total-exemption-full')],
  }),
  confirmation_filed: (name, day) => ({
    severity: 'info',
    summary: `${name} filed a confirmation statement made up to ${formatDay(day)}.`,
    changes: [
      change('confirmation_last_made_up_to', addDaysToDate(day, -365), day),
      change('confirmation_next_due', addDaysToDate(day, 14), addDaysToDate(nextYear(day), 14)),
    ],
  }),
  confirmation_overdue: (name, day) => ({
    severity: 'warning',
    summary: `${name} has not filed the confirmation statement that was due on ${formatDay(addDaysToDate(day, -1))}.`,
    changes: [change('confirmation_overdue', false, true)],
  }),
  director_appointed: (name, day) => ({
    severity: 'notice',
    summary: `${name} appointed Jane TESTER as a director${formatOn(day)}.`,
    changes: [change('director', null, 'Jane TESTER')],
  }),
  director_resigned: (name, day) => ({
    severity: 'notice',
    summary: `Jane TESTER resigned as a director of ${name}${formatOn(day)}.`,
    changes: [change('director', 'Jane TESTER', null)],
  }),
  charge_registered: (name, day) => ({
    severity: 'notice',
    summary: `${name} had ${LENDER} registered against it${formatOn(day)}.`,
    changes: [change('charge_status', null, 'outstanding')],
  }),
  charge_satisfied: (name, day) => ({
    severity: 'info',
    summary: `${name} satisfied ${LENDER}${formatOn(day)}.`,
    changes: [change('charge_status', 'outstanding', 'fully-satisfied')],
  }),
  insolvency_started: (name, day) => ({
    severity: 'warning',
    summary: `${name} entered insolvency proceedings (creditors voluntary liquidation)${formatOn(day)}.`,
    changes: [change('insolvency_case', null, 'creditors-voluntary-liquidation')],
  }),
  insolvency_updated: (name, day) => ({
    severity: 'notice',
    summary: `The insolvency proceedings of ${name} (creditors voluntary liquidation) were updated: commencement of winding up (${formatDay(day)}).`,
    changes: [change('wound_up_on', null, day)],
  }),
  strike_off_proposed: (name) => ({
    severity: 'warning',
    summary: `A proposal to strike ${name} off the register was published.`,
    changes: [change('company_status_detail', null, STRIKE_OFF)],
  }),
  strike_off_discontinued: (name) => ({
    severity: 'notice',
    summary: `The proposal to strike ${name} off the register was discontinued, and the company stays active.`,
    changes: [change('company_status_detail', STRIKE_OFF, null)],
  }),
  psc_changed: (name, day) => ({
    severity: 'notice',
    summary: `Jane Tester became a person with significant control of ${name}${formatOn(day)}.`,
    changes: [
      change('psc_name', null, 'Jane Tester'),
      change('psc_natures_of_control', null, ['ownership-of-shares-75-to-100-percent']),
    ],
  }),
  website_changed: (name) => ({
    severity: 'warning',
    summary: `The web site of ${name}, ${SITE}, is parked: it shows a placeholder or offers the domain for sale.`,
    changes: [change('website_status', 'verified', 'parked')],
  }),
  director_identity_overdue: (name, day) => ({
    severity: 'notice',
    summary: `Jane TESTER, a director of ${name}, has not verified their identity, which was due on ${formatDay(addDaysToDate(day, -1))}.`,
    changes: [change('director_identity_overdue', false, true)],
  }),
  all_directors_overdue: (name, day) => ({
    severity: 'warning',
    summary: `No director of ${name} has verified their identity. The last was due on ${formatDay(addDaysToDate(day, -1))}.`,
    changes: [change('all_directors_overdue', false, true)],
  }),
  psc_identity_overdue: (name, day) => ({
    severity: 'notice',
    summary: `Jane Tester, a person with significant control of ${name}, has not verified their identity, which was due on ${formatDay(addDaysToDate(day, -1))}.`,
    changes: [change('psc_identity_overdue', false, true)],
  }),
  default_office_applied: (name) => ({
    severity: 'warning',
    summary: `Companies House replaced the registered office of ${name} with its own default address.`,
    changes: [change('registered_address', OLD_OFFICE, DEFAULT_OFFICE)],
  }),
  default_service_address_applied: (name, day) => ({
    severity: 'notice',
    summary: `Companies House replaced the service address of Jane Tester, an officer of ${name}, with its own default address${formatOn(day)}.`,
    changes: [change('officer_service_address', null, 'PO Box 4385, Cardiff, CF14 8LH')],
  }),
  default_office_upheld: (name, day) => ({
    severity: 'warning',
    summary: `A court upheld the decision of Companies House to use its default address as the registered office of ${name}${formatOn(day)}.`,
    changes: [change('default_office_upheld', false, true)],
  }),
  psc_statement_unresolved: (name, day) => ({
    severity: 'notice',
    summary: `A statement of ${name} about its owners has been in force since ${formatDay(addDaysToDate(day, -90))}: ${STATEMENT_WORDS}.`,
    changes: [change('psc_statement_unresolved', false, true)],
  }),
  registered_office_disputed: (name) => ({
    severity: 'notice',
    summary: `The registered office of ${name} is in dispute.`,
    changes: [change('registered_office_is_in_dispute', false, true)],
  }),
  registered_office_undeliverable: (name) => ({
    severity: 'notice',
    summary: `Post cannot be delivered to the registered office of ${name}.`,
    changes: [change('undeliverable_registered_office_address', false, true)],
  }),
  false_statement_strike_off: (name) => ({
    severity: 'warning',
    summary: `The registrar is striking off ${name}, or intends to, because of a false statement in its application for incorporation.`,
    changes: [
      change('corporate_annotation', null, 'strike-off-under-section-1002a-of-the-companies-act-2006-incorporation'),
    ],
  }),
  psc_statement_made: (name, day) => ({
    severity: 'notice',
    summary: `${name} made a statement about its owners${formatOn(day)}: ${STATEMENT_WORDS}.`,
    changes: [change('psc_statement', null, STATEMENT)],
  }),
  psc_statement_withdrawn: (name, day) => ({
    severity: 'info',
    summary: `${name} withdrew a statement about its owners${formatOn(day)}: ${STATEMENT_WORDS}.`,
    changes: [change('psc_statement', STATEMENT, null)],
  }),
  majority_owner_added: (name) => ({
    severity: 'notice',
    summary: `Jane Tester became a majority owner of ${name}.`,
    changes: [change('psc_control', 'holder', 'parent')],
  }),
  owner_sanctioned: (name) => ({
    severity: 'warning',
    summary: `Jane Tester, an owner of ${name}, is marked as sanctioned.`,
    changes: [change('psc_is_sanctioned', false, true)],
  }),
  owner_protected: (name) => ({
    severity: 'notice',
    summary: `Details of an owner of ${name} are now protected and no longer published.`,
    changes: [
      change('psc_kind', 'individual-person-with-significant-control', 'super-secure-person-with-significant-control'),
    ],
  }),
  owner_country_changed: (name) => ({
    severity: 'notice',
    summary: `TEST MODE PARENT LTD, an owner of ${name}, changed the country where it is registered from England to Jersey.`,
    changes: [change('psc_country_registered', 'England', 'Jersey')],
  }),
  parent_dissolved: (name) => ({
    severity: 'warning',
    summary: `TEST MODE PARENT LTD (TS000009), the parent of ${name}, is off the register: dissolved.`,
    changes: [change('parent_status', 'active', 'dissolved')],
  }),
}
