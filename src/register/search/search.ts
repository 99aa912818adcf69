import type { Db } from '../../lib/db/db.ts'
import { COMPANY_COLUMNS, type Company, type CompanyRow, parseCompanyNumber, toCompany } from '../company.ts'
import { toRegisterWord } from '../vocabulary.ts'
import { toNameKey } from './name-key.ts'
import { findRegion } from './regions.ts'

export const SEARCH_PAGE_SIZE = 20
export const SEARCH_PAGE_MAX = 50

/** All criteria that are given must hold. Dates are `YYYY-MM-DD`, both ends included. */
export interface SearchCriteria {
  name?: string | undefined
  /** A whole postcode or its outward part, with or without the space. */
  postcode?: string | undefined
  status?: string | undefined
  accountsType?: string | undefined
  incorporatedFrom?: string | undefined
  incorporatedTo?: string | undefined
  /** One of `REGIONS`. */
  region?: string | undefined
  /** One of `SIC_SECTIONS`. */
  sicSection?: string | undefined
  /** From the newest period with figures; a company without figures never fits. Assets in whole pounds; both ends included. */
  employeesFrom?: number | undefined
  employeesTo?: number | undefined
  netAssetsFrom?: number | undefined
  netAssetsTo?: number | undefined
  /** From 1 to `SEARCH_PAGE_MAX`. */
  page: number
}

export interface SearchCandidate {
  company: Company
  /** 1 is the name itself, or no name asked for. */
  score: number
  matchedOn:
    | 'company_number'
    | 'name'
    | 'previous_name'
    | 'postcode'
    | 'accounts_type'
    | 'company_status'
    | 'incorporated_on'
    | 'sic_section'
    | 'region'
    | 'employees'
    | 'net_assets'
}

/**
 * Returns companies that fit, best first; without a name, by the alphabet. The name may be misspelt, out of order, without its
 * ending, or one the company had before.
 */
export async function searchCompanies(
  db: Db,
  criteria: SearchCriteria,
): Promise<{ candidates: SearchCandidate[]; hasMore: boolean }> {
  const key = criteria.name === undefined ? null : toNameKey(criteria.name)
  if (key === '') return { candidates: [], hasMore: false }
  const postcode = criteria.postcode?.toUpperCase().replaceAll(/[^A-Z0-9]/g, '') ?? null
  if (postcode !== null && criteria.region !== undefined && findRegion(postcode) !== criteria.region)
    return { candidates: [], hasMore: false }
  const outward = postcode !== null && isOutward(postcode) ? postcode : null
  const skip = (criteria.page - 1) * SEARCH_PAGE_SIZE
  const filter = [
    criteria.status === undefined ? null : toRegisterWord(criteria.status),
    criteria.accountsType === undefined ? null : toRegisterWord(criteria.accountsType),
    outward === null ? postcode : null,
    outward,
    criteria.incorporatedFrom ?? null,
    criteria.incorporatedTo ?? null,
    criteria.sicSection ?? null,
    // A postcode has one region.
    postcode === null ? (criteria.region ?? null) : null,
    criteria.employeesFrom ?? null,
    criteria.employeesTo ?? null,
    criteria.netAssetsFrom ?? null,
    criteria.netAssetsTo ?? null,
  ]
  const page = [skip, SEARCH_PAGE_SIZE + 1]
  const rows =
    key === null
      ? await db.query<FoundRow>(BY_FILTER, [...filter, ...page])
      : await db.query<FoundRow>(BY_NAME, [...filter, ...page, key])
  const matchedOn = findMatchedOn(criteria)
  const found = rows.slice(0, SEARCH_PAGE_SIZE).map(
    (row): SearchCandidate => ({
      company: toCompany(row),
      score: Math.round(row.score * 1_000) / 1_000,
      matchedOn: row.is_previous ? 'previous_name' : matchedOn,
    }),
  )
  const numbered = criteria.page === 1 ? await findNumbered(db, criteria.name, filter) : null
  const others = found.filter(({ company }) => company.number !== numbered?.company.number)
  return {
    candidates: numbered ? [numbered, ...others] : found,
    hasMore: rows.length > SEARCH_PAGE_SIZE && criteria.page < SEARCH_PAGE_MAX,
  }
}

interface FoundRow extends CompanyRow {
  score: number
  is_previous: boolean
}

// A company deleted between the two tables' changes would be missing; both change in one transaction.
const FILTER = `row ($1, $2, $3, $4, $5::date, $6::date, $7, $8, $9::integer, $10::integer, $11::bigint, $12::bigint)::company_filter`

const BY_NAME = `select ${COMPANY_COLUMNS}, score, is_previous
  from search_names($15, ${FILTER}, $13, $14)
    with ordinality found (number, score, is_previous, place)
  join company using (number) order by place`

const BY_FILTER = `select ${COMPANY_COLUMNS}, score, is_previous
  from search_filtered(${FILTER}, $13, $14)
    with ordinality found (number, score, is_previous, place)
  join company using (number) order by place`

/** Shorter digits are as likely part of a name. */
const NUMBER_LENGTH_MIN = 6

/** Finds the company whose number was typed as a name: it comes first, before names that look alike. */
async function findNumbered(
  db: Db,
  typed: string | undefined,
  filter: ReadonlyArray<string | number | null>,
): Promise<SearchCandidate | null> {
  const number = typed === undefined || typed.trim().length < NUMBER_LENGTH_MIN ? null : parseCompanyNumber(typed)
  if (number === null) return null
  const [row] = await db.query<CompanyRow>(BY_NUMBER, [...filter, number])
  return row ? { company: toCompany(row), score: 1, matchedOn: 'company_number' } : null
}

const BY_NUMBER = `select ${COMPANY_COLUMNS} from company where number = $13 and exists (
    select from company_name s where s.number = company.number and not s.is_previous and passes(
      ${FILTER}, s.status, s.accounts_type, s.postcode, s.incorporated_on, s.sections, s.region, s.employees, s.net_assets))`

/** `EC1V`, `M1`: a whole postcode has a digit and two letters more. */
function isOutward(compact: string): boolean {
  return /^[A-Z]{1,2}\d[A-Z\d]?$/.test(compact)
}

function findMatchedOn(criteria: SearchCriteria): SearchCandidate['matchedOn'] {
  if (criteria.name !== undefined) return 'name'
  if (criteria.postcode !== undefined) return 'postcode'
  if (criteria.accountsType !== undefined) return 'accounts_type'
  if (criteria.status !== undefined) return 'company_status'
  if (criteria.incorporatedFrom !== undefined || criteria.incorporatedTo !== undefined) return 'incorporated_on'
  if (criteria.sicSection !== undefined) return 'sic_section'
  if (criteria.region !== undefined) return 'region'
  return criteria.employeesFrom === undefined && criteria.employeesTo === undefined ? 'net_assets' : 'employees'
}
