/** `/search/companies`, with its cap on paging. Ranks by how many of the words a name has; the real ranking is unknown. */
import type { Company } from './company.ts'
import { statusMeaning, typeOf } from './labels.ts'
import { pageOf, readPage } from './paging.ts'
import { presentAddress } from './profile.ts'
import type { Register } from './register.ts'
import type { RestAnswer } from './rest-answer.ts'

const START_INDEX_MAX = 1_000

export function searchCompanies(register: Register, query: URLSearchParams): RestAnswer {
  const words = (query.get('q') ?? '')
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
    .filter(Boolean)
  const page = readPage(query, { size: 20, sizeMax: 100 })
  if (page.startIndex >= START_INDEX_MAX) return { status: 416 }
  const ranked = [...register.companies()]
    .map((company) => ({ company, score: score(company, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
  return {
    status: 200,
    body: {
      kind: 'search#companies',
      items_per_page: page.itemsPerPage,
      start_index: page.startIndex,
      page_number: Math.floor(page.startIndex / page.itemsPerPage) + 1,
      total_results: ranked.length,
      items: pageOf(ranked, page).map(({ company }) => presentFound(company)),
    },
  }
}

function score(company: Company, words: string[]): number {
  if (words.includes(company.number)) return Number.POSITIVE_INFINITY
  const own = new Set(company.name.split(/[^A-Z0-9]+/))
  return words.filter((word) => own.has(word)).length
}

function presentFound(company: Company) {
  const address = presentAddress(company.address)
  return {
    kind: 'searchresults#company',
    title: company.name,
    company_number: company.number,
    company_status: statusMeaning(company).status,
    company_type: typeOf(company),
    date_of_creation: company.incorporatedOn ?? undefined,
    date_of_cessation: company.dissolvedOn ?? undefined,
    address,
    address_snippet: Object.values(address).join(', '),
    description: `${company.number} - Incorporated on ${company.incorporatedOn ?? ''}`,
    description_identifier: ['incorporated-on'],
    links: { self: `/company/${company.number}` },
    matches: { title: [], snippet: [] },
  }
}
