/** The changed fields of a signal and their values in words: the register's codes are for programs. */
import { formatDay } from '../lib/text/wording.ts'
import {
  CONTROLS,
  type CodeList,
  describeCode,
  describeControl,
  describeNature,
  describeSector,
} from '../register/index.ts'

/** One member that differs, by the name it has in our API. */
export interface FieldChange {
  field: string
  from: ChangeValue
  to: ChangeValue
}

export type ChangeValue = string | boolean | string[] | null

const FIELDS: Readonly<Record<string, string>> = {
  company_status: 'Status',
  company_status_detail: 'Status detail',
  company_name: 'Name',
  registered_address: 'Registered office',
  registered_postcode: 'Postcode',
  sic_codes: 'SIC codes',
  psc_name: 'Person with significant control',
  psc_natures_of_control: 'Nature of control',
  psc_control: 'Control',
  psc_kind: 'Kind of owner',
  psc_address: 'Address of the owner',
  psc_identification: 'Registration of the owner',
  psc_ceased_on: 'Ceased on',
  psc_statement: 'Statement',
  psc_is_sanctioned: 'Sanctioned',
  psc_country_registered: 'Country of registration',
  registered_office_is_in_dispute: 'Office in dispute',
  undeliverable_registered_office_address: 'Office undeliverable',
  corporate_annotation: 'Note of the registrar',
}

const LISTS: Readonly<Record<string, CodeList>> = {
  company_status: 'company_status',
  parent_status: 'company_status',
  company_status_detail: 'company_status_detail',
  accounts_type: 'account_type',
  charge_status: 'charge_status',
  insolvency_case: 'insolvency_case',
  psc_kind: 'psc_kind',
  psc_statement: 'psc_statement',
  corporate_annotation: 'remark',
}

/** Returns the change with its field and both values in words; a text is null where there is no value. */
export function presentChange({ field, from, to }: FieldChange) {
  return {
    field,
    from,
    to,
    field_text: describeField(field),
    from_text: describeValue(field, from),
    to_text: describeValue(field, to),
  }
}

export function describeField(field: string): string {
  return FIELDS[field] ?? toWords(field)
}

function describeValue(field: string, value: ChangeValue): string | null {
  if (value === null || value === '') return null
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (Array.isArray(value)) return value.map((each) => describeText(field, each)).join('; ') || null
  return describeText(field, value)
}

function describeText(field: string, value: string): string {
  const list = Object.hasOwn(LISTS, field) ? LISTS[field] : undefined
  if (list) return describeCode(list, value)
  if (field === 'sic_codes') return `${describeSector(value) ?? 'Unknown code'} (${value})`
  if (field === 'psc_natures_of_control') return describeNature(value)
  const control = field === 'psc_control' ? CONTROLS.find((each) => each === value) : undefined
  if (control) return describeControl(control)
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return formatDay(value)
  // Names and addresses have capitals or dots; codes have neither.
  return /^[a-z]+(?:[-_][a-z\d]+)*$/.test(value) ? toWords(value) : value
}

/** `accounts_next_due` is "Accounts next due". */
function toWords(code: string): string {
  const words = code.replaceAll(/[-_]+/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
