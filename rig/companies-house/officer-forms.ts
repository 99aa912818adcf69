/** Which form appoints, changes or removes an officer in a given role. */
import type { FiledForm, FormCode } from './forms.ts'
import type { Officer } from './resources.ts'

type Filed = Pick<FiledForm, 'form' | 'actionOn' | 'values'>

export function appointmentForm(officer: Officer): Filed {
  const values = { officer_name: readableName(officer.name), appointment_date: officer.appointed_on }
  return {
    form: byRole(officer, { member: 'LLAP01', secretary: 'AP03', director: 'AP01' }),
    ...dated(officer.appointed_on, values),
  }
}

export function terminationForm(officer: Officer): Filed {
  const values = { officer_name: readableName(officer.name), termination_date: officer.resigned_on }
  return {
    form: byRole(officer, { member: 'LLTM01', secretary: 'TM02', director: 'TM01' }),
    ...dated(officer.resigned_on, values),
  }
}

export function changeForm(officer: Officer, on: string): Filed {
  const values = { officer_name: readableName(officer.name), change_date: on }
  return { form: byRole(officer, { member: 'LLCH01', secretary: 'CH03', director: 'CH01' }), ...dated(on, values) }
}

function byRole(officer: Officer, forms: { member: FormCode; secretary: FormCode; director: FormCode }): FormCode {
  const role = officer.officer_role
  const isCorporate = role.startsWith('corporate-')
  if (role.includes('member')) return forms.member
  if (role.includes('secretary')) return isCorporate && forms.secretary === 'AP03' ? 'AP04' : forms.secretary
  return isCorporate && forms.director === 'AP01' ? 'AP02' : forms.director
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
