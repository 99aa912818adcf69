import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type {
  DeletedDestination,
  RegisteredDestination,
  RotatedSecret,
  WebhookDestination,
  WebhookDestinations,
} from '../../api/bodies.ts'
import { callApi, newIdempotencyKey } from '../../api/client.ts'

const PATH = '/v1/partner/webhooks'
const REFRESH_MS = 5_000

/** Refreshes loaded data. Data that failed to load waits until the person tries again. */
export const refreshShown = ({ state }: { state: { data: unknown } }) => (state.data === undefined ? false : REFRESH_MS)

/** Returns all destinations; they fit on one page. */
export function useDestinations() {
  return useQuery({
    queryKey: ['webhooks'],
    queryFn: () => callApi<WebhookDestinations>('GET', PATH),
    refetchInterval: refreshShown,
  })
}

export type NewDestination = Pick<WebhookDestination, 'webhook_url' | 'signal_type'>

export function useAddDestination() {
  return useChange((body: NewDestination) =>
    callApi<RegisteredDestination>('POST', PATH, { body, headers: { 'idempotency-key': newIdempotencyKey() } }),
  )
}

export function useDeleteDestination(id: number, onDone: () => void) {
  return useChange<void, DeletedDestination>(() => callApi('DELETE', `${PATH}/${id}`), onDone)
}

export function useEnableDestination(id: number, onDone: () => void) {
  return useChange<void, WebhookDestination>(() => callApi('POST', `${PATH}/${id}/enable`), onDone)
}

export function useRotateSecret(id: number) {
  return useChange<void, RotatedSecret>(() =>
    callApi('POST', `${PATH}/${id}/rotate-secret`, {
      headers: { 'idempotency-key': newIdempotencyKey() },
    }),
  )
}

/** Calls `onDone` before it reloads the list, because the reload may remove the component that made the change. */
function useChange<Variables, Body>(mutationFn: (variables: Variables) => Promise<Body>, onDone?: () => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess: () => {
      onDone?.()
      return queries.invalidateQueries({ queryKey: ['webhooks'], exact: true })
    },
  })
}
