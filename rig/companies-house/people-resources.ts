/** The REST resources about people: an officer's appointments in all companies, and the disqualified officers. */
import { presentProfile } from './profile.ts'
import type { Register } from './register.ts'
import type { NaturalDisqualification, Officer } from './resources.ts'
import { type Page, pageOf, type RestAnswer, readPage } from './rest-page.ts'

/** Searches answer no further. */
const SEARCH_MAX = 1_000
const SEPARATORS = /[\s'’-]+/

/** Returns null for an address of another kind. */
export function answerPeople(register: Register, url: URL): RestAnswer | null {
  const { pathname, searchParams: query } = url
  const officerId = /^\/officers\/([^/]+)\/appointments$/.exec(pathname)?.[1]
  if (officerId !== undefined)
    return answerAppointments(register, officerId, readPage(query, { size: 35, sizeMax: 50 }))
  if (pathname === '/search/disqualified-officers') {
    return answerSearch(register, query.get('q') ?? '', readPage(query, { size: 20, sizeMax: 100 }))
  }
  const disqualifiedId = /^\/disqualified-officers\/natural\/([^/]+)$/.exec(pathname)?.[1]
  if (disqualifiedId === undefined) return null
  const found = register.disqualified.find((person) => person.links.self === pathname)
  if (!found) return { status: 404 }
  const { inSearch: _, ...record } = found
  return { status: 200, body: record }
}

function answerAppointments(register: Register, officerId: string, page: Page): RestAnswer {
  const link = `/officers/${officerId}/appointments`
  const held = [...register.companies()].flatMap((company) =>
    company.officers
      .filter(({ links }) => links.officer?.appointments === link)
      .map((officer) => ({ company, officer })),
  )
  const [first] = held
  if (!first) return { status: 404 }
  const since = ({ appointed_on: on }: Officer) => on ?? ''
  held.sort((a, b) => {
    const [isGone, isOtherGone] = [a.officer.resigned_on !== undefined, b.officer.resigned_on !== undefined]
    return Number(isGone) - Number(isOtherGone) || since(b.officer).localeCompare(since(a.officer))
  })
  const resigned = held.filter(({ officer }) => officer.resigned_on !== undefined).length
  const isCompany = first.officer.officer_role.startsWith('corporate-')
  const { date_of_birth: birth, etag } = first.officer
  return {
    status: 200,
    body: {
      ...(birth === undefined || isCompany ? {} : { date_of_birth: birth }),
      is_corporate_officer: isCompany,
      kind: 'personal-appointment',
      name: isCompany ? first.officer.name : writeName(first.officer.name),
      etag: etag ?? '',
      links: { self: link },
      active_count: held.length - resigned,
      inactive_count: 0,
      resigned_count: resigned,
      total_results: held.length,
      items_per_page: page.itemsPerPage,
      start_index: page.startIndex,
      items: pageOf(held, page).map(({ company, officer }) => {
        const { links: _links, date_of_birth: _birth, etag: _etag, ...known } = officer
        const { company_status: status } = presentProfile(company, register.today()) as { company_status?: string }
        return {
          ...known,
          appointed_to: { company_name: company.name, company_number: company.number, company_status: status },
          ...(isCompany ? {} : { name: writeName(officer.name), name_elements: splitName(officer.name) }),
          links: { company: `/company/${company.number}` },
        }
      }),
    },
  }
}

/** "SMITH, Jo Ann" has the surname SMITH. */
function splitName(name: string) {
  const [surname = '', forenames = ''] = name.split(',').map((part) => part.trim())
  const [forename = '', ...others] = forenames.split(' ')
  return { surname, forename, ...(others.length > 0 ? { other_forenames: others.join(' ') } : {}) }
}

function writeName(name: string): string {
  const { surname, forename, other_forenames: others } = splitName(name)
  return [forename, others, surname].filter(Boolean).join(' ')
}

/** A name with most of the words comes first. */
function answerSearch(register: Register, asked: string, page: Page): RestAnswer {
  if (page.startIndex >= SEARCH_MAX) return { status: 416 }
  const words = asked.toUpperCase().split(SEPARATORS).filter(Boolean)
  const rank = (person: NaturalDisqualification) => {
    const title = titleOf(person).toUpperCase().split(SEPARATORS)
    return words.filter((word) => title.includes(word)).length
  }
  const found = register.disqualified
    .filter((person) => rank(person) > 0)
    .toSorted((a, b) => isLast(a) - isLast(b) || rank(b) - rank(a))
  const items = pageOf(found, page).map((person) => ({
    kind: 'searchresults#disqualified-officer',
    ...(person.inSearch?.title === null ? {} : { title: person.inSearch?.title ?? titleOf(person) }),
    ...(person.date_of_birth === undefined ? {} : { date_of_birth: person.date_of_birth }),
    description: `Born on ${person.date_of_birth} - Disqualified`,
    description_identifiers: ['born-on'],
    address: { locality: 'Leeds', country: 'United Kingdom' },
    address_snippet: 'Leeds, United Kingdom',
    snippet: '',
    matches: { title: [], snippet: [] },
    links: { self: person.inSearch?.link ?? person.links.self },
  }))
  return {
    status: 200,
    body: {
      kind: 'search#disqualified-officers',
      items_per_page: page.itemsPerPage,
      start_index: page.startIndex,
      page_number: Math.floor(page.startIndex / page.itemsPerPage) + 1,
      total_results: found.length,
      items,
    },
  }
}

const isLast = ({ inSearch }: NaturalDisqualification) => Number(inSearch?.isLast ?? false)

function titleOf({ forename, other_forenames: others, surname }: NaturalDisqualification): string {
  return [forename, others, surname].filter(Boolean).join(' ')
}
