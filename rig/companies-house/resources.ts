/** The resources of the register in the JSON shapes of the public API. Members the simulator never reads stay open. */

export interface Address {
  care_of?: string
  po_box?: string
  premises?: string
  address_line_1?: string
  address_line_2?: string
  locality?: string
  region?: string
  country?: string
  postal_code?: string
}

export interface Officer {
  name: string
  officer_role: string
  appointed_on?: string
  resigned_on?: string
  address?: Address
  etag?: string
  links: { self: string; officer?: { appointments: string } }
  [member: string]: unknown
}

export type ChargeStatus = 'outstanding' | 'fully-satisfied' | 'part-satisfied' | 'satisfied'

export interface Charge {
  charge_number: number
  charge_code?: string
  status: ChargeStatus
  created_on?: string
  delivered_on?: string
  satisfied_on?: string
  persons_entitled?: { name: string }[]
  particulars?: { type?: string; description?: string; [flag: string]: unknown }
  secured_details?: { type: string; description: string }
  assets_ceased_released?: string
  transactions?: { filing_type: string; delivered_on: string; links?: { filing?: string } }[]
  etag?: string
  links: { self: string }
  [member: string]: unknown
}

export interface Practitioner {
  name: string
  address: Address
  role: string
  appointed_on?: string
  ceased_to_act_on?: string
}

export interface InsolvencyCase {
  type: string
  number: string
  dates: { type: string; date: string }[]
  practitioners: Practitioner[]
  [member: string]: unknown
}

export interface Insolvency {
  etag: string
  cases: InsolvencyCase[]
  status?: string[]
}

export interface Filing {
  transaction_id: string
  barcode?: string
  type: string
  category: string
  subcategory?: string | string[]
  description: string
  description_values?: Record<string, unknown>
  date: string
  action_date?: string
  pages?: number
  links: { self: string; document_metadata?: string }
}

/** The `{kind}` of a PSC's address and, after it, the `kind` member of the resource. */
export type PscKind = 'individual' | 'corporate-entity' | 'legal-person' | 'super-secure'

export interface Psc {
  kind: string
  name?: string
  natures_of_control?: string[]
  /** A record of exemptions has none. */
  notified_on?: string
  ceased_on?: string
  etag: string
  links: { self: string }
  [member: string]: unknown
}

export function isStatement({ kind }: Pick<Psc, 'kind'>): boolean {
  return kind === 'persons-with-significant-control-statement'
}

export function isExemptions({ kind }: Pick<Psc, 'kind'>): boolean {
  return kind === 'exemptions'
}

export interface DisqualificationOrder {
  disqualification_type: string
  disqualified_from: string
  disqualified_until: string
  company_names?: string[]
  reason: { act: string; description_identifier?: string; section?: string; article?: string }
  [member: string]: unknown
}

/** A disqualified person, with the whole date of birth. */
export interface NaturalDisqualification {
  kind: 'natural-disqualification'
  forename?: string
  other_forenames?: string
  surname: string
  date_of_birth?: string
  disqualifications: DisqualificationOrder[]
  etag: string
  links: { self: string }
  /** How the search shows this person, where that is not as usual. Not part of the record. */
  inSearch?: { title?: string | null; link?: string; isLast?: boolean }
  [member: string]: unknown
}

/** Returns the id of the resource: the last part of `links.self`. */
export function idOf(resource: { links: { self: string } }): string {
  return resource.links.self.slice(resource.links.self.lastIndexOf('/') + 1)
}
