import { z } from 'zod'
import type { App } from '../../../app.ts'
import {
  ACCOUNTS_TYPES,
  COMPANY_STATUSES,
  formatAddress,
  REGIONS,
  SEARCH_PAGE_MAX,
  SEARCH_PAGE_SIZE,
  SIC_SECTIONS,
  toRegisterWord,
} from '../../../register/index.ts'
import { type FoundCompany, searchCompaniesFor } from '../../../resolution/index.ts'
import { callerOf } from '../../http/caller.ts'
import { invalidRequest } from '../../http/errors.ts'
import type { Server } from '../../http/instance.ts'
import { AskedDate, CalendarDate, pageOf } from '../../http/page.ts'
import { describeRoute } from '../../http/route.ts'
import { findBackwards, NUMBERS, REGION_MEANING, SECTION_MEANING } from '../../http/search-criteria.ts'
import { presentSummary } from '../resolution/bodies.ts'
import { CodesInWords, StatusDetail } from './status-detail.ts'

const CRITERIA = [
  'name',
  'postcode',
  'company_status',
  'accounts_type',
  'incorporated_from',
  'incorporated_to',
  'age_from_years',
  'age_to_years',
  'sic_section',
  'region',
  'employees_from',
  'employees_to',
  'net_assets_from',
  'net_assets_to',
] as const

const Candidate = z
  .object({
    company_number: z.string(),
    company_name: z.string(),
    company_status: z.string().describe("The register's own word: `active`, `dissolved`, `liquidation`, …"),
    ...StatusDetail,
    company_type: z.string(),
    ...CodesInWords,
    incorporated_on: CalendarDate.nullable(),
    dissolved_on: CalendarDate.nullable(),
    registered_address: z.string().nullable().describe('In one line.'),
    registered_postcode: z.string().nullable(),
    accounts_type: z.string().nullable().describe('Of the last accounts; null if the company has filed none.'),
    sic_codes: z.array(z.string()),
    previous_names: z.array(z.object({ name: z.string(), ceased_on: CalendarDate.nullable() })),
    region: z.string().nullable().describe('As in the filter `region`; null outside the UK.'),
    employees: z.int().nullable().describe('Of the newest period with figures; null where its accounts state none.'),
    net_assets: z.int().nullable().describe('The same, in whole pounds.'),
    score: z.number().min(0).max(1).describe('How similar the name is to the one in the request; 1 is the same.'),
    matched_on: z
      .enum([
        'company_number',
        'name',
        'previous_name',
        'postcode',
        'accounts_type',
        'company_status',
        'incorporated_on',
        'sic_section',
        'region',
        'employees',
        'net_assets',
      ])
      .describe('The criterion that found the company.'),
  })
  .meta({ id: 'SearchCandidate' })

const SearchPage = pageOf(Candidate)
  .extend({
    figures_as_of: CalendarDate.nullable()
      .optional()
      .describe(
        'Where employees or net assets are asked for: the newest day of the accounts files that this service has read. ' +
          'Null: it has read none to its end.',
      ),
  })
  .meta({ id: 'SearchPage' })

export function companySearchRoutes(app: App, server: Server): void {
  server.get('/v1/companies/search', SEARCH, async (request) => {
    const { query } = request
    assertCriteria(query)
    const criteria = {
      name: query.name,
      postcode: query.postcode,
      status: query.company_status,
      accountsType: query.accounts_type,
      incorporatedFrom: query.incorporated_from,
      incorporatedTo: query.incorporated_to,
      ageFromYears: query.age_from_years,
      ageToYears: query.age_to_years,
      sicSection: query.sic_section?.toUpperCase(),
      region: query.region === undefined ? undefined : toRegisterWord(query.region),
      employeesFrom: query.employees_from,
      employeesTo: query.employees_to,
      netAssetsFrom: query.net_assets_from,
      netAssetsTo: query.net_assets_to,
      page: query.page,
    }
    const { candidates, hasMore, figuresAsOf } = await searchCompaniesFor(app, callerOf(request), criteria)
    const found = {
      data: candidates.map(presentCandidate),
      page: query.page,
      limit: SEARCH_PAGE_SIZE,
      has_more: hasMore,
    }
    return figuresAsOf === undefined ? found : { ...found, figures_as_of: figuresAsOf }
  })
}

function assertCriteria(query: z.output<typeof SearchQuery>): void {
  if (CRITERIA.every((criterion) => query[criterion] === undefined)) {
    throw invalidRequest([{ field: 'querystring', message: `give at least one of ${CRITERIA.join(', ')}` }])
  }
  const backwards = findBackwards(query)
  if (backwards) throw invalidRequest([{ field: backwards.from, message: `${backwards.must} \`${backwards.to}\`` }])
}

function presentCandidate({ company, score, matchedOn, ...figures }: FoundCompany): z.input<typeof Candidate> {
  return {
    ...presentSummary(company),
    registered_address: formatAddress(company.address),
    accounts_type: company.accountsType,
    region: figures.region,
    employees: figures.employees,
    net_assets: figures.netAssets,
    score,
    matched_on: matchedOn,
  }
}

// A form sends the fields that were left empty too; they ask for nothing.
const Criterion = z
  .string()
  .max(200)
  .transform((text) => text.trim() || undefined)
  .optional()

/** One of the register's words, however it is written: `Micro Entity` is `micro-entity`. */
const criterionOf = (words: readonly string[]) =>
  Criterion.refine((typed) => typed === undefined || words.includes(toRegisterWord(typed)), {
    error: `must be one of ${words.join(', ')}`,
  })

/** A field of a form that was left empty. */
const Empty = z
  .string()
  .regex(/^\s*$/)
  .transform(() => undefined)

const CriterionDate = z
  .union([Empty, AskedDate], {
    error: 'must be a date as YYYY-MM-DD, from 1600 to 2199',
  })
  .optional()

const criterionNumber = ({ min, max, meaning }: (typeof NUMBERS)[keyof typeof NUMBERS]) =>
  z
    .union([Empty, z.coerce.number().int().min(min).max(max)], {
      error: `must be a whole number from ${min} to ${max}`,
    })
    .optional()
    .describe(meaning)

const listWords = (words: readonly string[]) => words.map((word) => `\`${word}\``).join(', ')

const SearchQuery = z.object({
  name: Criterion.describe(
    'As people type it: misspelt, in another order, without `Ltd`, a previous name, or a company number.',
  ),
  postcode: Criterion.describe('Of the registered office: a whole postcode or its outward part, such as `EC1V`.'),
  company_status: criterionOf(COMPANY_STATUSES).describe(`The register's word: ${listWords(COMPANY_STATUSES)}.`),
  accounts_type: criterionOf(ACCOUNTS_TYPES).describe(`Of the last accounts: ${listWords(ACCOUNTS_TYPES)}.`),
  incorporated_from: CriterionDate.describe('`YYYY-MM-DD`, included.'),
  incorporated_to: CriterionDate.describe('`YYYY-MM-DD`, included.'),
  age_from_years: criterionNumber(NUMBERS.age_from_years),
  age_to_years: criterionNumber(NUMBERS.age_to_years),
  sic_section: Criterion.refine((typed) => typed === undefined || SIC_SECTIONS.includes(typed.toUpperCase()), {
    error: `must be one of ${SIC_SECTIONS.join(', ')}`,
  }).describe(SECTION_MEANING),
  region: criterionOf(REGIONS).describe(REGION_MEANING),
  employees_from: criterionNumber(NUMBERS.employees_from),
  employees_to: criterionNumber(NUMBERS.employees_to),
  net_assets_from: criterionNumber(NUMBERS.net_assets_from),
  net_assets_to: criterionNumber(NUMBERS.net_assets_to),
  page: z.coerce.number().int().min(1).max(SEARCH_PAGE_MAX).default(1).describe('From 1.'),
})

const SEARCH = describeRoute({
  operationId: 'searchCompanies',
  stable: true,
  summary: 'Search the register',
  description:
    'Send at least one criterion; a company must meet all of them. The best come first; without a name, by the alphabet. Free of charge. ' +
    'A test key finds the test companies, and no others.',
  tag: 'Register',
  accepts: ['session', 'key'],
  querystring: SearchQuery,
  answers: { 200: { description: 'A page of candidates.', schema: SearchPage } },
})
