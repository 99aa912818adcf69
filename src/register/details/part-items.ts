/**
 * The parts of a company beyond its profile, item by item, read tolerantly from what REST and the streams send. Items
 * are stored as they came; here they become what the rest of Nameplate reads.
 */
import { createHash } from 'node:crypto'
import {
  type LooseRecord,
  toCode,
  toDate,
  toInteger,
  toList,
  toRecord,
  toText,
  toTexts,
  withoutNested,
} from '../../lib/text/loose-json.ts'
import { parseIdentification } from '../owners/owner-number.ts'
import { type CodeList, describeCode, describeInsolvency, describeNature } from '../vocabulary.ts'
import { describeFiling } from '../words/describe-filing.ts'
import { parseIdentity } from './identity.ts'

/** As the tables name them. Most wanted first: the order in which a short budget is spent. */
export const PART_KINDS = ['officer', 'charge', 'insolvency', 'psc', 'filing'] as const
export type PartKind = (typeof PART_KINDS)[number]

export interface FetchedItem {
  /** The id under which the streams speak of the same item. */
  id: string
  data: LooseRecord
}

/** The name that a person prefers is published for the check of their identity, and is no business of ours. */
export const NEVER_STORED = ['identity_verification_details', 'preferred_name'] as const

/** Charges often lack an id of their own; the last part of the link is it. */
export function identifyItem(kind: Exclude<PartKind, 'insolvency'>, raw: unknown): FetchedItem {
  const data = withoutNested(toRecord(raw), NEVER_STORED)
  const link = toText(toRecord(data['links'])['self'])?.split('/').at(-1)
  const id = (kind === 'filing' ? toText(data['transaction_id']) : null) ?? link ?? toText(data['id'])
  // An item without any id is kept too: it is known, and the next fetch of the part replaces it.
  return { id: id || `sha256-${createHash('sha256').update(JSON.stringify(data)).digest('hex')}`, data }
}

export type Officer = ReturnType<typeof parseOfficer>

export function parseOfficer(data: LooseRecord) {
  return {
    officer_id: parseOfficerLink(data['links']),
    name: toText(data['name']),
    role: toText(data['officer_role']),
    role_text: inWords('officer_role', toText(data['officer_role'])),
    appointed_on: toDate(data['appointed_on']),
    resigned_on: toDate(data['resigned_on']),
    nationality: toText(data['nationality']),
    occupation: toText(data['occupation']),
    country_of_residence: toText(data['country_of_residence']),
    date_of_birth: parseBirth(data['date_of_birth']),
    identity: parseIdentity(data['identity_verification_details']),
  }
}

/** An unpadded base64url SHA-1. What does not look like one never becomes part of an address. */
export const OFFICER_ID = /^[A-Za-z0-9_-]{20,40}$/

/** The register writes an officer's own id only into the link to the appointments. */
function parseOfficerLink(links: unknown): string | null {
  const link = toText(toRecord(toRecord(links)['officer'])['appointments'])
  const [, id = ''] = /^\/officers\/([^/]+)\/appointments$/.exec(link ?? '') ?? []
  return OFFICER_ID.test(id) ? id : null
}

/** A resignation may be filed ahead of its day. */
export function isInOffice({ resigned_on: until }: Pick<Officer, 'resigned_on'>, today: string): boolean {
  return until === null || until > today
}

/** The register never publishes the day. */
export function parseBirth(value: unknown) {
  const birth = toRecord(value)
  const year = toInteger(birth['year'], { min: 1800, max: 2200 })
  return year === null ? null : { month: toInteger(birth['month'], { min: 1, max: 12 }), year }
}

export type Insolvency = ReturnType<typeof parseInsolvency>

export function parseInsolvency(data: LooseRecord) {
  const status = toTexts(data['status'])
  return {
    status,
    status_text: status.map(describeInsolvency),
    cases: toList(data['cases']).map((item) => parseCase(toRecord(item))),
  }
}

function parseCase(data: LooseRecord) {
  return {
    type: toText(data['type']),
    type_text: inWords('insolvency_case', toText(data['type'])),
    number: toCode(data['number']),
    dates: toList(data['dates']).flatMap((item) => {
      const { type, date } = toRecord(item)
      const [name, on] = [toText(type), toDate(date)]
      return name && on ? [{ type: name, type_text: describeCode('insolvency_date', name), date: on }] : []
    }),
    practitioners: toList(data['practitioners']).flatMap((item) => {
      const practitioner = toRecord(item)
      const name = toText(practitioner['name'])
      if (!name) return []
      return [
        {
          name,
          role: toText(practitioner['role']),
          role_text: inWords('practitioner_role', toText(practitioner['role'])),
          appointed_on: toDate(practitioner['appointed_on']),
          ceased_to_act_on: toDate(practitioner['ceased_to_act_on']),
        },
      ]
    }),
  }
}

export type Psc = ReturnType<typeof parsePsc>

export function parsePsc(data: LooseRecord) {
  return {
    kind: toText(data['kind']),
    kind_text: inWords('psc_kind', toText(data['kind'])),
    name: toText(data['name']),
    notified_on: toDate(data['notified_on']),
    ceased_on: toDate(data['ceased_on']),
    /** The register says whether protected people have ceased, and not when. */
    is_ceased: toDate(data['ceased_on']) !== null || data['ceased'] === true,
    natures_of_control: toTexts(data['natures_of_control']),
    natures_of_control_text: toTexts(data['natures_of_control']).map(describeNature),
    is_sanctioned: data['is_sanctioned'] === true,
    nationality: toText(data['nationality']),
    country_of_residence: toText(data['country_of_residence']),
    identification: parseIdentification(toRecord(data['identification'])),
    identity: parseIdentity(data['identity_verification_details']),
  }
}

/** A statement of the company about its owners: that there is none, that one was not found, or that it need not say. */
export interface OwnerStatement {
  statement: string
  statement_text: string
  notified_on: string | null
  ceased_on: string | null
}

/** Returns the statements in a record; a record of exemptions may hold several. */
export function parseStatements(data: LooseRecord): OwnerStatement[] {
  const code = toText(data['statement'])
  const days = { notified_on: toDate(data['notified_on']), ceased_on: toDate(data['ceased_on']) }
  if (code !== null) {
    return [{ statement: code, statement_text: describeCode('psc_statement', code), ...days }]
  }
  return Object.values(toRecord(data['exemptions'])).flatMap((value) => {
    const { exemption_type: type, items } = toRecord(value)
    const exemption = toText(type)
    if (exemption === null) return []
    return toList(items).map((item) => {
      const { exempt_from: from, exempt_to: to } = toRecord(item)
      const text = describeCode('psc_exemption', exemption)
      return { statement: exemption, statement_text: text, notified_on: toDate(from), ceased_on: toDate(to) }
    })
  })
}

export type Filing = ReturnType<typeof parseFiling>

export function parseFiling(data: LooseRecord) {
  return {
    transaction_id: toText(data['transaction_id']),
    type: toText(data['type']),
    category: toText(data['category']),
    subcategories: toTexts(data['subcategory']),
    description: toText(data['description']),
    date: toDate(data['date']),
    action_date: toDate(data['action_date']),
    /** As it came: its words are made from it when it is shown. */
    source: data,
  }
}

/** Returns the first filings with their words. */
export function describeFilings(companyNumber: string, filings: readonly Filing[], max: number) {
  return filings.slice(0, max).map(({ source, ...filing }) => {
    const { text, details } = describeFiling(source)
    const categoryText = inWords('filing_category', filing.category)
    const document = findDocument(source, companyNumber)
    return {
      ...filing,
      category_text: categoryText,
      description_text: text,
      details_text: details,
      document_url: document,
    }
  })
}

export const REGISTER_SITE = 'https://find-and-update.company-information.service.gov.uk'

/** Returns the public address of a filing's document; null until the register has published it. */
export function findDocument(source: LooseRecord, companyNumber: string): string | null {
  const id = toText(source['transaction_id'])
  if (id === null || toText(toRecord(source['links'])['document_metadata']) === null) return null
  return `${REGISTER_SITE}/company/${companyNumber}/filing-history/${encodeURIComponent(id)}/document?format=pdf&download=0`
}

/** Returns a code in words; null where the register sent none. */
export const inWords = (list: CodeList, code: string | null): string | null =>
  code === null ? null : describeCode(list, code)
