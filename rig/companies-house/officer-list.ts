/** `/company/{number}/officers`: counts that come from elsewhere, and an order of its own. */
import { type Company, isGone } from './company.ts'
import { pageOf, readPage } from './paging.ts'
import type { Officer } from './resources.ts'
import type { RestAnswer } from './rest-answer.ts'

const PAGE_SIZE = 35

export function listOfficers(company: Company | null, query: URLSearchParams): RestAnswer {
  const refusal = refuseQuery(query)
  if (refusal) return refusal
  const page = readPage(query, { size: PAGE_SIZE })
  const officers = company?.officers ?? []
  const resigned = officers.filter((officer) => officer.resigned_on !== undefined).length
  const unresigned = officers.length - resigned
  const isClosed = company !== null && isGone(company)
  const isFiltered = query.get('filter') === 'active'
  const shown = isFiltered ? officers.filter((officer) => officer.resigned_on === undefined && !isClosed) : officers
  const items = pageOf(inOrder(shown, query.get('order_by')), page)
  return {
    status: 200,
    body: {
      active_count: isClosed ? 0 : unresigned,
      inactive_count: isClosed ? unresigned : 0,
      resigned_count: resigned,
      total_results: shown.length,
      items_per_page: page.itemsPerPage,
      start_index: page.startIndex,
      kind: 'officer-list',
      links: company && officers.length > 0 ? { self: `/company/${company.number}/officers` } : {},
      etag: items[0]?.etag ?? '',
      items,
    },
  }
}

function refuseQuery(query: URLSearchParams): RestAnswer | null {
  const filter = query.get('filter')
  if (filter && filter !== 'active') return { status: 400 }
  const orderBy = query.get('order_by')
  if (orderBy && !['appointed_on', 'resigned_on', 'surname'].includes(orderBy)) return { status: 400 }
  if (query.get('register_view') !== 'true') return null
  const registerType = query.get('register_type')
  if (!registerType) return { status: 500 }
  // No company of the simulation keeps its registers at Companies House.
  return { status: ['directors', 'secretaries', 'llp_members'].includes(registerType) ? 404 : 400 }
}

function inOrder(officers: Officer[], orderBy: string | null): Officer[] {
  const byName = (a: Officer, b: Officer) => a.name.localeCompare(b.name)
  const latestFirst = (member: 'appointed_on' | 'resigned_on') => (a: Officer, b: Officer) =>
    (b[member] ?? '').localeCompare(a[member] ?? '')
  if (orderBy === 'surname') return officers.toSorted(byName)
  if (orderBy === 'appointed_on' || orderBy === 'resigned_on') return officers.toSorted(latestFirst(orderBy))
  return officers.toSorted((a, b) => roleRank(a) - roleRank(b) || byName(a, b) || latestFirst('appointed_on')(a, b))
}

function roleRank({ officer_role: role }: Officer): number {
  if (role.includes('secretary')) return 0
  if (role.includes('director') || role.includes('designated')) return 1
  return 2
}
