import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type {
  ComparedReadings,
  EvidencePack,
  History,
  HistoryEntry,
  HistoryItem,
  NewShareLink,
  ShareLink,
} from '../../api/bodies.ts'
import { useChange } from '../../api/change.ts'
import { callApi } from '../../api/client.ts'

export const FILTERS = ['domain', 'company', 'outcome', 'origin', 'from', 'to'] as const
export type HistoryFilter = Partial<Record<(typeof FILTERS)[number], string>>

export const ORIGIN_WORDS: Record<HistoryEntry['origin'], string> = {
  console: 'Console',
  api: 'API key',
  program: 'Connected program',
  bulk: 'Bulk job',
}

const PATH = '/v1/resolutions'
const pathOf = (id: string) => `${PATH}/${encodeURIComponent(id)}`

export function useHistory(filter: HistoryFilter, isEnabled: boolean) {
  return useInfiniteQuery({
    queryKey: ['history', 'list', filter],
    enabled: isEnabled,
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      callApi<History>('GET', PATH, { query: { ...filter, cursor: pageParam }, signal }),
    getNextPageParam: (page) => page.next_cursor,
  })
}

export const itemKey = (id: string) => ['history', 'one', id]

export function useHistoryItem(id: string) {
  return useQuery({
    queryKey: itemKey(id),
    queryFn: ({ signal }) => callApi<HistoryItem>('GET', pathOf(id), { signal }),
  })
}

export function useEvidence(id: string) {
  return useQuery({
    queryKey: ['evidence', id],
    queryFn: ({ signal }) => callApi<EvidencePack>('GET', `${pathOf(id)}/evidence`, { signal }),
    // It is as it was stored.
    refetchOnWindowFocus: false,
  })
}

export function useChanges(id: string, since: string) {
  return useQuery({
    queryKey: ['history', 'changes', id, since],
    queryFn: ({ signal }) => callApi<ComparedReadings>('GET', `${pathOf(id)}/changes`, { query: { since }, signal }),
  })
}

const linksKey = (id: string) => ['history', 'links', id]

export function useShareLinks(id: string) {
  return useQuery({
    queryKey: linksKey(id),
    queryFn: ({ signal }) => callApi<{ data: ShareLink[] }>('GET', `${pathOf(id)}/share-links`, { signal }),
  })
}

export function useMakeLink(id: string, onMade: (link: NewShareLink) => void) {
  return useChange(
    { queryKey: linksKey(id) },
    (days: number) => callApi<NewShareLink>('POST', `${pathOf(id)}/share-links`, { body: { days } }),
    onMade,
  )
}

export function useRevokeLink({ id, resolution_id: resolutionId }: ShareLink) {
  return useChange({ queryKey: linksKey(resolutionId) }, () =>
    callApi<ShareLink>('DELETE', `/v1/share-links/${encodeURIComponent(id)}`),
  )
}
