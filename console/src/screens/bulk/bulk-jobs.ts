import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Bulk, BulkPreflight } from '../../api/bodies.ts'
import { useChange } from '../../api/change.ts'
import { callApi } from '../../api/client.ts'
import type { Mapping } from './file-in/mapping.ts'

/** A page of bulk jobs, newest first. */
export interface BulkJobPage {
  data: Bulk[]
  page: number
  has_more: boolean
}

const PATH = '/v1/bulk'
const LISTS = { queryKey: ['bulk-jobs', 'list'] }
const PAGE_SIZE = 20
const LIST_REFRESH_MS = 3_000
const REFRESH_MS = 1_000

/** Returns one page, newest first. Refreshes while one of its jobs is active. */
export function useBulkJobs(page: number) {
  return useQuery({
    queryKey: ['bulk-jobs', 'list', page],
    queryFn: ({ signal }) => callApi<BulkJobPage>('GET', PATH, { query: { page, limit: PAGE_SIZE }, signal }),
    refetchInterval: ({ state }) => (state.data?.data.some(isActive) ? LIST_REFRESH_MS : false),
    placeholderData: keepPreviousData,
  })
}

/** Returns one bulk job. Refreshes every second while it is active. */
export function useBulk(id: string) {
  const queries = useQueryClient()
  const bulk = useQuery({
    queryKey: keyOfBulk(id),
    queryFn: ({ signal }) => callApi<Bulk>('GET', `${PATH}/${encodeURIComponent(id)}`, { signal }),
    refetchInterval: ({ state }) => (state.data && isActive(state.data) ? REFRESH_MS : false),
  })
  const { credits_spent: spent, status } = bulk.data ?? {}
  useEffect(() => {
    if (spent !== undefined) void queries.invalidateQueries({ queryKey: ['account'] })
  }, [queries, spent, status])
  return bulk
}

/** A cancelled job stays active until its rows in progress have finished. */
export function isActive({ status, finished_at: finishedAt }: Bulk): boolean {
  return status === 'running' || (status === 'cancelled' && finishedAt === null)
}

/** A file with what its columns hold: all that a check and a start need. */
export interface MappedFile {
  file_id: string
  sheet: string
  header_rows: number
  columns: Mapping
}

/** Checks the rows of a file and returns what they would cost. It starts nothing. */
export function usePreflight(mapped: MappedFile) {
  return useQuery({
    queryKey: ['bulk-jobs', 'preflight', mapped],
    queryFn: ({ signal }) =>
      callApi<BulkPreflight>('POST', PATH, { query: { preflight: 'true' }, body: mapped, signal }),
    gcTime: 0,
  })
}

/** The name of a new bulk job and its idempotency key: the same start, sent twice, creates one job. */
export interface BulkStart {
  name: string
  key: string
}

export function useStartBulk(mapped: MappedFile, onStarted: (bulk: Bulk) => void) {
  return useBulkChange(({ name, key }: BulkStart) => {
    const named = name.trim() === '' ? {} : { name: name.trim() }
    return callApi<Bulk>('POST', PATH, { body: { ...mapped, ...named }, headers: { 'idempotency-key': key } })
  }, onStarted)
}

export function useChangeBulk(id: string, change: 'cancel' | 'resume', onDone: () => void) {
  return useBulkChange<void>(() => callApi('POST', `${PATH}/${id}/${change}`), onDone)
}

function useBulkChange<Variables>(send: (variables: Variables) => Promise<Bulk>, onDone: (bulk: Bulk) => void) {
  const queries = useQueryClient()
  return useChange(LISTS, send, (bulk) => {
    queries.setQueryData(keyOfBulk(bulk.id), bulk)
    onDone(bulk)
  })
}

export const keyOfBulk = (id: string) => ['bulk-jobs', 'one', id]
