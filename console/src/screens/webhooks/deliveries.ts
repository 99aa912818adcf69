import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Replay, WebhookAttempt, WebhookAttempts, WebhookTrial } from '../../api/bodies.ts'
import { callApi } from '../../api/client.ts'
import { refreshShown } from './destinations.ts'

const pathOf = (id: number) => `/v1/partner/webhooks/${id}`
const PAGE_ATTEMPTS = 20

export type ResultFilter = 'all' | 'delivered' | 'failed'

/** Returns one page of the log, newest first. Each page has the cursor of the next one. */
export function useDeliveries(id: number, { cursor, result }: { cursor: string | null; result: ResultFilter }) {
  return useQuery({
    queryKey: ['webhooks', id, 'deliveries', result, cursor],
    queryFn: () =>
      callApi<WebhookAttempts>('GET', `${pathOf(id)}/deliveries`, {
        query: { limit: PAGE_ATTEMPTS, cursor: cursor ?? undefined, result: result === 'all' ? undefined : result },
      }),
    refetchInterval: refreshShown,
    placeholderData: keepPreviousData,
  })
}

export function useTestEvent(id: number) {
  return useSending<void, WebhookTrial>(id, () => callApi('POST', `${pathOf(id)}/test`))
}

export interface ReplayRequest {
  since?: string | undefined
  until?: string | undefined
  only?: 'failed' | 'missing' | undefined
  cursor?: string | undefined
  event_id?: string | undefined
}

export function useReplay(id: number) {
  return useSending(id, (request: ReplayRequest) => replay(id, request))
}

export function useSendAgain(id: number, { event_id: eventId }: WebhookAttempt) {
  return useSending<void, Replay>(id, () => replay(id, { event_id: eventId }))
}

function replay(id: number, body: ReplayRequest): Promise<Replay> {
  return callApi('POST', `${pathOf(id)}/replay`, { body, isOnce: true })
}

function useSending<Variables, Body>(id: number, mutationFn: (variables: Variables) => Promise<Body>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn,
    onSettled: () => queries.invalidateQueries({ queryKey: ['webhooks', id, 'deliveries'] }),
  })
}
