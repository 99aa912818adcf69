import { type LooseRecord, toDate, toInteger, toList, toRecord, toText } from '../../lib/text/loose-json.ts'
import {
  type Address,
  type CompanyFacts,
  OFFICE_IN_DISPUTE,
  OFFICE_UNDELIVERABLE,
  type PreviousName,
} from '../company.ts'
import { UNKNOWN_STATUS } from '../vocabulary.ts'

/**
 * The facts in a company profile. A profile has no counts of charges (`has_charges` means "ever"), so storing one leaves
 * the counts of the row as they are.
 */
export type ProfileFacts = Omit<CompanyFacts, 'charges'>

/**
 * Parses a company profile, from REST or from the stream; null when it does not name a company.
 * Absent, null and empty members mean the same, and every vocabulary is open: unknown words are kept as they come.
 */
export function parseProfile(data: unknown): ProfileFacts | null {
  const profile = toRecord(data)
  const number = toText(profile['company_number'])?.toUpperCase()
  const name = toText(profile['company_name'])
  if (!number || !NUMBER.test(number) || !name) return null
  const accounts = toRecord(profile['accounts'])
  const reference = toRecord(accounts['accounting_reference_date'])
  const statement = toRecord(profile['confirmation_statement'])
  return {
    number,
    name,
    previousNames: toPreviousNames(profile['previous_company_names']),
    status: toText(profile['company_status']) ?? UNKNOWN_STATUS,
    statusDetail: toText(profile['company_status_detail']),
    type: toType(profile),
    incorporatedOn: toDate(profile['date_of_creation']),
    dissolvedOn: toDate(profile['date_of_cessation']),
    address: toAddress(profile['registered_office_address']),
    countryOfOrigin: toText(toRecord(toRecord(profile['foreign_company_details'])['originating_registry'])['country']),
    accountsRefDay: toInteger(reference['day'], { min: 1, max: 31 }),
    accountsRefMonth: toInteger(reference['month'], { min: 1, max: 12 }),
    accountsNextDue: toDate(toRecord(accounts['next_accounts'])['due_on']) ?? toDate(accounts['next_due']),
    ...toLastAccounts(accounts['last_accounts']),
    confirmationNextDue: toDate(statement['next_due']),
    confirmationLastMadeUp: toDate(statement['last_made_up_to']),
    sicCodes: toList(profile['sic_codes']).flatMap((code) => toText(code) ?? []),
    remarks: toRemarks(profile),
  }
}

const COMMUNITY_INTEREST = 'community-interest-company'

/** The monthly file has community interest companies as a type; REST and the stream have it beside the legal form. */
function toType(profile: LooseRecord): string {
  const isCommunityInterest =
    profile['is_community_interest_company'] === true || toText(profile['subtype']) === COMMUNITY_INTEREST
  return isCommunityInterest ? COMMUNITY_INTEREST : (toText(profile['type']) ?? UNKNOWN_STATUS)
}

/** More kinds than the register has. */
const REMARKS_MAX = 50

/** The streams leave a false flag out. */
function toRemarks(profile: LooseRecord): string[] {
  const annotations = toList(profile['corporate_annotation']).flatMap((item) => toText(toRecord(item)['type']) ?? [])
  if (profile['registered_office_is_in_dispute'] === true) annotations.push(OFFICE_IN_DISPUTE)
  if (profile['undeliverable_registered_office_address'] === true) annotations.push(OFFICE_UNDELIVERABLE)
  return [...new Set(annotations)].sort().slice(0, REMARKS_MAX)
}

const NUMBER = /^[0-9A-Z]{8}$/

/** `"null"`, in quotes, is what the register writes for a company that never filed any. */
function toLastAccounts(value: unknown): Pick<CompanyFacts, 'accountsType' | 'accountsLastMadeUp'> {
  const last = toRecord(value)
  const type = toText(last['type'])
  return {
    accountsType: type === 'null' ? null : type,
    accountsLastMadeUp: toDate(last['period_end_on']) ?? toDate(last['made_up_to']),
  }
}

/** REST says `care_of` where the stream says `care_of_name`; `premises` is documented and mostly part of line 1. */
function toAddress(value: unknown): Address {
  const address = toRecord(value)
  const premises = toText(address['premises'])
  const line1 = toText(address['address_line_1'])
  const isFolded = premises !== null && line1?.startsWith(premises)
  return {
    careOf: toText(address['care_of']) ?? toText(address['care_of_name']),
    poBox: toText(address['po_box']),
    line1: isFolded ? line1 : [premises, line1].filter(Boolean).join(' ') || null,
    line2: toText(address['address_line_2']),
    town: toText(address['locality']),
    county: toText(address['region']),
    country: toText(address['country']),
    postcode: toText(address['postal_code'])?.toUpperCase().replaceAll(/\s+/g, ' ') ?? null,
  }
}

/** Newest first, as the snapshot has them. */
function toPreviousNames(value: unknown): PreviousName[] {
  const names = toList(value).flatMap((item) => {
    const previous = toRecord(item)
    const name = toText(previous['name'])
    return name ? [{ name, ceased_on: toDate(previous['ceased_on']) }] : []
  })
  return names.toSorted((a, b) => (b.ceased_on ?? '').localeCompare(a.ceased_on ?? ''))
}
