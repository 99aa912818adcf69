import type { Db } from '../lib/db/db.ts'

/** A company as the register has it. Dates are `YYYY-MM-DD`; derived facts such as "overdue" are never stored. */
export interface Company {
  number: string
  name: string
  previousNames: PreviousName[]
  status: string
  statusDetail: string | null
  type: string
  incorporatedOn: string | null
  dissolvedOn: string | null
  address: Address
  countryOfOrigin: string | null
  accountsRefDay: number | null
  accountsRefMonth: number | null
  accountsNextDue: string | null
  accountsLastMadeUp: string | null
  /** The register's word, such as `micro-entity`; null when none were filed. */
  accountsType: string | null
  confirmationNextDue: string | null
  confirmationLastMadeUp: string | null
  charges: ChargeCounts
  sicCodes: string[]
  timepoint: number
  source: 'snapshot' | 'stream' | 'rest'
  changedAt: Date
}

export interface PreviousName {
  name: string
  ceased_on: string | null
}

export interface Address {
  careOf: string | null
  poBox: string | null
  line1: string | null
  line2: string | null
  town: string | null
  county: string | null
  country: string | null
  postcode: string | null
}

export interface ChargeCounts {
  total: number
  outstanding: number
  partSatisfied: number
  satisfied: number
}

export interface CompanyRow {
  number: string
  name: string
  previous_names: PreviousName[] | null
  status: string
  status_detail: string | null
  type: string
  incorporated_on: string | null
  dissolved_on: string | null
  address_care_of: string | null
  address_po_box: string | null
  address_line_1: string | null
  address_line_2: string | null
  address_town: string | null
  address_county: string | null
  address_country: string | null
  postcode: string | null
  country_of_origin: string | null
  accounts_ref_day: number | null
  accounts_ref_month: number | null
  accounts_next_due: string | null
  accounts_last_made_up: string | null
  accounts_type: string | null
  confirmation_next_due: string | null
  confirmation_last_made_up: string | null
  charges_total: number
  charges_outstanding: number
  charges_part_satisfied: number
  charges_satisfied: number
  sic_codes: string[]
  timepoint: number
  source: Company['source']
  changed_at: Date
}

/** The columns `toCompany` needs, for a select. */
export const COMPANY_COLUMNS = `number, name, previous_names, status, status_detail, type, incorporated_on, dissolved_on,
  address_care_of, address_po_box, address_line_1, address_line_2, address_town, address_county, address_country,
  postcode, country_of_origin, accounts_ref_day, accounts_ref_month, accounts_next_due, accounts_last_made_up,
  accounts_type, confirmation_next_due, confirmation_last_made_up, charges_total, charges_outstanding,
  charges_part_satisfied, charges_satisfied, sic_codes, timepoint, source, changed_at`

export async function findCompany(db: Db, number: string): Promise<Company | null> {
  const [row] = await db.query<CompanyRow>(`select ${COMPANY_COLUMNS} from company where number = $1`, [number])
  return row ? toCompany(row) : null
}

export function toCompany(row: CompanyRow): Company {
  return {
    number: row.number,
    name: row.name,
    previousNames: row.previous_names ?? [],
    status: row.status,
    statusDetail: row.status_detail,
    type: row.type,
    incorporatedOn: row.incorporated_on,
    dissolvedOn: row.dissolved_on,
    address: {
      careOf: row.address_care_of,
      poBox: row.address_po_box,
      line1: row.address_line_1,
      line2: row.address_line_2,
      town: row.address_town,
      county: row.address_county,
      country: row.address_country,
      postcode: row.postcode,
    },
    countryOfOrigin: row.country_of_origin,
    accountsRefDay: row.accounts_ref_day,
    accountsRefMonth: row.accounts_ref_month,
    accountsNextDue: row.accounts_next_due,
    accountsLastMadeUp: row.accounts_last_made_up,
    accountsType: row.accounts_type,
    confirmationNextDue: row.confirmation_next_due,
    confirmationLastMadeUp: row.confirmation_last_made_up,
    charges: {
      total: row.charges_total,
      outstanding: row.charges_outstanding,
      partSatisfied: row.charges_part_satisfied,
      satisfied: row.charges_satisfied,
    },
    sicCodes: row.sic_codes,
    timepoint: row.timepoint,
    source: row.source,
    changedAt: row.changed_at,
  }
}
