import { useQuery } from '@tanstack/react-query'
import type { Account } from './api/bodies.ts'
import { callApi } from './api/client.ts'
import { getSession } from './session.ts'

/** Returns the signed-in account with its credits. Everything that spends credits refreshes it (`queryKey: ['account']`). */
export function useAccount() {
  return useQuery({ queryKey: ['account'], queryFn: () => callApi<Account>('GET', '/v1/auth/me') })
}

/** Returns the addresses, the examples and the development pages that the server gives the console. */
export function useEnvironment() {
  return useQuery({ queryKey: ['environment'], queryFn: getSession, staleTime: Number.POSITIVE_INFINITY })
}
