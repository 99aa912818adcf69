import { z } from 'zod'
import { DomainError } from '../../../errors.ts'
import {
  ACCOUNTS_TYPES,
  COMPANY_STATUSES,
  REGIONS,
  SEARCH_PAGE_MAX,
  SEARCH_PAGE_SIZE,
  SIC_SECTIONS,
  toRegisterWord,
} from '../../../register/index.ts'
import { type FoundCompany, searchCompaniesFor } from '../../../resolution/index.ts'
import { AskedDate } from '../../http/page.ts'
import { findBackwards, NUMBERS, REGION_MEANING, SECTION_MEANING } from '../../http/search-criteria.ts'
import { CompanyBrief, formatStatus, presentBrief } from '../answers/domain.ts'
import { defineTool, READS } from '../tool.ts'

/** A page of the register's search is twice as long as an agent wants to read. */
const PAGE_SIZE = SEARCH_PAGE_SIZE / 2
const PAGE_MAX = SEARCH_PAGE_MAX * 2
const PREVIOUS_NAMES_MAX = 3

const CRITERIA =
  'name, postcode, company_status, accounts_type, incorporated_from, incorporated_to, age_from_years, age_to_years, ' +
  'sic_section, region, employees_from, employees_to, net_assets_from, net_assets_to'

const criterion = z.string().trim().min(1).max(200).optional()

const numberOf = ({ min, max, meaning }: (typeof NUMBERS)[keyof typeof NUMBERS]) =>
  z.int().min(min).max(max).optional().describe(meaning)

const Candidate = CompanyBrief.extend({
  score: z.number().describe('How similar the name is to the one in the request; 1 is the same.'),
  region: z.string().nullable(),
  employees: z.int().nullable().describe('Of the newest period with figures; null: not stated.'),
  net_assets: z.int().nullable().describe('The same, in pounds.'),
  previous_names: z.array(z.string()).describe('The newest, when the company was found by a name it had before.'),
})

const Input = z.object({
  name: criterion.describe('As people type it; spelling, order and endings such as Ltd hardly matter.'),
  postcode: criterion.describe('Of the registered office: a whole postcode or its first half, such as `EC1V`.'),
  company_status: criterion.describe("The register's word: `active`, `dissolved`, `liquidation`, …"),
  accounts_type: criterion.describe("The register's word: `micro-entity`, `dormant`, `group`, …"),
  incorporated_from: AskedDate.optional().describe('`YYYY-MM-DD`, included.'),
  incorporated_to: AskedDate.optional().describe('`YYYY-MM-DD`, included.'),
  age_from_years: numberOf(NUMBERS.age_from_years),
  age_to_years: numberOf(NUMBERS.age_to_years),
  sic_section: criterion.describe(SECTION_MEANING),
  region: criterion.describe(REGION_MEANING),
  employees_from: numberOf(NUMBERS.employees_from),
  employees_to: numberOf(NUMBERS.employees_to),
  net_assets_from: numberOf(NUMBERS.net_assets_from),
  net_assets_to: numberOf(NUMBERS.net_assets_to),
  page: z.int().min(1).max(PAGE_MAX).default(1).describe(`From 1; ${PAGE_SIZE} a page.`),
})

export const searchCompaniesTool = defineTool({
  name: 'search_companies',
  title: 'Which companies are called this?',
  description:
    'Which companies on the UK register are called this, or fit these criteria? Finds the company number for a name, ' +
    'also when it is misspelt, incomplete or a former name; and lists companies by postcode, region, section of ' +
    'the industry, employees, net assets, age, status, kind of accounts or incorporation date. ' +
    'Use it first whenever you have a name and another tool needs a number; when several fit, ask the user which. Free. ' +
    'With a domain or e-mail address in hand, use find_company_behind_domain instead.',
  input: Input,
  output: z.object({
    companies: z.array(Candidate).describe('Best first.'),
    page: z.int(),
    has_more: z.boolean(),
  }),
  hints: READS,
  answer: async (app, { page, ...criteria }, { agent }) => {
    assertCriteria(criteria)
    const asked = {
      name: criteria.name,
      postcode: criteria.postcode,
      status: criteria.company_status,
      accountsType: criteria.accounts_type,
      incorporatedFrom: criteria.incorporated_from,
      incorporatedTo: criteria.incorporated_to,
      ageFromYears: criteria.age_from_years,
      ageToYears: criteria.age_to_years,
      sicSection: criteria.sic_section?.toUpperCase(),
      region: criteria.region === undefined ? undefined : toRegisterWord(criteria.region),
      employeesFrom: criteria.employees_from,
      employeesTo: criteria.employees_to,
      netAssetsFrom: criteria.net_assets_from,
      netAssetsTo: criteria.net_assets_to,
      page: Math.ceil(page / 2),
    }
    const { candidates, hasMore, figuresAsOf } = await searchCompaniesFor(app, agent, asked)
    const skip = page % 2 === 1 ? 0 : PAGE_SIZE
    const companies = candidates.slice(skip, skip + PAGE_SIZE).map(presentFound)
    const structured = { companies, page, has_more: hasMore || candidates.length > skip + PAGE_SIZE }
    const hint =
      figuresAsOf === null && companies.length === 0
        ? ' This service has not loaded the accounts files yet: leave out employees and net assets.'
        : ''
    return { structured, text: say(structured) + hint }
  },
})

type Criteria = Omit<z.output<typeof Input>, 'page'>

function assertCriteria(criteria: Criteria) {
  assertWord('company_status', criteria.company_status, COMPANY_STATUSES)
  assertWord('accounts_type', criteria.accounts_type, ACCOUNTS_TYPES)
  assertWord('region', criteria.region, REGIONS)
  if (criteria.sic_section !== undefined && !SIC_SECTIONS.includes(criteria.sic_section.toUpperCase()))
    throw new DomainError('invalid_request', `sic_section must be one of ${SIC_SECTIONS.join(', ')}.`)
  if (Object.values(criteria).every((value) => value === undefined)) {
    throw new DomainError('invalid_request', `Give at least one of ${CRITERIA}.`)
  }
  const backwards = findBackwards(criteria)
  if (!backwards) return
  throw new DomainError('invalid_request', `${backwards.from} ${backwards.must} ${backwards.to}. Swap them.`)
}

function assertWord(member: string, typed: string | undefined, words: readonly string[]) {
  if (typed === undefined || words.includes(toRegisterWord(typed))) return
  throw new DomainError('invalid_request', `${member} must be one of ${words.join(', ')}.`)
}

function presentFound({ company, score, matchedOn, ...figures }: FoundCompany): z.input<typeof Candidate> {
  const previous = matchedOn === 'previous_name' ? company.previousNames.slice(0, PREVIOUS_NAMES_MAX) : []
  const { region, employees, netAssets } = figures
  const shown = { score, region, employees, net_assets: netAssets }
  return { ...presentBrief(company), ...shown, previous_names: previous.map(({ name }) => name) }
}

interface Found {
  companies: Array<z.input<typeof Candidate>>
  page: number
  has_more: boolean
}

function say({ companies, page, has_more: hasMore }: Found): string {
  if (companies.length === 0) return 'No company fits. Try fewer criteria, or less of the name.'
  const lines = companies.map((one) => {
    const once = one.previous_names.map((name) => `, once ${name}`).join('')
    const since = one.incorporated_on ? `, since ${one.incorporated_on}` : ''
    return `- ${one.company_name} (${one.company_number}), ${formatStatus(one)}, ${one.registered_postcode ?? 'no postcode'}${since}${sayFigures(one)}${once}`
  })
  if (hasMore) lines.push(`There are more: page ${page + 1}.`)
  return lines.join('\n')
}

function sayFigures({ employees, net_assets: assets }: Found['companies'][number]): string {
  const parts = [
    employees !== null && `${employees} ${employees === 1 ? 'employee' : 'employees'}`,
    assets !== null && `net assets £${assets}`,
  ]
  return parts
    .filter(Boolean)
    .map((part) => `, ${part}`)
    .join('')
}
