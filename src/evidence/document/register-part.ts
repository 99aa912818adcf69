/** The company as the register had it, in words. */
import { inWords } from '../../../packages/evidence-check/index.ts'
import { formatDay, toMidSentence } from '../../lib/text/wording.ts'
import { describeCode, describeNature, describeSector, describeStatus } from '../../register/index.ts'
import type { Cut } from './clip.ts'
import type { FiledRecord } from './filed-record.ts'

const SECTORS_MAX = 4
const NAMES_MAX = 3

type Row = [name: string, value: string]

export function describeCompany({ register, made_at: madeAt }: FiledRecord, cut: Cut) {
  const { company, compared_with: then } = register
  if (!company) return null
  const rows: Array<[string, string | null]> = [
    ['Name', company.company_name],
    ['Number', company.company_number],
    ['Status', company.company_status_text],
    ['Kind', company.company_type_text],
    ['Incorporated', company.incorporated_on && formatDay(company.incorporated_on)],
    ['Dissolved', company.dissolved_on && formatDay(company.dissolved_on)],
    ['Registered office', company.registered_office],
    ['Business', company.sic_codes.slice(0, SECTORS_MAX).map(describeBusiness).join('; ') || null],
    ['Earlier names', describeNames(company.previous_names)],
    ['Remarks', company.remarks?.map(describeRemark).join('; ') || null],
  ]
  return {
    title: `The company, as the register had it on ${inWords(madeAt)}`,
    rows: rows.flatMap(([name, value]): Row[] => (value === null ? [] : [[name, cut(value, 260)]])),
    compared: then && cut(compare(then, company), 240),
  }
}

type Register = FiledRecord['register']

function compare(then: NonNullable<Register['compared_with']>, now: NonNullable<Register['company']>): string {
  if (then.company_number !== now.company_number) {
    return `The site was compared with ${then.company_name}, ${then.company_number}.`
  }
  const isSame = then.company_name === now.company_name && then.company_status === now.company_status
  return isSame
    ? 'Name and status are those with which the site was compared when it was read.'
    : `When the site was read, the register had: ${then.company_name}, ${describeStatusOf(then)}.`
}

function describeStatusOf({ company_status: status }: NonNullable<Register['compared_with']>): string {
  return toMidSentence(describeStatus({ status, statusDetail: null }) ?? 'status not known')
}

const describeRemark = (code: string): string => describeCode('remark', code).replace(/\.$/, '')

function describeBusiness(code: string): string {
  const words = describeSector(code)
  return words === null ? code : `${words} (${code})`
}

type PreviousNames = NonNullable<Register['company']>['previous_names']

function describeNames(names: PreviousNames): string | null {
  const shown = names.slice(0, NAMES_MAX).map((one) => one.name)
  if (shown.length === 0) return null
  return names.length > NAMES_MAX ? `${shown.join('; ')} and ${names.length - NAMES_MAX} more` : shown.join('; ')
}

/** Officers and owners in office, by name, where the record has them. */
export function describePeople(
  { register: { officers, owners } }: FiledRecord,
  { cut, people }: { cut: Cut; people: number },
) {
  const groups = []
  if (officers) {
    const items = officers.items.slice(0, people).map(({ name, role, appointed_on: since }): Row => {
      const from = since ? `, since ${formatDay(since)}` : ''
      return [cut(role === null ? 'Officer' : describeCode('officer_role', role), 40), cut(`${name}${from}`, 160)]
    })
    groups.push({ title: 'Officers', items, note: describeRest(officers, items.length, 'officer') })
  }
  if (owners) {
    const items = owners.items.slice(0, people).map(({ name, natures_of_control: natures }): Row => {
      return [cut(name ?? 'Not named', 60), cut(natures.slice(0, 3).map(describeNature).join('; '), 200)]
    })
    groups.push({
      title: 'Persons with significant control',
      items,
      note: describeRest(owners, items.length, 'person'),
    })
  }
  return groups
}

function describeRest(part: { missing: string | null; in_force: number }, shown: number, what: string): string | null {
  if (part.missing !== null) return 'The register did not give this part in time.'
  const left = part.in_force - shown
  if (left > 0) return `${left} more: see the attached record.`
  return part.in_force === 0 ? `The register has no ${what} in force.` : null
}
