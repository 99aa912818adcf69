/** The register as a test key sees it: the test companies and no others. */
import {
  type Company,
  type CompanyDetails,
  type SearchCandidate,
  type SearchCriteria,
  toNameKey,
} from '../../register/index.ts'
import {
  isTestNumber,
  PLAYS,
  TEST_COMPANIES,
  testCompany,
  testDetails,
  testRefusal,
  unknownTestCompany,
} from './test-answers.ts'

/** Throws `company_not_found` for any other company, and what the company plays where that is a refusal of everything. */
export function getTestDetails(number: string, at: Date): CompanyDetails {
  if (!TEST_COMPANIES.includes(number)) {
    throw unknownTestCompany()
  }
  if (PLAYS[number as keyof typeof PLAYS] === 'rate_limited') throw testRefusal('rate_limited')
  return testDetails(toCompany(number, at), at)
}

/** All of them fit on one page, so every further page is empty. */
export function searchTestCompanies(
  criteria: SearchCriteria,
  at: Date,
): { candidates: SearchCandidate[]; hasMore: boolean } {
  if (criteria.page > 1) return { candidates: [], hasMore: false }
  const found = TEST_COMPANIES.map((number) => toCompany(number, at)).filter((company) => fits(company, criteria))
  const matchedOn = criteria.name === undefined ? 'postcode' : 'name'
  return { candidates: found.map((company) => ({ company, score: 1, matchedOn })), hasMore: false }
}

function toCompany(number: string, at: Date): Company {
  return { ...testCompany(at), number }
}

function fits(company: Company, criteria: SearchCriteria): boolean {
  const { name, postcode, status, accountsType, incorporatedFrom, incorporatedTo } = criteria
  const since = company.incorporatedOn ?? ''
  return (
    (name === undefined || hasName(company, name)) &&
    (postcode === undefined || toCode(company.address.postcode ?? '').startsWith(toCode(postcode))) &&
    (status === undefined || status.toLowerCase() === company.status) &&
    (accountsType === undefined || accountsType.toLowerCase() === company.accountsType) &&
    (incorporatedFrom === undefined || since >= incorporatedFrom) &&
    (incorporatedTo === undefined || since <= incorporatedTo)
  )
}

function hasName(company: Company, asked: string): boolean {
  const key = toNameKey(asked)
  return key !== '' && toNameKey(company.name).includes(key)
}

function toCode(postcode: string): string {
  return postcode.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')
}

/** Returns the register's record of a test company; null for any other. */
export function findTestDetails(number: string, at: Date): CompanyDetails | null {
  return isTestNumber(number) ? testDetails({ ...testCompany(at), number }, at) : null
}
