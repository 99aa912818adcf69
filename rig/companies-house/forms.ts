/** The forms that reach the filing history, with the words the register describes them in. */
import type { Officer } from './resources.ts'

export type FormCode = keyof typeof FORMS

const form = (category: string, description: string, subcategory?: string) => {
  return { category, description, ...(subcategory ? { subcategory } : {}) }
}
const officers = (subcategory: string, description: string) => form('officers', description, subcategory)
const psc = (subcategory: string, description: string) =>
  form('persons-with-significant-control', description, subcategory)

export const FORMS = {
  NEWINC: form('incorporation', 'incorporation-company'),
  AA: form('accounts', 'accounts-with-accounts-type-full'),
  CS01: form('confirmation-statement', 'confirmation-statement-with-no-updates'),
  AD01: form('address', 'change-registered-office-address-company-with-date-old-address-new-address'),
  CERTNM: form('change-of-name', 'certificate-change-of-name-company', 'certificate'),
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
  MR01: form('mortgage', 'mortgage-create-with-deed-with-charge-number-charge-creation-date', 'create'),
  MR04: form('mortgage', 'mortgage-satisfy-charge-full', 'satisfy'),
  GAZ1: form('gazette', 'gazette-notice-compulsory'),
  GAZ2: form('gazette', 'gazette-dissolved-compulsory'),
  RP05: form('address', 'default-companies-house-registered-office-address-applied'),
  RP09: form('address', 'default-companies-house-service-address-applied-officer'),
  RP10: form('address', 'default-companies-house-service-address-applied-psc'),
  'OC-UPHELD': form('address', 'court-upheld-registrars-decision-on-registered-office-address'),
  DISS40: form('gazette', 'gazette-filings-brought-up-to-date'),
  '600': form('insolvency', 'liquidation-voluntary-appointment-of-liquidator', 'voluntary'),
  LIQ02: form('insolvency', 'liquidation-voluntary-statement-of-affairs', 'voluntary'),
}

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
