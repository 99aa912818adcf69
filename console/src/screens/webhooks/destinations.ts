import { useQuery } from '@tanstack/react-query'
import type {
  DeletedDestination,
  RegisteredDestination,
  RotatedSecret,
  WebhookDestination,
  WebhookDestinations,
} from '../../api/bodies.ts'
import { useChange } from '../../api/change.ts'
import { callApi } from '../../api/client.ts'

const PATH = '/v1/partner/webhooks'
/** Without the deliveries of each destination. */
const LIST = { queryKey: ['webhooks'], exact: true }
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

export interface NewDestination extends Pick<WebhookDestination, 'kind' | 'webhook_url' | 'signal_type'> {
  list?: string | undefined
  severity_min?: WebhookDestination['severity_min'] | undefined
}

export function useAddDestination() {
  return useChange(LIST, (body: NewDestination) => callApi<RegisteredDestination>('POST', PATH, { body, isOnce: true }))
}

export function useDeleteDestination(id: number, onDone: () => void) {
  return useChange(LIST, () => callApi<DeletedDestination>('DELETE', `${PATH}/${id}`), onDone)
}

export function useEnableDestination(id: number, onDone: () => void) {
  return useChange(LIST, () => callApi<WebhookDestination>('POST', `${PATH}/${id}/enable`), onDone)
}

export function useRotateSecret(id: number) {
  return useChange(LIST, () => callApi<RotatedSecret>('POST', `${PATH}/${id}/rotate-secret`, { isOnce: true }))
}
