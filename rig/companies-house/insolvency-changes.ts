/** Insolvency cases open, move on and end. */
import type { Company } from './company.ts'
import type { Dated } from './company-changes.ts'
import type { FormCode } from './forms.ts'
import { statusMeaning } from './labels.ts'
import type { Register } from './register.ts'
import type { InsolvencyCase, Practitioner } from './resources.ts'

interface CaseRules {
  form: FormCode
  /** The date that opens the case, and the one that ends it. */
  startedOn: string | null
  endedOn: string | null
  endForm: FormCode
  /** The company's status while the case lasts; null where it keeps the one it has. */
  status: string | null
}

const liquidation = (form: FormCode, endForm: FormCode): CaseRules => ({
  form,
  startedOn: 'wound-up-on',
  endedOn: 'due-to-be-dissolved-on',
  endForm,
  status: 'Liquidation',
})
const receiver = (status: string): CaseRules => ({
  form: 'RM01',
  startedOn: 'instrumented-on',
  endedOn: null,
  endForm: 'RM02',
  status,
})

const CASE_RULES = {
  'creditors-voluntary-liquidation': liquidation('600', 'LIQ14'),
  'members-voluntary-liquidation': liquidation('LIQ01', 'LIQ13'),
  'compulsory-liquidation': liquidation('COCOMP', 'WU15'),
  'in-administration': {
    form: 'AM01',
    startedOn: 'administration-started-on',
    endedOn: 'administration-ended-on',
    endForm: 'AM23',
    status: 'In Administration',
  },
  'administration-order': {
    form: 'AM01',
    startedOn: 'administration-started-on',
    endedOn: 'administration-discharged-on',
    endForm: 'AM23',
    status: 'ADMINISTRATION ORDER',
  },
  'corporate-voluntary-arrangement': {
    form: 'CVA1',
    startedOn: 'voluntary-arrangement-started-on',
    endedOn: 'voluntary-arrangement-ended-on',
    endForm: 'CVA4',
    status: 'Voluntary Arrangement',
  },
  moratorium: {
    form: 'CVA1',
    startedOn: 'moratorium-started-on',
    endedOn: 'moratorium-ended-on',
    endForm: 'CVA4',
    status: null,
  },
  'receiver-manager': receiver('Live but Receiver Manager on at least one charge'),
  'administrative-receiver': receiver('ADMINISTRATIVE RECEIVER'),
  receivership: receiver('RECEIVERSHIP'),
} satisfies Record<string, CaseRules>

export type CaseType = keyof typeof CASE_RULES

export interface NewCase extends Dated {
  type?: CaseType
  practitioners?: Practitioner[]
}

const LIQUIDATOR: Omit<Practitioner, 'appointed_on'> = {
  name: 'Marian Copeland',
  address: {
    address_line_1: '12 Exchange Court',
    locality: 'Leeds',
    postal_code: 'LS1 4QX',
    country: 'United Kingdom',
  },
  role: 'practitioner',
}

/** Answers the number of the case. */
export function becomeInsolvent(register: Register, number: string, facts: NewCase = {}): string {
  const { on = register.today(), type = 'creditors-voluntary-liquidation' } = facts
  const company = register.edit(number)
  const rules: CaseRules = CASE_RULES[type]
  const cases = company.insolvency?.cases ?? []
  const caseNumber = String(cases.length + 1)
  cases.push({
    type,
    number: caseNumber,
    dates: rules.startedOn ? [{ type: rules.startedOn, date: on }] : [],
    practitioners: facts.practitioners ?? [{ ...LIQUIDATOR, appointed_on: on }],
  })
  if (rules.status) company.status = rules.status
  company.insolvency = { etag: '', cases }
  if (type === 'creditors-voluntary-liquidation') register.file(company, { form: 'LIQ02', on })
  register.file(company, { form: rules.form, on })
  announce(register, company)
  return caseNumber
}

export interface CaseUpdate extends Dated {
  /** Added to the case, or put in the place of the one of the same type. */
  dates?: InsolvencyCase['dates']
  practitioners?: Practitioner[]
  /** What is filed; a progress report unless said. */
  form?: FormCode
}

export function updateInsolvency(register: Register, number: string, caseNumber: string, update: CaseUpdate): void {
  const { on = register.today() } = update
  const company = register.edit(number)
  const found = getCase(company, caseNumber)
  const renewed = new Set(update.dates?.map(({ type }) => type))
  found.dates = [...found.dates.filter(({ type }) => !renewed.has(type)), ...(update.dates ?? [])]
  if (update.practitioners) found.practitioners = update.practitioners
  const progress = found.type === 'in-administration' ? 'AM10' : 'LIQ03'
  register.file(company, { form: update.form ?? progress, on, values: { brought_down_date: on } })
  announce(register, company)
}

/** An arrangement, administration or receivership that ends leaves the company active; a liquidation does not. */
export function endInsolvency(
  register: Register,
  number: string,
  caseNumber: string,
  { on = register.today() }: Dated = {},
): void {
  const company = register.edit(number)
  const found = getCase(company, caseNumber)
  const rules: CaseRules | undefined = CASE_RULES[found.type as CaseType]
  if (!rules) throw new Error(`nothing says how a case of type ${found.type} ends`)
  if (rules.endedOn) found.dates.push({ type: rules.endedOn, date: on })
  for (const practitioner of found.practitioners) practitioner.ceased_to_act_on = on
  if (rules.status && rules.status !== 'Liquidation') company.status = 'Active'
  register.file(company, { form: rules.endForm, on })
  announce(register, company)
}

function getCase(company: Company, caseNumber: string): InsolvencyCase {
  const found = company.insolvency?.cases.find((each) => each.number === caseNumber)
  if (!found) throw new Error(`company ${company.number} has no insolvency case ${caseNumber}`)
  return found
}

function announce(register: Register, company: Company): void {
  const { cases = [] } = company.insolvency ?? {}
  const status = statusMeaning(company).insolvency
  company.insolvency = { etag: register.ids.etag(), cases, ...(status ? { status } : {}) }
  register.announceInsolvency(company)
  register.announceProfile(company)
}
