import { type QueryClient, queryOptions, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { BulkRow, BulkRows } from '../../../api/bodies.ts'
import { callApi } from '../../../api/client.ts'
import { type RowFilter, toQuery } from './row-filter.ts'

/** Rows of one request. A screen shows at most two such pages. */
const PAGE_ROWS = 100
/** Pages further away than this from the screen are dropped: at most 4,100 rows are in memory. */
const PAGES_KEPT = 20
/** A person who drags the scroll bar passes pages; only those that stay in view are asked for. */
const SETTLE_MS = 60
const LIVE_REFRESH_MS = 3_000

const rowsKey = (bulkId: string) => ['bulk-jobs', 'rows', bulkId]

/** Everything that shows rows of this job loads them again. */
export const ROWS_OF = (bulkId: string) => ({ queryKey: rowsKey(bulkId) })

function pageOptions(bulkId: string, filter: RowFilter, page: number) {
  const order = filter.isDescending ? 'desc' : 'asc'
  const query = { ...toQuery(filter), sort: filter.sort, order }
  return queryOptions({
    queryKey: [...rowsKey(bulkId), 'page', query, page],
    queryFn: ({ signal }) =>
      callApi<BulkRows>('GET', `/v1/bulk/${encodeURIComponent(bulkId)}/rows`, {
        query: { ...query, offset: page * PAGE_ROWS, limit: PAGE_ROWS },
        signal,
      }),
    staleTime: 60_000,
    gcTime: 120_000,
  })
}

export interface RowWindow {
  total: number | null
  rowAt: (index: number) => BulkRow | undefined
  error: Error | null
  retry: () => void
}

/** The first and the last page in view. */
export type PageRange = readonly [low: number, high: number]

export const pageOf = (index: number) => Math.floor(index / PAGE_ROWS)

/** The pages in view of the rows that fit the filter. While the job runs they are loaded again and again. */
export function useRowWindow(bulkId: string, filter: RowFilter, inView: PageRange, isLive: boolean): RowWindow {
  const queries = useQueryClient()
  const isKept = (page: number) => queries.getQueryData(pageOptions(bulkId, filter, page).queryKey) !== undefined
  const [low, high] = useSettled(inView, inView.every(isKept))
  const pages = Array.from({ length: high - low + 1 }, (_, index) => low + index)
  const { bodies, error } = useQueries({
    queries: pages.map((page) => ({
      ...pageOptions(bulkId, filter, page),
      refetchInterval: isLive ? LIVE_REFRESH_MS : (false as const),
    })),
    combine,
  })
  const key = JSON.stringify(pageOptions(bulkId, filter, 0).queryKey)
  const known = useRef({ key: '', total: null as number | null })
  const total = bodies.find((body) => body !== undefined)?.total
  if (total !== undefined) known.current = { key, total }
  useEffect(() => dropFarPages(queries, bulkId, low), [queries, bulkId, low])
  const rowAt = useCallback((index: number) => bodies[pageOf(index) - low]?.data[index % PAGE_ROWS], [bodies, low])
  return {
    total: known.current.key === key ? known.current.total : null,
    rowAt,
    error,
    retry: () => void queries.refetchQueries({ ...ROWS_OF(bulkId), type: 'active' }),
  }
}

function combine(results: ReadonlyArray<{ data: BulkRows | undefined; error: Error | null }>) {
  return {
    bodies: results.map(({ data }) => data),
    error: results.find(({ error, data }) => error && !data)?.error ?? null,
  }
}

/** The range once it rests; at once where `isKept` says that nothing must be loaded for it. */
function useSettled([low, high]: PageRange, isKept: boolean): PageRange {
  const [settled, setSettled] = useState<PageRange>([low, high])
  useEffect(() => {
    const timer = setTimeout(() => setSettled([low, high]), isKept ? 0 : SETTLE_MS)
    return () => clearTimeout(timer)
  }, [low, high, isKept])
  return settled
}

function dropFarPages(queries: QueryClient, bulkId: string, near: number): void {
  queries.removeQueries({
    queryKey: [...rowsKey(bulkId), 'page'],
    type: 'inactive',
    predicate: ({ queryKey }) => Math.abs(Number(queryKey.at(-1)) - near) > PAGES_KEPT,
  })
}

/** One row with all its candidates and its own cells in full. */
export function useBulkRow(bulkId: string, row: number, isLive: boolean) {
  return useQuery({
    queryKey: [...rowsKey(bulkId), 'one', row],
    queryFn: ({ signal }) => callApi<BulkRow>('GET', `/v1/bulk/${encodeURIComponent(bulkId)}/rows/${row}`, { signal }),
    refetchInterval: isLive ? LIVE_REFRESH_MS : false,
  })
}

const COLLECT_ROWS = 500
const ROWS_MAX = 100_000

/** Returns the rows between two positions of a filtered list, both included. */
export async function collectRows(
  bulkId: string,
  filter: RowFilter,
  [first, last]: readonly [number, number] = [0, ROWS_MAX - 1],
): Promise<BulkRow[]> {
  const found: BulkRow[] = []
  const query = { ...toQuery(filter), sort: filter.sort, order: filter.isDescending ? 'desc' : 'asc' }
  for (let offset = first; offset <= Math.min(last, ROWS_MAX - 1); offset += COLLECT_ROWS) {
    const limit = Math.min(COLLECT_ROWS, last - offset + 1)
    const path = `/v1/bulk/${encodeURIComponent(bulkId)}/rows`
    const page = await callApi<BulkRows>('GET', path, { query: { ...query, offset, limit } })
    found.push(...page.data)
    if (page.data.length < limit || offset + limit >= page.total) break
  }
  return found
}
