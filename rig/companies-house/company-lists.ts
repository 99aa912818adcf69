/** The lists of charges, filings and persons with significant control. A company that does not exist has empty ones. */
import { countCharges } from './charge-counts.ts'
import type { Company } from './company.ts'
import { filingHistoryStatus } from './number-prefix.ts'
import { pageOf, readPage } from './paging.ts'
import type { Charge, Filing, Psc } from './resources.ts'
import type { RestAnswer } from './rest-answer.ts'

const PAGE = { size: 25, sizeMax: 100 }

/** The one list that does not echo its paging. */
export function listCharges(company: Company | null, charges: Charge[], query: URLSearchParams): RestAnswer {
  const isFiltered = query.get('filter') === 'outstanding'
  const shown = isFiltered
    ? charges.filter(({ status }) => !status.endsWith('satisfied') || status === 'part-satisfied')
    : charges
  const counts = company ? countCharges(company) : { satisfied: 0, partSatisfied: 0 }
  const since = (charge: Charge) => charge.created_on ?? charge.delivered_on ?? ''
  const ordered = shown.toSorted((a, b) => since(b).localeCompare(since(a)) || b.charge_number - a.charge_number)
  return {
    status: 200,
    body: {
      etag: ordered[0]?.etag ?? '',
      total_count: shown.length,
      unfiltered_count: charges.length,
      satisfied_count: counts.satisfied,
      part_satisfied_count: counts.partSatisfied,
      items: pageOf(ordered, readPage(query, PAGE)),
    },
  }
}

export function listFilings(number: string, filings: Filing[], query: URLSearchParams): RestAnswer {
  const page = readPage(query, PAGE)
  const status = filingHistoryStatus(number)
  const head = { start_index: page.startIndex, items_per_page: page.itemsPerPage, filing_history_status: status }
  if (status.includes('not-available')) return { status: 200, body: { ...head, total_count: 0 } }
  const categories = query.getAll('category').flatMap((text) => text.split(','))
  const shown = categories.length > 0 ? filings.filter(({ category }) => categories.includes(category)) : filings
  return { status: 200, body: { ...head, total_count: shown.length, items: pageOf(shown, page) } }
}

export function listPscs(number: string, pscs: Psc[], query: URLSearchParams): RestAnswer {
  const page = readPage(query, PAGE)
  const ceased = pscs.filter((psc) => psc.ceased_on !== undefined).length
  const latest = (psc: Psc) => `${psc.notified_on} ${psc.ceased_on ?? ''}`
  const ordered = pscs.toSorted((a, b) => latest(b).localeCompare(latest(a)))
  return {
    status: 200,
    body: {
      items_per_page: page.itemsPerPage,
      start_index: page.startIndex,
      total_results: pscs.length,
      active_count: pscs.length - ceased,
      ceased_count: ceased,
      items: pageOf(ordered, page),
      links: { self: `/company/${number}/persons-with-significant-control` },
    },
  }
}

/** The simulation has no statements; the list is there all the same. */
export function listPscStatements(number: string, query: URLSearchParams): RestAnswer {
  const page = readPage(query, PAGE)
  return {
    status: 200,
    body: {
      items_per_page: page.itemsPerPage,
      start_index: page.startIndex,
      total_results: 0,
      active_count: 0,
      ceased_count: 0,
      items: [],
      links: { self: `/company/${number}/persons-with-significant-control-statements` },
    },
  }
}
