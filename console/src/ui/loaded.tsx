import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Problem, Skeleton } from './parts.tsx'

/** Shows a query in one of three states: loading, failed with a retry button, or loaded. */
export function Loaded<Body>({ query, what, children }: LoadedProps<Body>) {
  if (query.isPending) return <Skeleton what={what} />
  if (query.isError && query.data === undefined) {
    return <Problem title={`Could not load ${what}`} error={query.error} onRetry={() => void query.refetch()} />
  }
  return children(query.data as Body)
}

interface LoadedProps<Body> {
  query: UseQueryResult<Body>
  /** "your watchlist": completes "Loading …" and "Could not load …". */
  what: string
  children: (body: Body) => ReactNode
}
