/** The warnings of a company, in sentences: a person who deals with it must know them first. */
import { formatDay, toMidSentence } from '../lib/text/wording.ts'
import { type Company, nameYearlyStatement, OFFICE_IN_DISPUTE, OFFICE_UNDELIVERABLE } from './company.ts'
import type { DerivedFacts } from './derived.ts'
import type { CompanyDetails, Owner, Part } from './details/details.ts'
import { deriveIdentity } from './details/identity.ts'
import { isInOffice, type Officer } from './details/part-items.ts'
import { isDirector, mustVerifyIdentity } from './officer-roles.ts'
import { isOffRegister } from './vocabulary.ts'

export const WARNING_CODES = [
  'off_register',
  'insolvency',
  'strike_off_proposed',
  'false_statement',
  'owner_sanctioned',
  'default_office',
  'office_in_dispute',
  'office_undeliverable',
  'all_directors_identity_overdue',
  'director_identity_overdue',
  'psc_identity_overdue',
  'accounts_overdue',
  'confirmation_overdue',
  'dormant',
] as const

export interface Warning {
  code: (typeof WARNING_CODES)[number]
  severity: 'high' | 'medium' | 'low'
  text: string
}

/** Returns warnings, the most serious first. */
export function listWarnings(
  { company, officers, pscs }: Pick<CompanyDetails, 'company' | 'officers' | 'pscs'>,
  facts: DerivedFacts,
  today: string,
): Warning[] {
  if (isOffRegister(company.status)) return [offRegister(company), ...falseStatements(company)]
  const owners = (pscs.items ?? []).filter((owner) => !owner.is_ceased)
  const warnings = [
    facts.current_insolvency_status_text &&
      high('insolvency', `Insolvency: ${toMidSentence(facts.current_insolvency_status_text)}.`),
    company.statusDetail === 'active-proposal-to-strike-off' &&
      high('strike_off_proposed', 'There is an active proposal to strike the company off the register.'),
    ...falseStatements(company),
    owners.some(({ is_sanctioned: isSanctioned }) => isSanctioned) &&
      high('owner_sanctioned', 'The register marks an owner of the company as sanctioned.'),
    isDefaultOffice(company.address) && high('default_office', DEFAULT_OFFICE),
    company.remarks?.includes(OFFICE_IN_DISPUTE) &&
      medium('office_in_dispute', 'The registered office is in dispute: the company may have no right to use it.'),
    company.remarks?.includes(OFFICE_UNDELIVERABLE) &&
      medium('office_undeliverable', 'Post cannot be delivered to the registered office.'),
    identityOverdue(officers, today),
    ownersOverdue(owners, today),
    facts.accounts_overdue && overdue('accounts_overdue', 'The accounts are', facts.accounts_days_until_due),
    facts.confirmation_overdue &&
      overdue(
        'confirmation_overdue',
        `The ${nameYearlyStatement(company.number)} is`,
        facts.confirmation_days_until_due,
      ),
    company.sicCodes.some((code) => DORMANT.has(code)) && low('dormant', 'The company says that it is dormant.'),
  ].filter((warning) => typeof warning === 'object' && warning !== null)
  return warnings.toSorted((one, other) => SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity))
}

const SEVERITIES: ReadonlyArray<Warning['severity']> = ['high', 'medium', 'low']

/** Names no one: the officers' own lines say who. Of a list that is not complete, nothing is said of all. */
function identityOverdue({ items, total }: Part<Officer>, today: string): Warning | null {
  const directors = (items ?? []).filter((officer) => isDirector(officer) && isInOffice(officer, today))
  const late = directors.filter(({ identity }) => deriveIdentity(identity, true, today)?.state === 'overdue')
  if (late.length === 0) return null
  const isWhole = total === null
  if (isWhole && directors.filter(mustVerifyIdentity).every((director) => late.includes(director))) {
    return high('all_directors_identity_overdue', 'No director has verified their identity, and all who must are late.')
  }
  const share = isWhole ? `${late.length} of ${directors.length} directors` : `At least ${late.length} of the directors`
  const text = `${share} ${late.length === 1 ? 'is' : 'are'} late to verify their identity.`
  return medium('director_identity_overdue', text)
}

/** Low: an owner's days are spread over the year, and many verify with a statement that is filed late. */
function ownersOverdue(owners: readonly Owner[], today: string): Warning | null {
  const late = owners.filter(({ identity }) => deriveIdentity(identity, true, today)?.state === 'overdue').length
  if (late === 0) return null
  const who = late === 1 ? '1 person with significant control is' : `${late} persons with significant control are`
  return low('psc_identity_overdue', `${who} late to verify their identity.`)
}

/** A remark of the registrar stays on the record after the company is struck off, and says why it was. */
function falseStatements({ remarks }: Company): Warning[] {
  const found = (remarks ?? []).flatMap((remark) => findFalseStatement(remark) ?? [])
  return found.slice(0, 1).map(({ application }) => {
    const where = application === null ? '' : ` in its application for ${application}`
    const text = `The registrar is striking the company off, or has done so, because of a false statement${where}.`
    return high('false_statement', text)
  })
}

const FALSE_STATEMENT = /^strike-off-under-section-1002a(?:.*-(?<application>incorporation|restoration)$)?/

/** Returns the application in which a remark says that a statement was false, if it names one; null for another remark. */
export function findFalseStatement(remark: string): { application: string | null } | null {
  const found = FALSE_STATEMENT.exec(remark)
  return found && { application: found.groups?.['application'] ?? null }
}

const high = (code: Warning['code'], text: string): Warning => ({ code, severity: 'high', text })
const medium = (code: Warning['code'], text: string): Warning => ({ code, severity: 'medium', text })
const low = (code: Warning['code'], text: string): Warning => ({ code, severity: 'low', text })

function offRegister({ status, dissolvedOn }: Company): Warning {
  const on = dissolvedOn === null ? '' : ` on ${formatDay(dissolvedOn)}`
  const word = status === 'converted-closed' ? 'converted or closed' : status
  return high('off_register', `The company was ${word}${on}. It is no longer on the live register.`)
}

/** Later than this is more than a late letter. */
const LONG_OVERDUE_DAYS = 90

function overdue(code: Warning['code'], subject: string, daysUntilDue: number | null): Warning {
  const days = -(daysUntilDue ?? 0)
  const severity = days > LONG_OVERDUE_DAYS ? 'high' : 'medium'
  return { code, severity, text: `${subject} ${days} ${days === 1 ? 'day' : 'days'} overdue.` }
}

const DEFAULT_OFFICE =
  'The registered office is the default address of Companies House: the company’s own address was rejected.'

/** The boxes in Cardiff, Edinburgh and Belfast to which Companies House moves companies without a proper office. */
const DEFAULT_BOXES: ReadonlyArray<readonly [box: string, postcode: string]> = [
  ['4385', 'CF14 8LH'],
  ['24238', 'EH7 9HR'],
  ['2381', 'BT1 9DY'],
]

export function isDefaultOffice({ poBox, line1, line2, postcode }: Company['address']): boolean {
  const lines = [poBox, line1, line2].filter((line) => line !== null).join(' ')
  if (/companies house default address/i.test(lines)) return true
  return DEFAULT_BOXES.some(([box, code]) => postcode === code && new RegExp(`\\b${box}\\b`).test(lines))
}

const DORMANT: ReadonlySet<string> = new Set(['99999', '9999'])
