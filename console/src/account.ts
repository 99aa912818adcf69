import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import type { Account } from './api/bodies.ts'
import { callApi } from './api/client.ts'
import { getSession } from './session.ts'

const ACCOUNT = queryOptions({ queryKey: ['account'], queryFn: () => callApi<Account>('GET', '/v1/auth/me') })
const ENVIRONMENT = queryOptions({
  queryKey: ['environment'],
  queryFn: getSession,
  staleTime: Number.POSITIVE_INFINITY,
})

/** Returns the signed-in account with its credits. Everything that spends credits refreshes it (`queryKey: ['account']`). */
export function useAccount() {
  return useQuery(ACCOUNT)
}

/** Returns the addresses, the examples and the development pages that the server gives the console. */
export function useEnvironment() {
  return useQuery(ENVIRONMENT)
}

/** Loads what every screen needs, before the first drawing. */
export async function fetchAccount(queries: QueryClient): Promise<void> {
  await Promise.all([queries.prefetchQuery(ENVIRONMENT), queries.prefetchQuery(ACCOUNT)])
}

/** Says whether account and environment have arrived or failed. Screens wait for both, so that nothing moves when they arrive. */
export function useIsSettled(): boolean {
  return [useAccount(), useEnvironment()].every(({ isPending }) => !isPending)
}
