import { useQuery } from '@tanstack/react-query'
import type { Account } from './api/bodies.ts'
import { callApi } from './api/client.ts'
import { getSession } from './session.ts'

/** The signed-in account with its credits; refreshed by whatever spends some (`queryKey: ['account']`). */
export function useAccount() {
  return useQuery({ queryKey: ['account'], queryFn: () => callApi<Account>('GET', '/v1/auth/me') })
}

/** What the server tells the console about itself: addresses, examples, pages of a development machine. */
export function useSurroundings() {
  return useQuery({ queryKey: ['surroundings'], queryFn: getSession, staleTime: Number.POSITIVE_INFINITY })
}
