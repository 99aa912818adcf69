import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Bulk, BulkPreflight, Bulks } from '../../api/bodies.ts'
import { callApi } from '../../api/client.ts'
import type { Table } from './table.ts'

const PATH = '/v1/bulk'
const CSV = { 'content-type': 'text/csv' }
const PAGE_BULKS = 20
const LIST_REFRESH_MS = 3_000
const REFRESH_MS = 1_000

/** One page, the newest first; looked at again while one of it is at work. */
export function useBulks(page: number) {
  return useQuery({
    queryKey: ['bulks', 'list', page],
    queryFn: ({ signal }) => callApi<Bulks>('GET', PATH, { query: { page, limit: PAGE_BULKS }, signal }),
    refetchInterval: ({ state }) => (state.data?.data.some(isAtWork) ? LIST_REFRESH_MS : false),
    placeholderData: keepPreviousData,
  })
}

/** One of them, every second while rows come to their end. */
export function useBulk(id: string) {
  const queries = useQueryClient()
  const bulk = useQuery({
    queryKey: keyOf(id),
    queryFn: ({ signal }) => callApi<Bulk>('GET', `${PATH}/${encodeURIComponent(id)}`, { signal }),
    refetchInterval: ({ state }) => (state.data && isAtWork(state.data) ? REFRESH_MS : false),
  })
  const { credits_spent: spent, status } = bulk.data ?? {}
  useEffect(() => {
    if (spent !== undefined) void queries.invalidateQueries({ queryKey: ['account'] })
  }, [queries, spent, status])
  return bulk
}

/** Rows that were under way when it was cancelled still come to their end. */
export function isAtWork({ status, finished_at: finishedAt }: Bulk): boolean {
  return status === 'running' || (status === 'cancelled' && finishedAt === null)
}

/** What a list would come to. Nothing is begun by it. */
export function usePreflight(table: Table) {
  return useQuery({
    queryKey: ['bulks', 'preflight', table.id],
    queryFn: ({ signal }) =>
      callApi<BulkPreflight>('POST', PATH, { query: { preflight: 'true' }, body: table.body, headers: CSV, signal }),
    gcTime: 0,
  })
}

/** How a bulk is called. Its key goes with it: the same wish, sent again, starts one bulk. */
export interface BulkWish {
  name: string
  key: string
}

export function useStartBulk(table: Table, onStarted: (bulk: Bulk) => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ name, key }: BulkWish) =>
      callApi<Bulk>('POST', PATH, {
        query: { name: name.trim() },
        body: table.body,
        headers: { ...CSV, 'idempotency-key': key },
      }),
    onSuccess: (bulk) => {
      queries.setQueryData(keyOf(bulk.id), bulk)
      onStarted(bulk)
      return queries.invalidateQueries({ queryKey: ['bulks', 'list'] })
    },
  })
}

export function useChangeBulk(id: string, change: 'cancel' | 'resume', onDone: (bulk: Bulk) => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => callApi<Bulk>('POST', `${PATH}/${id}/${change}`),
    onSuccess: (bulk) => {
      queries.setQueryData(keyOf(id), bulk)
      onDone(bulk)
      return queries.invalidateQueries({ queryKey: ['bulks', 'list'] })
    },
  })
}

const keyOf = (id: string) => ['bulks', 'one', id]
