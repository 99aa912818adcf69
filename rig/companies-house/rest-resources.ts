/** The resources of the REST API that the product reads. Lists of a company that does not exist are empty. */
import { type Company, countCharges, isGone } from './company.ts'
import { answerPeople } from './people-resources.ts'
import { hasFilingHistory, presentProfile } from './profile.ts'
import type { Register } from './register.ts'
import { type Charge, type Filing, isExemptions, isStatement, type Officer, type Psc } from './resources.ts'
import { type Page, pageOf, type RestAnswer, readPage } from './rest-page.ts'

export function answerRest(register: Register, url: URL): RestAnswer {
  const people = answerPeople(register, url)
  if (people) return people
  const [, number = '', resource, item] = /^\/company\/([^/]+)(?:\/([a-z-]+)(?:\/([\w-]+))?)?$/.exec(url.pathname) ?? []
  const company = register.find(number)
  const query = url.searchParams
  if (item !== undefined) return resource === 'filing-history' ? answerFiling(register, company, item) : NOTHING
  switch (number === '' ? 'none' : resource) {
    case undefined:
      return answerProfile(register, company)
    case 'officers':
      return ok(listOfficers(company, readPage(query, { size: 35 })))
    case 'charges':
      return ok(listCharges(company, company ? register.chargesOf(company) : [], readPage(query, PAGE)))
    case 'filing-history':
      return ok(listFilings(number, company ? register.filingsOf(company) : [], query))
    case 'persons-with-significant-control':
      return ok(listPscs(number, company?.pscs ?? [], readPage(query, PAGE)))
    case 'insolvency':
      return company?.insolvency ? ok(company.insolvency) : { status: 404 }
    default:
      return { status: 404 }
  }
}

const NOTHING: RestAnswer = { status: 404 }

function answerFiling(register: Register, company: Company | null, id: string): RestAnswer {
  const filing = company && register.filingsOf(company).find(({ transaction_id: each }) => each === id)
  return filing ? ok(filing) : NOTHING
}

function ok(body: unknown): RestAnswer {
  return { status: 200, body }
}

function answerProfile(register: Register, company: Company | null): RestAnswer {
  if (company) return ok(presentProfile(company, register.today()))
  return { status: 404, body: { errors: [{ type: 'ch:service', error: 'company-profile-not-found' }] } }
}

const PAGE = { size: 25, sizeMax: 100 }

/** The officers of a dissolved company count as inactive although none resigned. */
function listOfficers(company: Company | null, page: Page) {
  const officers = company?.officers ?? []
  const resigned = officers.filter((officer) => officer.resigned_on !== undefined).length
  const unresigned = officers.length - resigned
  const isClosed = company !== null && isGone(company)
  const items = pageOf(officers.toSorted(byRoleAndName), page)
  return {
    active_count: isClosed ? 0 : unresigned,
    inactive_count: isClosed ? unresigned : 0,
    resigned_count: resigned,
    total_results: officers.length,
    items_per_page: page.itemsPerPage,
    start_index: page.startIndex,
    kind: 'officer-list',
    links: company && officers.length > 0 ? { self: `/company/${company.number}/officers` } : {},
    etag: items[0]?.etag ?? '',
    items,
  }
}

function byRoleAndName(a: Officer, b: Officer): number {
  const appointedOn = (officer: Officer) => officer.appointed_on ?? ''
  return roleRank(a) - roleRank(b) || a.name.localeCompare(b.name) || appointedOn(b).localeCompare(appointedOn(a))
}

function roleRank({ officer_role: role }: Officer): number {
  if (role.includes('secretary')) return 0
  return role.includes('director') || role.includes('designated') ? 1 : 2
}

/** The one list that does not echo its paging. */
function listCharges(company: Company | null, charges: Charge[], page: Page) {
  const counts = company ? countCharges(company) : { satisfied: 0, partSatisfied: 0 }
  const since = (charge: Charge) => charge.created_on ?? charge.delivered_on ?? ''
  const ordered = charges.toSorted((a, b) => since(b).localeCompare(since(a)) || b.charge_number - a.charge_number)
  return {
    etag: ordered[0]?.etag ?? '',
    total_count: charges.length,
    unfiltered_count: charges.length,
    satisfied_count: counts.satisfied,
    part_satisfied_count: counts.partSatisfied,
    items: pageOf(ordered, page),
  }
}

/** Lists those of the categories that are asked for, between commas, or all. */
function listFilings(number: string, all: Filing[], query: URLSearchParams) {
  const page = readPage(query, PAGE)
  const wanted = query.get('category')?.split(',').filter(Boolean) ?? []
  const filings = wanted.length === 0 ? all : all.filter(({ category }) => wanted.includes(category))
  const head = { start_index: page.startIndex, items_per_page: page.itemsPerPage }
  if (!hasFilingHistory(number)) {
    return { ...head, filing_history_status: 'filing-history-not-available', total_count: 0 }
  }
  const items = pageOf(filings, page)
  return { ...head, filing_history_status: 'filing-history-available', total_count: filings.length, items }
}

function listPscs(number: string, all: Psc[], page: Page) {
  // Statements and exemptions have addresses of their own.
  const pscs = all.filter((psc) => !isStatement(psc) && !isExemptions(psc))
  const ceased = pscs.filter((psc) => psc.ceased_on !== undefined).length
  const latest = (psc: Psc) => `${psc.notified_on ?? ''} ${psc.ceased_on ?? ''}`
  return {
    items_per_page: page.itemsPerPage,
    start_index: page.startIndex,
    total_results: pscs.length,
    active_count: pscs.length - ceased,
    ceased_count: ceased,
    items: pageOf(
      pscs.toSorted((a, b) => latest(b).localeCompare(latest(a))),
      page,
    ),
    links: { self: `/company/${number}/persons-with-significant-control` },
  }
}
