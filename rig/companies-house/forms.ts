/** The forms that reach the filing history, with the words the register describes them in. */
import type { Officer } from './resources.ts'

export interface Form {
  category: string
  subcategory?: string | string[]
  description: string
}

export type FormCode = keyof typeof FORMS

const officers = (subcategory: string, description: string): Form => ({
  category: 'officers',
  subcategory,
  description,
})
const psc = (subcategory: string, description: string): Form => ({
  category: 'persons-with-significant-control',
  subcategory,
  description,
})
const gazette = (description: string): Form => ({ category: 'gazette', description })

export const FORMS = {
  NEWINC: { category: 'incorporation', description: 'incorporation-company' },
  AA: { category: 'accounts', description: 'accounts-with-accounts-type-full' },
  CS01: { category: 'confirmation-statement', description: 'confirmation-statement-with-no-updates' },
  AD01: {
    category: 'address',
    description: 'change-registered-office-address-company-with-date-old-address-new-address',
  },
  CERTNM: {
    category: 'change-of-name',
    subcategory: 'certificate',
    description: 'certificate-change-of-name-company',
  },
  AP01: officers('appointments', 'appoint-person-director-company-with-name-date'),
  AP02: officers('appointments', 'appoint-corporate-director-company-with-name-date'),
  AP03: officers('appointments', 'appoint-person-secretary-company-with-name-date'),
  AP04: officers('appointments', 'appoint-corporate-secretary-company-with-name-date'),
  TM01: officers('termination', 'termination-director-company-with-name-termination-date'),
  TM02: officers('termination', 'termination-secretary-company-with-name-termination-date'),
  LLAP01: officers('appointments', 'appoint-person-member-limited-liability-partnership-with-appointment-date'),
  LLTM01: officers('termination', 'termination-member-limited-liability-partnership-with-name-termination-date'),
  PSC01: psc('notifications', 'notification-of-a-person-with-significant-control'),
  PSC02: psc('notifications', 'notification-of-a-person-with-significant-control'),
  PSC03: psc('notifications', 'notification-of-a-person-with-significant-control'),
  PSC07: psc('termination', 'cessation-of-a-person-with-significant-control'),
  MR01: {
    category: 'mortgage',
    subcategory: 'create',
    description: 'mortgage-create-with-deed-with-charge-number-charge-creation-date',
  },
  MR04: { category: 'mortgage', subcategory: 'satisfy', description: 'mortgage-satisfy-charge-full' },
  GAZ1: gazette('gazette-notice-compulsory'),
  GAZ2: gazette('gazette-dissolved-compulsory'),
  DISS40: gazette('gazette-filings-brought-up-to-date'),
  '600': {
    category: 'insolvency',
    subcategory: 'voluntary',
    description: 'liquidation-voluntary-appointment-of-liquidator',
  },
  LIQ02: {
    category: 'insolvency',
    subcategory: 'voluntary',
    description: 'liquidation-voluntary-statement-of-affairs',
  },
} satisfies Record<string, Form>

export interface FiledForm {
  form: FormCode
  /** The day it was processed. */
  on: string
  actionOn?: string
  values?: Record<string, unknown>
  /** In place of the form's own key. */
  description?: string
  transactionId?: string
}

type OfficerForm = Pick<FiledForm, 'form' | 'actionOn' | 'values'>

export function appointmentForm(officer: Officer): OfficerForm {
  const values = { officer_name: readableName(officer.name), appointment_date: officer.appointed_on }
  const [director, secretary] = officer.officer_role.startsWith('corporate-')
    ? (['AP02', 'AP04'] as const)
    : (['AP01', 'AP03'] as const)
  return { form: byRole(officer, { member: 'LLAP01', secretary, director }), ...dated(officer.appointed_on, values) }
}

export function terminationForm(officer: Officer): OfficerForm {
  const values = { officer_name: readableName(officer.name), termination_date: officer.resigned_on }
  const form = byRole(officer, { member: 'LLTM01', secretary: 'TM02', director: 'TM01' })
  return { form, ...dated(officer.resigned_on, values) }
}

function byRole(
  { officer_role: role }: Officer,
  forms: Record<'member' | 'secretary' | 'director', FormCode>,
): FormCode {
  if (role.includes('member')) return forms.member
  return role.includes('secretary') ? forms.secretary : forms.director
}

function dated(actionOn: string | undefined, values: Record<string, unknown>) {
  return { ...(actionOn ? { actionOn } : {}), values }
}

/** `KERSHAW, Niamh Rhodri` is filed as `Niamh Rhodri Kershaw`. */
function readableName(name: string): string {
  const [surname = '', ...forenames] = name.split(', ')
  if (forenames.length === 0) return name
  return `${forenames[0]} ${surname.charAt(0)}${surname.slice(1).toLowerCase()}`
}
