/** The warnings of a company, in sentences: a person who deals with it must know them first. */
import { formatDay } from '../lib/text/wording.ts'
import type { Company } from './company.ts'
import { type DerivedFacts, isDirector } from './derived.ts'
import type { CompanyDetails, Part } from './details/details.ts'
import { deriveIdentity } from './details/identity.ts'
import { isInOffice, type Officer } from './details/part-items.ts'
import { describeCode, isOffRegister } from './vocabulary.ts'

export const WARNING_CODES = [
  'off_register',
  'insolvency',
  'strike_off_proposed',
  'default_office',
  'all_directors_identity_overdue',
  'director_identity_overdue',
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
  { company, officers }: Pick<CompanyDetails, 'company' | 'officers'>,
  facts: DerivedFacts,
  today: string,
): Warning[] {
  if (isOffRegister(company.status)) return [offRegister(company)]
  const warnings = [
    facts.current_insolvency_status && high('insolvency', `Insolvency: ${inWords(facts.current_insolvency_status)}.`),
    company.statusDetail === 'active-proposal-to-strike-off' &&
      high('strike_off_proposed', 'There is an active proposal to strike the company off the register.'),
    isDefaultOffice(company.address) && high('default_office', DEFAULT_OFFICE),
    identityOverdue(officers, today),
    facts.accounts_overdue && overdue('accounts_overdue', 'The accounts are', facts.accounts_days_until_due),
    facts.confirmation_overdue &&
      overdue('confirmation_overdue', 'The confirmation statement is', facts.confirmation_days_until_due),
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
  if (isWhole && late.length === directors.length) {
    return high('all_directors_identity_overdue', 'No director has verified their identity, and all are late.')
  }
  const share = isWhole ? `${late.length} of ${directors.length} directors` : `At least ${late.length} of the directors`
  const text = `${share} ${late.length === 1 ? 'is' : 'are'} late to verify their identity.`
  return { code: 'director_identity_overdue', severity: 'medium', text }
}

const high = (code: Warning['code'], text: string): Warning => ({ code, severity: 'high', text })
const low = (code: Warning['code'], text: string): Warning => ({ code, severity: 'low', text })

function offRegister({ status, dissolvedOn }: Company): Warning {
  const on = dissolvedOn === null ? '' : ` on ${formatDay(dissolvedOn)}`
  const word = status === 'converted-closed' ? 'converted or closed' : status
  return high('off_register', `The company was ${word}${on}. It is no longer on the live register.`)
}

const inWords = (statuses: string): string =>
  statuses
    .split(', ')
    .map((status) => describeCode('company_status', status).toLowerCase())
    .join(', ')

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
